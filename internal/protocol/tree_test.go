package protocol_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestTreeKeepsTheDigitsOfNumbers(t *testing.T) {
	t.Parallel()
	const text = `{"a":[1.10,12345678901234567890,null,true,"x"],"b":{}}`
	want := map[string]any{
		"a": []any{json.Number("1.10"), json.Number("12345678901234567890"), nil, true, "x"}, "b": map[string]any{},
	}
	if got := protocol.Tree([]byte(text)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %#v, want %#v", got, want)
	}
	if got := protocol.Tree(nil); got != nil {
		t.Errorf("no text: got %#v, want nil", got)
	}
}
