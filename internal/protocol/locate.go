package protocol

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// Locate returns for each of some JSON Pointers how many bytes of a JSON text come before the
// value that it leads to; for one that leads to nothing, before the innermost value on its
// way. A text that is no JSON is read as far as it is one, and of members with one name the
// last counts. It goes over the text once, however many pointers there are.
func Locate(data []byte, pointers []string) []int64 {
	root := &located{}
	for _, pointer := range pointers {
		at := root
		for token := range jsontext.Pointer(pointer).Tokens() {
			at = at.child(token)
		}
	}
	l := locator{data: data, dec: jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))}
	_ = l.value(root) // what was found up to the fault counts
	offsets := make([]int64, len(pointers))
	for i, pointer := range pointers {
		at := root
		offsets[i] = at.offset
		for token := range jsontext.Pointer(pointer).Tokens() {
			if at = at.inside[token]; !at.found {
				break
			}
			offsets[i] = at.offset
		}
	}
	return offsets
}

// located is a place that is looked for, and those inside of it.
type located struct {
	offset int64
	found  bool
	inside map[string]*located
}

func (l *located) child(name string) *located {
	if l.inside == nil {
		l.inside = make(map[string]*located)
	}
	child, ok := l.inside[name]
	if !ok {
		child = &located{}
		l.inside[name] = child
	}
	return child
}

type locator struct {
	data []byte
	dec  *jsontext.Decoder
}

// value reads the next value, which is the one that is looked for; nil is one that nobody
// looks for.
func (l locator) value(at *located) error {
	if at == nil {
		return l.dec.SkipValue()
	}
	kind := l.dec.PeekKind()
	at.found, at.offset = true, l.next()
	if at.inside == nil || kind != jsontext.KindBeginObject && kind != jsontext.KindBeginArray {
		return l.dec.SkipValue()
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		name := strconv.Itoa(i)
		switch l.dec.PeekKind() {
		case jsontext.KindEndObject, jsontext.KindEndArray:
			_, err := l.dec.ReadToken()
			return err
		case jsontext.KindString:
			if kind == jsontext.KindBeginObject {
				token, err := l.dec.ReadToken()
				if err != nil {
					return err
				}
				name = token.String()
			}
		}
		if err := l.value(at.inside[name]); err != nil {
			return err
		}
	}
}

// next returns where the next token begins: what is before it is space and what separates.
func (l locator) next() int64 {
	rest := l.data[l.dec.InputOffset():]
	return int64(len(l.data) - len(bytes.TrimLeft(rest, " \t\r\n,:")))
}
