// Generated from internal/protocol/schema.json by "npm run generate": changes belong there.
/** The JSON Schema (Draft 2020-12) of the protocol's documents. */
export const schema: { readonly $id: string; readonly [keyword: string]: unknown } = {
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://skillregistry.example/schemas/1.0.0/schema.json",
  "title": "The documents of the skill sharing protocol, version 1.0.0",
  "description": "The schema itself describes a Skill Descriptor; $defs describes the Skill Index, the invocation messages and the error form as well. Members that are not named here are accepted everywhere: documents of a newer MINOR version have them.",
  "$ref": "#/$defs/descriptor",
  "$defs": {
    "descriptor": {
      "title": "Skill Descriptor",
      "description": "What a skill is and how it is invoked.",
      "type": "object",
      "required": [
        "protocol",
        "id",
        "name",
        "version",
        "capability_type",
        "description",
        "provider",
        "endpoint",
        "inputs",
        "output",
        "auth",
        "access"
      ],
      "properties": {
        "protocol": {
          "description": "The protocol version that this document is written in.",
          "$ref": "#/$defs/protocolVersion"
        },
        "id": {
          "description": "The identity of the skill, unique in a registry.",
          "$ref": "#/$defs/id"
        },
        "name": {
          "description": "The name of the skill, for people.",
          "$ref": "#/$defs/line"
        },
        "version": {
          "description": "The skill's own version.",
          "$ref": "#/$defs/semanticVersion"
        },
        "capability_type": {
          "description": "What kind of thing the skill is.",
          "$ref": "#/$defs/capabilityType"
        },
        "description": {
          "description": "What the skill does, for people and for agents that choose between skills.",
          "$ref": "#/$defs/text"
        },
        "provider": {
          "description": "Who offers the skill.",
          "$ref": "#/$defs/provider"
        },
        "endpoint": {
          "description": "Where and how the skill is invoked.",
          "$ref": "#/$defs/endpoint"
        },
        "inputs": {
          "description": "The parameters of an invocation, with distinct names; empty when there are none.",
          "type": "array",
          "maxItems": 200,
          "items": {
            "$ref": "#/$defs/parameter"
          }
        },
        "output": {
          "description": "What an invocation gives back.",
          "$ref": "#/$defs/output"
        },
        "auth": {
          "description": "How a caller authenticates to the endpoint.",
          "$ref": "#/$defs/auth"
        },
        "access": {
          "description": "Who may discover and invoke the skill.",
          "$ref": "#/$defs/access"
        },
        "tags": {
          "description": "Words to find the skill by.",
          "type": "array",
          "maxItems": 100,
          "items": {
            "$ref": "#/$defs/line",
            "maxLength": 100
          }
        },
        "documentation_url": {
          "description": "Where people read about the skill.",
          "$ref": "#/$defs/url"
        },
        "created_at": {
          "description": "When the skill was made.",
          "$ref": "#/$defs/dateTime"
        },
        "updated_at": {
          "description": "When the skill was last changed.",
          "$ref": "#/$defs/dateTime"
        }
      }
    },
    "protocolVersion": {
      "title": "Protocol Version",
      "description": "The version of the protocol that a document is written in.",
      "type": "object",
      "required": [
        "version"
      ],
      "properties": {
        "version": {
          "description": "The protocol version. Documents of one MAJOR can be read by everyone who reads that MAJOR.",
          "$ref": "#/$defs/protocolVersionNumber"
        },
        "changelog_url": {
          "description": "Where the changes between protocol versions are told.",
          "$ref": "#/$defs/url"
        }
      }
    },
    "provider": {
      "title": "Provider",
      "description": "Who offers a skill or an index.",
      "type": "object",
      "required": [
        "name"
      ],
      "properties": {
        "name": {
          "description": "The provider's name, for people.",
          "$ref": "#/$defs/line"
        },
        "url": {
          "description": "The provider's own page.",
          "$ref": "#/$defs/url"
        }
      }
    },
    "endpoint": {
      "title": "Invocation Endpoint",
      "description": "Where and how a skill is invoked.",
      "type": "object",
      "required": [
        "url"
      ],
      "properties": {
        "url": {
          "description": "The address that an invocation is sent to.",
          "$ref": "#/$defs/url"
        },
        "method": {
          "description": "An HTTP method in capital letters, such as POST.",
          "type": "string",
          "maxLength": 20,
          "pattern": "^[A-Z]+(-[A-Z]+)*$",
          "default": "POST"
        },
        "content_type": {
          "description": "The media type of the invocation's body.",
          "$ref": "#/$defs/mediaType",
          "default": "application/json"
        },
        "status_url": {
          "description": "Where the state of an invocation is read.",
          "$ref": "#/$defs/executionUrl"
        },
        "result_url": {
          "description": "Where the result of an invocation is read.",
          "$ref": "#/$defs/executionUrl"
        }
      }
    },
    "parameter": {
      "title": "Parameter Definition",
      "description": "One parameter of an invocation.",
      "type": "object",
      "required": [
        "name",
        "type"
      ],
      "properties": {
        "name": {
          "description": "The name of the parameter, distinct within a descriptor.",
          "$ref": "#/$defs/line"
        },
        "type": {
          "description": "The type of the parameter's value.",
          "$ref": "#/$defs/valueType"
        },
        "description": {
          "description": "What the parameter means.",
          "$ref": "#/$defs/note"
        },
        "required": {
          "description": "Whether an invocation must give the parameter.",
          "type": "boolean",
          "default": false
        },
        "default": {
          "description": "The value that is taken when the parameter is not given: of the parameter's type and, where there is an enum, one of it."
        },
        "enum": {
          "description": "The values that the parameter may have, each of the parameter's type.",
          "type": "array",
          "minItems": 1,
          "maxItems": 1000
        },
        "schema": {
          "description": "A JSON Schema for the value.",
          "$ref": "#/$defs/jsonSchema"
        }
      }
    },
    "output": {
      "title": "Output Definition",
      "description": "What an invocation gives back.",
      "type": "object",
      "required": [
        "type"
      ],
      "properties": {
        "type": {
          "description": "The type of the output.",
          "$ref": "#/$defs/valueType"
        },
        "description": {
          "description": "What the output means.",
          "$ref": "#/$defs/note"
        },
        "content_type": {
          "description": "The media type of the output.",
          "$ref": "#/$defs/mediaType"
        },
        "schema": {
          "description": "A JSON Schema for the output.",
          "$ref": "#/$defs/jsonSchema"
        }
      }
    },
    "auth": {
      "title": "Auth Config",
      "description": "How a caller authenticates to a skill's endpoint.",
      "type": "object",
      "required": [
        "type"
      ],
      "properties": {
        "type": {
          "description": "The kind of authentication.",
          "type": "string",
          "enum": [
            "api_key",
            "oauth2",
            "custom",
            "none"
          ]
        },
        "description": {
          "description": "How to get and use credentials, for people.",
          "$ref": "#/$defs/note"
        },
        "header": {
          "description": "The name of an HTTP header field, such as X-API-Key.",
          "type": "string",
          "minLength": 1,
          "maxLength": 200,
          "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
          "default": "X-API-Key"
        },
        "oauth2": {
          "description": "The OAuth 2.0 addresses and scopes; required where type is oauth2.",
          "$ref": "#/$defs/oauth2"
        }
      },
      "if": {
        "properties": {
          "type": {
            "const": "oauth2"
          }
        },
        "required": [
          "type"
        ]
      },
      "then": {
        "description": "An object with authorization_url, token_url and scopes, because type is oauth2.",
        "required": [
          "oauth2"
        ]
      }
    },
    "oauth2": {
      "title": "OAuth2 Config",
      "description": "The addresses and scopes of an OAuth 2.0 authentication.",
      "type": "object",
      "required": [
        "authorization_url",
        "token_url",
        "scopes"
      ],
      "properties": {
        "authorization_url": {
          "description": "Where a user grants access.",
          "$ref": "#/$defs/url"
        },
        "token_url": {
          "description": "Where a client gets its token.",
          "$ref": "#/$defs/url"
        },
        "scopes": {
          "description": "What each scope allows, by the name of the scope.",
          "type": "object",
          "maxProperties": 200,
          "additionalProperties": {
            "$ref": "#/$defs/note"
          }
        }
      }
    },
    "index": {
      "title": "Skill Index",
      "description": "The answer at the well-known address of a registry.",
      "type": "object",
      "required": [
        "protocol",
        "provider",
        "skills"
      ],
      "properties": {
        "protocol": {
          "description": "The protocol version that this index is written in.",
          "$ref": "#/$defs/protocolVersion"
        },
        "provider": {
          "description": "Who runs the registry.",
          "$ref": "#/$defs/provider"
        },
        "skills": {
          "description": "The skills, with distinct ids.",
          "type": "array",
          "maxItems": 1000000,
          "items": {
            "$ref": "#/$defs/indexEntry"
          }
        }
      }
    },
    "indexEntry": {
      "title": "Index Entry",
      "description": "What an index says of one skill.",
      "type": "object",
      "required": [
        "id",
        "name",
        "capability_type",
        "description",
        "descriptor_url",
        "access",
        "version"
      ],
      "properties": {
        "id": {
          "description": "The identity of the skill.",
          "$ref": "#/$defs/id"
        },
        "name": {
          "description": "The name of the skill, for people.",
          "$ref": "#/$defs/line"
        },
        "capability_type": {
          "description": "What kind of thing the skill is.",
          "$ref": "#/$defs/capabilityType"
        },
        "description": {
          "description": "What the skill does.",
          "$ref": "#/$defs/text"
        },
        "descriptor_url": {
          "description": "Where the descriptor of this version is.",
          "$ref": "#/$defs/url"
        },
        "access": {
          "description": "Who may discover and invoke the skill.",
          "$ref": "#/$defs/access"
        },
        "version": {
          "description": "The version of the skill that this entry is about.",
          "$ref": "#/$defs/semanticVersion"
        }
      }
    },
    "invocationRequest": {
      "title": "Invocation Request",
      "description": "What is sent to the endpoint of a skill.",
      "type": "object",
      "required": [
        "caller",
        "skill_id",
        "inputs"
      ],
      "properties": {
        "caller": {
          "description": "Who invokes the skill.",
          "$ref": "#/$defs/caller"
        },
        "skill_id": {
          "description": "The id of the skill that is invoked.",
          "$ref": "#/$defs/id"
        },
        "inputs": {
          "description": "The values of the skill's parameters, by name.",
          "type": "object"
        },
        "context": {
          "description": "How the invocation is to be carried out.",
          "$ref": "#/$defs/invocationContext"
        }
      }
    },
    "caller": {
      "title": "Caller",
      "description": "Who invokes a skill.",
      "type": "object",
      "required": [
        "id",
        "type"
      ],
      "properties": {
        "id": {
          "description": "The identity of the caller.",
          "$ref": "#/$defs/line"
        },
        "type": {
          "description": "What the caller is.",
          "type": "string",
          "enum": [
            "ifay",
            "service",
            "user"
          ]
        },
        "credentials": {
          "description": "What the skill's auth asks for: any JSON value."
        }
      }
    },
    "invocationContext": {
      "title": "Invocation Context",
      "description": "How an invocation is to be carried out.",
      "type": "object",
      "properties": {
        "trace_id": {
          "description": "Joins the records of one undertaking across services.",
          "$ref": "#/$defs/line"
        },
        "priority": {
          "description": "How urgent the invocation is, in the terms of the endpoint.",
          "type": [
            "string",
            "number"
          ],
          "maxLength": 200
        },
        "timeout_ms": {
          "description": "After how many milliseconds the caller no longer waits.",
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      }
    },
    "invocationResponse": {
      "title": "Invocation Response",
      "description": "What the endpoint of a skill says of one invocation.",
      "type": "object",
      "required": [
        "execution_id",
        "status",
        "skill_id",
        "timestamps"
      ],
      "properties": {
        "execution_id": {
          "description": "The identity of the invocation; it takes the place of {execution_id} in the templates of the endpoint.",
          "$ref": "#/$defs/line"
        },
        "status": {
          "description": "Where the invocation stands.",
          "type": "string",
          "enum": [
            "accepted",
            "running",
            "completed",
            "failed",
            "cancelled",
            "timeout"
          ]
        },
        "skill_id": {
          "description": "The id of the skill that was invoked.",
          "$ref": "#/$defs/id"
        },
        "timestamps": {
          "description": "When the invocation went from one state to the next.",
          "$ref": "#/$defs/timestamps"
        },
        "output": {
          "description": "What the skill gives back: any JSON value."
        },
        "error": {
          "description": "Why the invocation failed.",
          "$ref": "#/$defs/errorDetail"
        }
      }
    },
    "timestamps": {
      "title": "Timestamps",
      "description": "When an invocation went from one state to the next.",
      "type": "object",
      "required": [
        "accepted_at"
      ],
      "properties": {
        "accepted_at": {
          "description": "When it was accepted.",
          "$ref": "#/$defs/dateTime"
        },
        "started_at": {
          "description": "When it began to run.",
          "$ref": "#/$defs/dateTime"
        },
        "completed_at": {
          "description": "When it ended, well or not.",
          "$ref": "#/$defs/dateTime"
        }
      }
    },
    "error": {
      "title": "Error",
      "description": "The one form of every error answer.",
      "type": "object",
      "required": [
        "error"
      ],
      "properties": {
        "error": {
          "description": "What went wrong.",
          "$ref": "#/$defs/errorDetail"
        }
      }
    },
    "errorDetail": {
      "title": "Error Detail",
      "description": "What went wrong.",
      "type": "object",
      "required": [
        "code",
        "message"
      ],
      "properties": {
        "code": {
          "description": "A code in capital letters, digits and underscores, such as VALIDATION_ERROR.",
          "type": "string",
          "minLength": 1,
          "maxLength": 100,
          "pattern": "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"
        },
        "message": {
          "description": "What went wrong, for people.",
          "$ref": "#/$defs/text"
        },
        "details": {
          "description": "More about this kind of error.",
          "type": "object",
          "properties": {
            "violations": {
              "description": "Every rule that a document breaks, where the code is VALIDATION_ERROR.",
              "type": "array",
              "items": {
                "$ref": "#/$defs/violation"
              }
            },
            "descriptor_version": {
              "description": "The document's protocol version, where the code is VERSION_INCOMPATIBLE.",
              "type": "string"
            },
            "consumer_supported_range": {
              "description": "The protocol versions that can be read, such as 1.x.x, where the code is VERSION_INCOMPATIBLE.",
              "type": "string"
            }
          }
        },
        "retry": {
          "description": "When the same request is worth another try.",
          "$ref": "#/$defs/retry"
        }
      }
    },
    "violation": {
      "title": "Violation",
      "description": "One rule that a document breaks.",
      "type": "object",
      "required": [
        "field",
        "expected",
        "actual"
      ],
      "properties": {
        "field": {
          "description": "A JSON Pointer to the member that is wrong; for a missing member, to where it belongs.",
          "type": "string",
          "pattern": "^(/([^/~]|~[01])*)*$"
        },
        "expected": {
          "description": "What the rule asks for, in words.",
          "type": "string"
        },
        "actual": {
          "description": "What was there, in words.",
          "type": "string"
        }
      }
    },
    "retry": {
      "title": "Retry",
      "description": "When the same request is worth another try.",
      "type": "object",
      "required": [
        "suggested_delay_ms",
        "max_attempts"
      ],
      "properties": {
        "suggested_delay_ms": {
          "description": "How many milliseconds to wait before the next try.",
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        },
        "max_attempts": {
          "description": "How many tries are worth it.",
          "type": "integer",
          "minimum": 0,
          "maximum": 9007199254740991
        }
      }
    },
    "capabilityType": {
      "title": "Capability Type",
      "description": "What kind of thing a skill is.",
      "type": "string",
      "enum": [
        "plugin",
        "api",
        "knowledge",
        "task"
      ]
    },
    "access": {
      "title": "Access",
      "description": "Who may discover and invoke a skill.",
      "type": "string",
      "enum": [
        "public",
        "restricted",
        "private"
      ]
    },
    "valueType": {
      "title": "Value Type",
      "description": "The type of a parameter or an output.",
      "type": "string",
      "enum": [
        "string",
        "number",
        "integer",
        "boolean",
        "object",
        "array"
      ]
    },
    "id": {
      "description": "Lower-case letters and digits, with single '.', '_' or '-' between them, such as com.example.translate-v1.",
      "type": "string",
      "minLength": 3,
      "maxLength": 200,
      "pattern": "^[a-z0-9]+([._-][a-z0-9]+)*$",
      "not": {
        "description": "An id other than index.json, which is reserved.",
        "const": "index.json"
      }
    },
    "semanticVersion": {
      "description": "A version by SemVer 2.0.0, such as 2.1.0 or 1.0.0-rc.1.",
      "type": "string",
      "maxLength": 200,
      "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)(\\.(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*))*)?(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$"
    },
    "protocolVersionNumber": {
      "description": "A protocol version MAJOR.MINOR.PATCH of plain integers, such as 1.0.0.",
      "type": "string",
      "maxLength": 200,
      "pattern": "^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)$"
    },
    "url": {
      "description": "An absolute http or https URL in ASCII, such as https://example.com/invoke.",
      "type": "string",
      "maxLength": 2000,
      "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://(([0-9A-Za-z]([0-9A-Z_a-z-]*[0-9A-Za-z])?\\.)*[A-Za-z]([0-9A-Z_a-z-]*[0-9A-Za-z])?\\.?|((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])|\\[(([0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}|([0-9A-Fa-f]{1,4}:){1,7}:|([0-9A-Fa-f]{1,4}:){1,6}:[0-9A-Fa-f]{1,4}|([0-9A-Fa-f]{1,4}:){1,5}(:[0-9A-Fa-f]{1,4}){1,2}|([0-9A-Fa-f]{1,4}:){1,4}(:[0-9A-Fa-f]{1,4}){1,3}|([0-9A-Fa-f]{1,4}:){1,3}(:[0-9A-Fa-f]{1,4}){1,4}|([0-9A-Fa-f]{1,4}:){1,2}(:[0-9A-Fa-f]{1,4}){1,5}|[0-9A-Fa-f]{1,4}:(:[0-9A-Fa-f]{1,4}){1,6}|:((:[0-9A-Fa-f]{1,4}){1,7}|:))\\])(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?([/?]([!$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z{}~-]|%[0-9A-Fa-f]{2})*)?(#([!$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z{}~-]|%[0-9A-Fa-f]{2})*)?$"
    },
    "executionUrl": {
      "allOf": [
        {
          "$ref": "#/$defs/url"
        },
        {
          "description": "A URL that contains {execution_id}, such as https://example.com/status/{execution_id}.",
          "pattern": "\\{execution_id\\}"
        }
      ]
    },
    "dateTime": {
      "description": "A time by RFC 3339, such as 2026-01-31T12:00:00Z.",
      "type": "string",
      "maxLength": 64,
      "pattern": "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$",
      "format": "date-time"
    },
    "mediaType": {
      "description": "A media type, such as application/json.",
      "type": "string",
      "maxLength": 200,
      "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+([ \\t]*;[ \\t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+=([!#$%&'*+.^_`|~0-9A-Za-z-]+|\"[ !#-\\[\\]-~]*\"))*$"
    },
    "line": {
      "description": "One line of text that shows something, without control characters.",
      "type": "string",
      "minLength": 1,
      "maxLength": 200,
      "pattern": "^[ \\xa0\\xad  -‏ -  -⁯　﻿]*[^\\x00-\\x20\\x7f-\\xa0\\xad  -‏ -  -⁯　﻿][^\\x00-\\x1f\\x7f-\\x9f]*$"
    },
    "text": {
      "description": "Text that shows something, without control characters other than tabs and line breaks.",
      "type": "string",
      "minLength": 1,
      "maxLength": 10000,
      "pattern": "^[\\t\\n\\r \\xa0\\xad  -‏ -  -⁯　﻿]*[^\\x00-\\x20\\x7f-\\xa0\\xad  -‏ -  -⁯　﻿][^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$"
    },
    "note": {
      "description": "Text without control characters other than tabs and line breaks.",
      "type": "string",
      "maxLength": 10000,
      "pattern": "^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*$"
    },
    "jsonSchema": {
      "title": "JSON Schema",
      "description": "A JSON Schema (Draft 2020-12), checked as far as its keywords have the values that the draft gives them. References stay within the schema itself; nothing is ever fetched. Keywords that the draft does not name are kept.",
      "type": [
        "object",
        "boolean"
      ],
      "properties": {
        "$schema": {
          "type": "string",
          "maxLength": 2000
        },
        "$id": {
          "type": "string",
          "maxLength": 2000
        },
        "$ref": {
          "$ref": "#/$defs/jsonSchema/$defs/localReference"
        },
        "$dynamicRef": {
          "$ref": "#/$defs/jsonSchema/$defs/localReference"
        },
        "$anchor": {
          "$ref": "#/$defs/jsonSchema/$defs/anchor"
        },
        "$dynamicAnchor": {
          "$ref": "#/$defs/jsonSchema/$defs/anchor"
        },
        "$vocabulary": {
          "type": "object",
          "additionalProperties": {
            "type": "boolean"
          }
        },
        "$comment": {
          "type": "string"
        },
        "$defs": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaMap"
        },
        "definitions": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaMap"
        },
        "title": {
          "type": "string"
        },
        "description": {
          "type": "string"
        },
        "default": true,
        "deprecated": {
          "type": "boolean"
        },
        "readOnly": {
          "type": "boolean"
        },
        "writeOnly": {
          "type": "boolean"
        },
        "examples": {
          "type": "array"
        },
        "type": {
          "description": "The name of a type, or a list of distinct names.",
          "type": [
            "string",
            "array"
          ],
          "if": {
            "type": "string"
          },
          "then": {
            "$ref": "#/$defs/jsonSchema/$defs/typeName"
          },
          "else": {
            "minItems": 1,
            "uniqueItems": true,
            "items": {
              "$ref": "#/$defs/jsonSchema/$defs/typeName"
            }
          }
        },
        "enum": {
          "type": "array"
        },
        "const": true,
        "multipleOf": {
          "type": "number",
          "exclusiveMinimum": 0
        },
        "maximum": {
          "type": "number"
        },
        "exclusiveMaximum": {
          "type": "number"
        },
        "minimum": {
          "type": "number"
        },
        "exclusiveMinimum": {
          "type": "number"
        },
        "maxLength": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "minLength": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "pattern": {
          "type": "string"
        },
        "format": {
          "type": "string"
        },
        "contentEncoding": {
          "type": "string"
        },
        "contentMediaType": {
          "type": "string"
        },
        "contentSchema": {
          "$ref": "#/$defs/jsonSchema"
        },
        "prefixItems": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaList"
        },
        "items": {
          "$ref": "#/$defs/jsonSchema"
        },
        "contains": {
          "$ref": "#/$defs/jsonSchema"
        },
        "maxItems": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "minItems": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "uniqueItems": {
          "type": "boolean"
        },
        "maxContains": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "minContains": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "unevaluatedItems": {
          "$ref": "#/$defs/jsonSchema"
        },
        "properties": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaMap"
        },
        "patternProperties": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaMap"
        },
        "additionalProperties": {
          "$ref": "#/$defs/jsonSchema"
        },
        "propertyNames": {
          "$ref": "#/$defs/jsonSchema"
        },
        "maxProperties": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "minProperties": {
          "$ref": "#/$defs/jsonSchema/$defs/count"
        },
        "required": {
          "$ref": "#/$defs/jsonSchema/$defs/nameList"
        },
        "dependentRequired": {
          "type": "object",
          "additionalProperties": {
            "$ref": "#/$defs/jsonSchema/$defs/nameList"
          }
        },
        "dependentSchemas": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaMap"
        },
        "unevaluatedProperties": {
          "$ref": "#/$defs/jsonSchema"
        },
        "allOf": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaList"
        },
        "anyOf": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaList"
        },
        "oneOf": {
          "$ref": "#/$defs/jsonSchema/$defs/schemaList"
        },
        "not": {
          "$ref": "#/$defs/jsonSchema"
        },
        "if": {
          "$ref": "#/$defs/jsonSchema"
        },
        "then": {
          "$ref": "#/$defs/jsonSchema"
        },
        "else": {
          "$ref": "#/$defs/jsonSchema"
        }
      },
      "$defs": {
        "schemaMap": {
          "description": "Schemas by name.",
          "type": "object",
          "additionalProperties": {
            "$ref": "#/$defs/jsonSchema"
          }
        },
        "schemaList": {
          "description": "One schema or more.",
          "type": "array",
          "minItems": 1,
          "items": {
            "$ref": "#/$defs/jsonSchema"
          }
        },
        "nameList": {
          "description": "Distinct names of members.",
          "type": "array",
          "uniqueItems": true,
          "items": {
            "type": "string"
          }
        },
        "typeName": {
          "description": "The name of a JSON type.",
          "type": "string",
          "enum": [
            "null",
            "boolean",
            "object",
            "array",
            "number",
            "string",
            "integer"
          ]
        },
        "count": {
          "description": "A whole number, zero or more.",
          "type": "integer",
          "minimum": 0
        },
        "localReference": {
          "description": "A reference within the schema itself, such as #/$defs/item.",
          "type": "string",
          "maxLength": 2000,
          "pattern": "^#[^\\x00-\\x20\\x7f]*$"
        },
        "anchor": {
          "description": "A name of letters, digits, '.', '_' and '-' that starts with a letter or '_'.",
          "type": "string",
          "maxLength": 200,
          "pattern": "^[A-Za-z_][A-Za-z0-9._-]*$"
        }
      }
    }
  }
};
