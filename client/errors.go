package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error is an answer with which the registry refuses a request.
type Error struct {
	StatusCode int
	// Code is the machine-readable code, such as "VALIDATION_ERROR"; empty when the
	// answer did not have the form of a registry's.
	Code    string
	Message string
	// Violations are the rules that the document breaks, if that is the reason.
	Violations []Violation
	// Details is the JSON object that the answer explains itself with, nil without one.
	Details json.RawMessage
	// RetryAfter is how long to wait before another try; 0 when the registry did not say.
	RetryAfter time.Duration
	// RequestID is what to quote to the registry's operator.
	RequestID string
}

// Error says what was refused, with the first three violations.
func (e *Error) Error() string {
	if e.Code == "" {
		return fmt.Sprintf("%s (status %d)", e.Message, e.StatusCode)
	}
	return fmt.Sprintf("%s (%s, status %d)", e.Text(3), e.Code, e.StatusCode)
}

// Text is the message, followed by as many of the violations as are wanted, and an
// ellipsis if there are more.
func (e *Error) Text(violations int) string {
	text := e.Message
	for i, v := range e.Violations {
		separator := "; "
		if i == 0 {
			separator = " "
		}
		if i == violations {
			return text + separator + "…"
		}
		text += fmt.Sprintf("%s%s: expected %s, got %s", separator, cmp.Or(v.Field, "the document"), v.Expected, v.Actual)
	}
	return text
}

// Violation is one rule that a document breaks. Field is a JSON Pointer to the member
// that is wrong, or to where a missing one belongs; empty is the whole document.
type Violation struct {
	Field    string `json:"field"`
	Expected string `json:"expected"`
	Actual   string `json:"actual"`
}

// Warning is an oddity that breaks no rule. Field is as in Violation.
type Warning struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// UnreachableError says that no answer of a registry came back.
type UnreachableError struct {
	// URL is the registry's address.
	URL string
	// Attempts is how often it was tried.
	Attempts int
	Err      error
}

func (e *UnreachableError) Error() string {
	if e.Attempts > 1 {
		return fmt.Sprintf("the registry at %s can't be reached (%d attempts): %v", e.URL, e.Attempts, e.Err)
	}
	return fmt.Sprintf("the registry at %s can't be reached: %v", e.URL, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// answerError makes the error of an answer that is not a success.
func answerError(r *http.Response, body []byte, now time.Time) *Error {
	var answer struct {
		Error struct {
			Code    string          `json:"code"`
			Message string          `json:"message"`
			Details json.RawMessage `json:"details"`
			Retry   *struct {
				SuggestedDelayMS int64 `json:"suggested_delay_ms"`
			} `json:"retry"`
		} `json:"error"`
	}
	e := &Error{StatusCode: r.StatusCode, RequestID: r.Header.Get("X-Request-Id")}
	e.RetryAfter = retryAfter(r.Header.Get("Retry-After"), now)
	if err := json.Unmarshal(body, &answer); err != nil || answer.Error.Code == "" {
		e.Message = fmt.Sprintf("not the answer of a skill registry: %s", cmp.Or(http.StatusText(r.StatusCode), "unknown status"))
		if to := r.Header.Get("Location"); to != "" && r.StatusCode >= 300 && r.StatusCode < 400 {
			e.Message = fmt.Sprintf("the address leads on to %.200s: use that one", to)
		}
		return e
	}
	e.Code, e.Message, e.Details = answer.Error.Code, answer.Error.Message, answer.Error.Details
	if retry := answer.Error.Retry; retry != nil && retry.SuggestedDelayMS > 0 {
		e.RetryAfter = time.Duration(min(retry.SuggestedDelayMS, 24*60*60*1000)) * time.Millisecond
	}
	var details struct {
		Violations []Violation `json:"violations"`
	}
	// Details of another form are no reason to lose the error itself.
	if err := json.Unmarshal(e.Details, &details); err == nil {
		e.Violations = details.Violations
	}
	return e
}

// retryAfter reads a Retry-After header: seconds or a date. It is 0 for none.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil {
		return time.Duration(min(max(seconds, 0), 24*60*60)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
