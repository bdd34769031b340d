package protocol

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// readStrict reads one JSON value that makes up the whole of data: UTF-8, no duplicate
// names, nothing after it, within the limits. Objects come back as map[string]any,
// arrays as []any and numbers as json.Number with their digits. The error is a
// *SyntaxError, or a *ValidationError with one violation where there are too many values.
func readStrict(data []byte, limits Limits) (any, error) {
	most := limits.maxValues()
	r := reader{
		dec:        jsontext.NewDecoder(bytes.NewBuffer(data)),
		maxDepth:   limits.maxDepth(),
		mostValues: most,
		values:     most,
		objects:    most / 10,
	}
	value, err := r.next()
	if tooMany, ok := errors.AsType[*ValidationError](err); ok {
		// What is no JSON is told so first, however much of it there is.
		if err := r.rest(); err != nil {
			return nil, syntaxError(data, err)
		}
		return nil, tooMany
	}
	if err == nil {
		err = r.end()
	}
	if err != nil {
		return nil, syntaxError(data, err)
	}
	return value, nil
}

type reader struct {
	dec        *jsontext.Decoder
	maxDepth   int
	mostValues int
	values     int // how many more there may be
	objects    int // how many more there may be
}

// next reads the next value.
func (r *reader) next() (any, error) {
	token, err := r.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	return r.value(token)
}

// value reads the value that begins with a token.
func (r *reader) value(token jsontext.Token) (any, error) {
	if err := r.check(token); err != nil {
		return nil, err
	}
	if err := r.count(token.Kind()); err != nil {
		return nil, err
	}
	switch token.Kind() {
	case jsontext.KindNull:
		return nil, nil
	case jsontext.KindTrue, jsontext.KindFalse:
		return token.Bool(), nil
	case jsontext.KindString:
		return token.String(), nil
	case jsontext.KindNumber:
		return stdjson.Number(token.String()), nil
	case jsontext.KindBeginObject:
		return r.object()
	default:
		return r.array()
	}
}

// rest reads what is left of a value that was begun, and keeps nothing of it.
func (r *reader) rest() error {
	for r.dec.StackDepth() > 0 {
		token, err := r.dec.ReadToken()
		if err == nil {
			err = r.check(token)
		}
		if err != nil {
			return err
		}
	}
	return r.end()
}

func (r *reader) object() (any, error) {
	object := make(map[string]any)
	for {
		token, err := r.dec.ReadToken()
		if err != nil || token.Kind() == jsontext.KindEndObject {
			return object, err
		}
		name := token.String()
		if object[name], err = r.next(); err != nil {
			return nil, err
		}
	}
}

func (r *reader) array() (any, error) {
	array := []any{}
	for {
		token, err := r.dec.ReadToken()
		if err != nil || token.Kind() == jsontext.KindEndArray {
			return array, err
		}
		item, err := r.value(token)
		if err != nil {
			return nil, err
		}
		array = append(array, item)
	}
}

// check holds the token that was just read to the limits of depth and of numbers.
func (r *reader) check(token jsontext.Token) error {
	switch token.Kind() {
	case jsontext.KindNumber:
		number := token.String()
		if reason := checkNumber(number); reason != "" {
			return r.fault(len(number), reason)
		}
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		if r.dec.StackDepth() > r.maxDepth {
			return r.fault(1, fmt.Sprintf("objects and arrays nest deeper than %d", r.maxDepth))
		}
	}
	return nil
}

// count counts a value that was just begun, and reports one too many.
func (r *reader) count(kind jsontext.Kind) error {
	r.values--
	if kind == jsontext.KindBeginObject {
		r.objects--
	}
	if r.values >= 0 && r.objects >= 0 {
		return nil
	}
	most, what := r.mostValues, "values"
	if r.objects < 0 {
		most, what = r.mostValues/10, "objects"
	}
	return &ValidationError{Violations: []Violation{{
		Field:    string(r.dec.StackPointer().Parent()),
		Expected: fmt.Sprintf("at most %d %s in the whole document", most, what),
		Actual:   "more " + what,
	}}}
}

// end reports an error unless nothing but space is left.
func (r *reader) end() error {
	switch _, err := r.dec.ReadToken(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return r.fault(1, "there is more after the end of the JSON value")
}

// fault is an error at the token of the given length that was just read.
func (r *reader) fault(length int, reason string) error {
	return &SyntaxError{
		Offset:  r.dec.InputOffset() - int64(length),
		Pointer: string(r.dec.StackPointer()),
		Reason:  reason,
	}
}

// checkNumber returns what is wrong with the size of a JSON number, or "".
func checkNumber(number string) string {
	if len(number) > maxNumberLength {
		return fmt.Sprintf("a number is longer than %d characters", maxNumberLength)
	}
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return ""
	}
	if exponent, err := strconv.Atoi(number[i+1:]); err != nil || exponent > maxExponent || exponent < -maxExponent {
		return fmt.Sprintf("the exponent of a number is not within -%d and %d", maxExponent, maxExponent)
	}
	return ""
}
