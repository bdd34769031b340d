package protocol

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// syntaxError turns an error of the decoder into a *SyntaxError.
func syntaxError(data []byte, err error) *SyntaxError {
	if own, ok := errors.AsType[*SyntaxError](err); ok {
		return own
	}
	if len(bytes.Trim(data, " \t\r\n")) == 0 {
		return &SyntaxError{Reason: "there is nothing but an empty text"}
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return &SyntaxError{Reason: "it starts with a byte order mark"}
	}
	fault, ok := errors.AsType[*jsontext.SyntacticError](err)
	if !ok { // io.ErrUnexpectedEOF
		return &SyntaxError{Offset: int64(len(data)), Reason: "the text ends too early"}
	}
	reason := "syntax error"
	if fault.Err != nil {
		reason = fault.Err.Error()
	}
	switch {
	case errors.Is(fault.Err, jsontext.ErrDuplicateName):
		reason = "the member name " + showString(fault.JSONPointer.LastToken()) + " stands twice in one object"
	case errors.Is(fault.Err, io.ErrUnexpectedEOF):
		reason = "the text ends too early"
	}
	return &SyntaxError{Offset: fault.ByteOffset, Pointer: string(fault.JSONPointer), Reason: reason}
}
