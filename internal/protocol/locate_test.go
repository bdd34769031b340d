package protocol_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// placesIn lists every place in a value with what is there.
func placesIn(pointer string, value any, found map[string]any) {
	found[pointer] = value
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			placesIn(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), member, found)
		}
	case []any:
		for i, item := range v {
			placesIn(pointer+"/"+strconv.Itoa(i), item, found)
		}
	}
}

// Wherever a pointer leads in a document, what begins at the place that is found is what is
// there; one that leads to nothing is found at what is around it.
func TestWhatAPointerLeadsToIsFoundInTheText(t *testing.T) {
	t.Parallel()
	protocoltest.Check(t, func(t *rapid.T) {
		doc := protocoltest.Descriptor().Draw(t, "document")
		places := map[string]any{}
		placesIn("", doc.Tree, places)
		var pointers []string
		for pointer := range places {
			pointers = append(pointers, pointer)
		}
		slices.Sort(pointers)
		known := len(pointers)
		for _, pointer := range pointers[:known] {
			pointers = append(pointers, pointer+"/no such member/0")
		}
		offsets := protocol.Locate(doc.JSON, pointers)
		for i, pointer := range pointers[:known] {
			d := json.NewDecoder(bytes.NewReader(doc.JSON[offsets[i]:]))
			d.UseNumber()
			var got any
			if err := d.Decode(&got); err != nil || encoded(t, got) != encoded(t, places[pointer]) {
				t.Fatalf("%q is found at byte %d of %s: got %v, error %v, want %v", pointer, offsets[i], doc.JSON, got, err, places[pointer])
			}
			if offsets[known+i] != offsets[i] {
				t.Fatalf("%q is found at byte %d, want %d, where %q is, of %s", pointers[known+i], offsets[known+i], offsets[i], pointer, doc.JSON)
			}
		}
	})
}

func encoded(t *rapid.T, value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestTextThatIsNoJSONIsSearchedAsFarAsItGoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, pointer string
		want          int64
	}{
		{` {"a": 1, "b": }`, "/a", 7},
		{` {"a": 1, "b": }`, "/b", 15},
		{` {"a": [1, tru`, "/a/1", 11},
		{` {"a": 1, "a": {"b":2}}`, "/a/b", 20},
		{` {"a": 1}`, "/b", 1},
		{"{\"x\":\"\xff\",\"a\":1}", "/a", 13},
		{``, "/a", 0},
		{`[1,2]`, "/01", 0},
		{`[1,2]`, "/-", 0},
		{`{"":{"a~/":[null]}}`, "//a~0~1/0", 12},
		{`{"a":{}}`, "no pointer", 0},
	} {
		if got := protocol.Locate([]byte(c.text), []string{c.pointer})[0]; got != c.want {
			t.Errorf("%q in %q: got %d, want %d", c.pointer, c.text, got, c.want)
		}
	}
}
