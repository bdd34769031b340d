import type { Access, Descriptor, Violation } from "./generated/types.js";

// What a registry answers beside the protocol's own documents, as it comes.

/** One version of a skill. */
export interface Skill {
  descriptor: Descriptor;
  /** The descriptor as the registry serves it: every number with its digits. */
  text: string;
}

/** What a list of versions says of one version. */
export interface Version {
  version: string;
  /** Whether it is to be used: a yanked version is never the latest. */
  status: "active" | "deprecated" | "yanked";
  /** Why it has that status, where someone said so. */
  reason?: string;
  access: Access;
  digest: string;
  /** A time by RFC 3339. */
  published_at: string;
  descriptor_url: string;
  /** Where its own files are; not there where it brings none. */
  files?: { digest: string; url: string };
}

/** An oddity that breaks no rule. */
export interface Warning {
  /** A JSON Pointer, as in Violation. */
  field: string;
  message: string;
}

/** The answer to a publication. */
export interface Published {
  id: string;
  version: string;
  digest: string;
  descriptor_url: string;
  /** A time by RFC 3339; a dry run has none of its own. */
  published_at?: string;
  warnings: Warning[];
  dry_run?: true;
  /**
   * Whether this publication stored the version: not when the same content was there
   * already, and not after a dry run.
   */
  created: boolean;
}

/** The answer to files that were attached to a version. */
export interface Attached {
  id: string;
  version: string;
  /** Of the archive that the registry packed of the files. */
  digest: string;
  /** Their names, SKILL.md first. */
  files: string[];
  warnings: Warning[];
  /** Whether this call stored them: not when the same files were there already. */
  created: boolean;
}

/** What a registry says of a document that it checked. */
export interface Report {
  valid: boolean;
  violations: Violation[];
  warnings: Warning[];
}

export type Scope = "read" | "publish" | "admin";

/** Asks for a key. */
export interface KeyRequest {
  name: string;
  scopes: Scope[];
  /** Where the scopes hold: id prefixes at a dot, such as com.example; "*" is every id. Only an admin needs none. */
  namespaces?: string[];
  /** When the key stops working, a time by RFC 3339; never by default. */
  expires_at?: string;
}

/** A key without its secret. */
export interface Key {
  id: string;
  name: string;
  scopes: Scope[];
  namespaces: string[];
  created_at: string;
  expires_at?: string;
  revoked_at?: string;
}

/** A key that was just made. */
export interface NewKey extends Key {
  /** The secret: what RegistryOptions.key takes. It can't be had again. */
  key: string;
}
