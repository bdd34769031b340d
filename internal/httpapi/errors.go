package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// The codes that HTTP needs beside those of the protocol.
const (
	CodeInvalidJSON          protocol.Code = "INVALID_JSON"
	CodeInvalidArchive       protocol.Code = "INVALID_ARCHIVE"
	CodeInvalidQuery         protocol.Code = "INVALID_QUERY"
	CodeNotFound             protocol.Code = "NOT_FOUND"
	CodeKeyNotFound          protocol.Code = "KEY_NOT_FOUND"
	CodeMethodNotAllowed     protocol.Code = "METHOD_NOT_ALLOWED"
	CodeRequestTimeout       protocol.Code = "REQUEST_TIMEOUT"
	CodeVersionExists        protocol.Code = "VERSION_EXISTS"
	CodeBreakingChange       protocol.Code = "BREAKING_CHANGE"
	CodeFilesExist           protocol.Code = "FILES_EXIST"
	CodeBodyTooLarge         protocol.Code = "BODY_TOO_LARGE"
	CodeUnsupportedMediaType protocol.Code = "UNSUPPORTED_MEDIA_TYPE"
	CodeRateLimited          protocol.Code = "RATE_LIMITED"
	CodeInternal             protocol.Code = "INTERNAL"
)

// problem is an error answer.
type problem struct {
	status  int
	code    protocol.Code
	message string
	details map[string]any
	retry   *protocol.Retry
	header  map[string]string
}

// skillNotFoundError says that there is no such skill or version, or none that the
// caller may see: the two are not told apart.
type skillNotFoundError struct{}

func (*skillNotFoundError) Error() string { return "no such skill for this caller" }

// permissionError says that a key is good and does not reach.
type permissionError struct {
	// needs says what the request needs, to stand behind "This needs ".
	needs string
}

func (e *permissionError) Error() string { return "the key does not reach: it needs " + e.needs }

// queryError says that a query parameter has a value that it can't have.
type queryError struct {
	parameter string // empty where the query as a whole can't be read
	expected  string
	actual    string
}

func (e *queryError) Error() string {
	return fmt.Sprintf("query parameter %s: expected %s, got %s", e.parameter, e.expected, e.actual)
}

// rateError says that a caller asks too often.
type rateError struct{ wait time.Duration }

func (e *rateError) Error() string { return fmt.Sprintf("too many requests, free in %v", e.wait) }

// rule says how one kind of error is answered, and reports whether err is of that kind.
type rule func(err error) (problem, bool)

func on[E error](say func(E) problem) rule {
	return func(err error) (problem, bool) {
		if e, ok := errors.AsType[E](err); ok {
			return say(e), true
		}
		return problem{}, false
	}
}

func onIs(target error, p problem) rule {
	return func(err error) (problem, bool) { return p, errors.Is(err, target) }
}

// describe finds the answer to an error: that of the first rule that knows it. An error
// that no rule knows is nothing that a caller may read.
func (s *server) describe(err error) problem {
	for _, r := range s.rules {
		if p, ok := r(err); ok {
			return p
		}
	}
	return problem{
		status: http.StatusInternalServerError, code: CodeInternal,
		message: "Something went wrong here that is not your fault. The request id finds it in the registry's log.",
	}
}

// rules is the one table from errors to answers.
func rules() []rule {
	return []rule{
		on(func(*pathNotFoundError) problem {
			return problem{
				status: http.StatusNotFound, code: CodeNotFound,
				message: "There is nothing at this path. The Skill Index is at /.well-known/skills, a description of all paths at /openapi.json.",
			}
		}),
		on(func(e *methodError) problem {
			allow := strings.Join(e.allow, ", ")
			message := "This path answers " + allow + " only."
			if e.index {
				message += " To publish a skill, POST its descriptor to " + publishPath + "."
			}
			return problem{
				status: http.StatusMethodNotAllowed, code: CodeMethodNotAllowed, message: message,
				header: map[string]string{"Allow": allow},
			}
		}),
		on(func(e *credentialsError) problem {
			p := problem{
				status: http.StatusUnauthorized, code: protocol.CodeAuthRequired,
				message: "This needs a key: send it as \"Authorization: Bearer …\" or \"X-API-Key: …\".",
				header:  map[string]string{"WWW-Authenticate": `Bearer realm="skillregistry"`},
			}
			if e.given {
				p.message = "The credentials are not valid: there is no such key, or it was revoked or has expired. A key is sent once, as \"Authorization: Bearer …\" or \"X-API-Key: …\"."
				p.header["WWW-Authenticate"] += `, error="invalid_token"`
			}
			return p
		}),
		on(func(e *rateError) problem {
			p := retryLater(http.StatusTooManyRequests, e.wait)
			p.code, p.message = CodeRateLimited, "Too many requests: try again after the time in Retry-After."
			return p
		}),
		on(func(e *permissionError) problem {
			return problem{
				status: http.StatusForbidden, code: protocol.CodePermissionDenied,
				message: "The key is valid, but it does not allow this, which needs " + e.needs + ".",
			}
		}),
		on(func(*skillNotFoundError) problem { return skillNotFound() }),
		on(func(*store.VersionNotFoundError) problem { return skillNotFound() }),
		on(func(*store.FilesNotFoundError) problem { return skillNotFound() }),
		on(func(*store.KeyNotFoundError) problem {
			return problem{status: http.StatusNotFound, code: CodeKeyNotFound, message: "There is no key with this id."}
		}),
		on(func(e *queryError) problem {
			p := problem{
				status: http.StatusBadRequest, code: CodeInvalidQuery,
				message: fmt.Sprintf("The query parameter %s must be %s; it is %s.", e.parameter, e.expected, e.actual),
				details: map[string]any{"parameter": e.parameter, "expected": e.expected, "actual": e.actual},
			}
			if e.parameter == "" {
				p.message = fmt.Sprintf("The query must be %s; it is %s.", e.expected, e.actual)
				delete(p.details, "parameter")
			}
			return p
		}),
		on(func(e *mediaTypeError) problem {
			form := ", in UTF-8 and not compressed; "
			if e.wanted == archiveType {
				form = ", without Content-Encoding; "
			}
			return problem{
				status: http.StatusUnsupportedMediaType, code: CodeUnsupportedMediaType,
				message: "The body must be sent as Content-Type: " + e.wanted + form + e.reason + ".",
				header:  map[string]string{"Accept-" + e.method: e.wanted},
			}
		}),
		on(func(e *http.MaxBytesError) problem {
			return problem{
				status: http.StatusRequestEntityTooLarge, code: CodeBodyTooLarge,
				message: fmt.Sprintf("The body is too large: this registry takes %d bytes.", e.Limit),
				details: map[string]any{"max_bytes": e.Limit},
			}
		}),
		on(func(*bodyTimeoutError) problem {
			p := retryLater(http.StatusRequestTimeout, time.Second)
			p.code, p.message = CodeRequestTimeout, "The body took too long to arrive."
			p.header["Connection"] = "close"
			return p
		}),
		on(func(*bodyCutError) problem {
			return problem{
				status: http.StatusBadRequest, code: CodeInvalidJSON,
				message: "The body ended before it was complete.",
				header:  map[string]string{"Connection": "close"},
			}
		}),
		on(func(e *protocol.SyntaxError) problem {
			return problem{
				status: http.StatusBadRequest, code: CodeInvalidJSON,
				message: fmt.Sprintf("The body is not strict JSON: %s (at byte %d).", e.Reason, e.Offset),
				details: map[string]any{"offset": e.Offset, "pointer": e.Pointer, "reason": e.Reason},
			}
		}),
		on(func(e *agentskills.ArchiveError) problem {
			return problem{
				status: http.StatusBadRequest, code: CodeInvalidArchive,
				message: "The body is not a tar archive in gzip: " + e.Reason + ".",
			}
		}),
		on(func(e *protocol.IncompatibleError) problem {
			return problem{
				status: http.StatusUnprocessableEntity, code: protocol.CodeVersionIncompatible,
				message: fmt.Sprintf("The document is written in protocol %s; this registry reads %s.", e.DescriptorVersion, e.SupportedRange),
				details: map[string]any{"descriptor_version": e.DescriptorVersion, "consumer_supported_range": e.SupportedRange},
			}
		}),
		on(func(e *protocol.ValidationError) problem {
			message := "The document breaks 1 rule: see details."
			if n := len(e.Violations); n != 1 {
				message = "The document breaks " + strconv.Itoa(n) + " rules: see details."
			}
			return problem{
				status: http.StatusUnprocessableEntity, code: protocol.CodeValidation, message: message,
				details: map[string]any{"violations": e.Violations},
			}
		}),
		on(func(e *breakingError) problem {
			return problem{
				status: http.StatusUnprocessableEntity, code: CodeBreakingChange,
				message: "This version breaks those who call the skill by " + e.older + ": see details. Publish it under the next MAJOR version, or with ?allow_breaking=true.",
				details: map[string]any{"version": e.older, "violations": e.changes},
			}
		}),
		on(func(e *ardRequestError) problem {
			return problem{
				status: http.StatusBadRequest, code: CodeInvalidQuery,
				message: "The request is not one of the Agentic Resource Discovery that this registry answers: see details.",
				details: map[string]any{"violations": e.violations},
			}
		}),
		on(func(e *store.VersionExistsError) problem {
			message := "Version %s of %s is published with other content, and a version never changes: publish this under a new version."
			if e.Deleted {
				message = "Version %s of %s was published and deleted, and a version is never used again: publish this under a new version."
			}
			return problem{
				status: http.StatusConflict, code: CodeVersionExists,
				message: fmt.Sprintf(message, e.Version, e.SkillID),
				details: map[string]any{"id": e.SkillID, "version": e.Version},
			}
		}),
		on(func(e *store.FilesExistError) problem {
			return problem{
				status: http.StatusConflict, code: CodeFilesExist,
				message: fmt.Sprintf("Version %s of %s has other files, and the files of a version never change: publish these with a new version.", e.Version, e.SkillID),
				details: map[string]any{"id": e.SkillID, "version": e.Version},
			}
		}),
		on(func(*drainingError) problem {
			p := retryLater(http.StatusServiceUnavailable, time.Second)
			p.code, p.message = protocol.CodeEndpointUnreachable, "This process of the registry is about to stop."
			return p
		}),
		on(func(*notReadyError) problem {
			p := retryLater(http.StatusServiceUnavailable, time.Second)
			p.code, p.message = protocol.CodeEndpointUnreachable, "The registry is not ready: its store can't be reached, or its catalog is not loaded yet."
			return p
		}),
		on(func(*store.UnavailableError) problem {
			p := retryLater(http.StatusServiceUnavailable, time.Second)
			p.code, p.message = protocol.CodeEndpointUnreachable, "The registry's store can't be reached, or can't write, at this moment."
			return p
		}),
		// The client went away, or the server is stopping.
		onIs(context.Canceled, givenUp()),
		onIs(context.DeadlineExceeded, givenUp()),
	}
}

func skillNotFound() problem {
	return problem{
		status: http.StatusNotFound, code: protocol.CodeSkillNotFound,
		message: "There is no such skill or version, or none that you may see.",
	}
}

func givenUp() problem {
	p := retryLater(http.StatusServiceUnavailable, time.Second)
	p.code, p.message = protocol.CodeEndpointUnreachable, "The request was given up before it was answered."
	return p
}

// retryLater is an answer to a request that is worth another try after a time.
func retryLater(status int, wait time.Duration) problem {
	wait = max(wait, time.Millisecond)
	seconds := (wait + time.Second - 1) / time.Second
	return problem{
		status: status,
		retry:  &protocol.Retry{SuggestedDelayMS: int64((wait + time.Millisecond - 1) / time.Millisecond), MaxAttempts: 3},
		header: map[string]string{"Retry-After": strconv.FormatInt(int64(seconds), 10)},
	}
}
