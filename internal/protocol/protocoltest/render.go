package protocoltest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// Render writes a tree as JSON in a style that t draws: the order of members, space, and
// which characters are escaped, all without a change of meaning.
func Render(t *rapid.T, tree any) []byte {
	r := renderer{
		spaced:  rapid.Bool().Draw(t, "spaced"),
		escaped: rapid.IntRange(0, 3).Draw(t, "escaped") == 0,
		order:   rapid.Uint64().Draw(t, "order"),
	}
	r.space()
	r.value(tree)
	r.space()
	return []byte(r.out.String())
}

type renderer struct {
	out     strings.Builder
	spaced  bool
	escaped bool
	order   uint64
}

func (r *renderer) value(v any) {
	switch v := v.(type) {
	case map[string]any:
		r.out.WriteByte('{')
		for i, name := range r.names(v) {
			if i > 0 {
				r.out.WriteByte(',')
			}
			r.space()
			r.text(name)
			r.space()
			r.out.WriteByte(':')
			r.space()
			r.value(v[name])
			r.space()
		}
		r.out.WriteByte('}')
	case []any:
		r.out.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				r.out.WriteByte(',')
			}
			r.space()
			r.value(item)
			r.space()
		}
		r.out.WriteByte(']')
	case string:
		r.text(v)
	case nil:
		r.out.WriteString("null")
	case bool, int, float64, json.Number:
		fmt.Fprint(&r.out, v)
	default:
		panic(fmt.Sprintf("a document holds a %T", v))
	}
}

func (r *renderer) names(o map[string]any) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := len(names) - 1; i > 0; i-- { // a shuffle that follows from the drawn order alone
		j := int(r.random() % uint64(i+1))
		names[i], names[j] = names[j], names[i]
	}
	return names
}

func (r *renderer) random() uint64 {
	r.order = r.order*6364136223846793005 + 1442695040888963407
	return r.order >> 33
}

func (r *renderer) space() {
	if r.spaced {
		r.out.WriteString([]string{"", " ", "\n", "\t ", "\r\n"}[r.random()%5])
	}
}

func (r *renderer) text(s string) {
	r.out.WriteByte('"')
	for _, c := range s {
		switch {
		case r.escaped && c > 0xffff:
			c -= 0x10000
			fmt.Fprintf(&r.out, `\u%04x\u%04X`, 0xd800+(c>>10), 0xdc00+(c&0x3ff))
		case c < 0x20, r.escaped && r.random()%2 == 0:
			fmt.Fprintf(&r.out, `\u%04x`, c)
		case c == '/' && r.escaped:
			r.out.WriteString(`\/`)
		case c == '"' || c == '\\':
			r.out.WriteByte('\\')
			r.out.WriteRune(c)
		default:
			r.out.WriteRune(c)
		}
	}
	r.out.WriteByte('"')
}
