package httpapi

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

func TestValidRequestID(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		id   string
		want bool
	}{
		"one character":       {"a", true},
		"all that it may be":  {"aZ09-_.", true},
		"64 characters":       {strings.Repeat("x", 64), true},
		"65 characters":       {strings.Repeat("x", 65), false},
		"nothing":             {"", false},
		"a space":             {"a b", false},
		"a line break":        {"a\nb", false},
		"a letter with marks": {"é", false},
		"a quote":             {`a"b`, false},
		"a slash":             {"a/b", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := validRequestID(test.id); got != test.want {
				t.Errorf("validRequestID(%q) = %v, want %v", test.id, got, test.want)
			}
		})
	}
}

func TestRequestIDsAreTheCallersOrNew(t *testing.T) {
	t.Parallel()
	ids, err := newRequestIDs(bytes.NewReader(make([]byte, 32)))
	if err != nil {
		t.Fatal(err)
	}
	if got := ids.of("mine-1"); got != "mine-1" {
		t.Errorf("the id of a request with a good one is %q, want mine-1", got)
	}
	seen := map[string]bool{}
	for range 10_000 {
		id := ids.of("not good\r\nX: y")
		if !validRequestID(id) || seen[id] {
			t.Fatalf("made the id %q: not valid, or made before", id)
		}
		seen[id] = true
	}
}

func TestRequestIDsNeedRandomness(t *testing.T) {
	t.Parallel()
	broken := errors.New("no randomness")
	if _, err := newRequestIDs(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("newRequestIDs without randomness: error %v, want one that wraps %v", err, broken)
	}
}
