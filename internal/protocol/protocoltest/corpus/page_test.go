package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// TestExamplesOfTheReference runs every example of docs/descriptor.md: what it shows as
// accepted and as refused is.
func TestExamplesOfTheReference(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "descriptor.md"))
	if err != nil {
		t.Fatal(err)
	}
	validator, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	whole := regexp.MustCompile("(?s)```json\n(.*?)```").FindSubmatch(page)
	if whole == nil {
		t.Fatal("the page shows no whole descriptor")
	}
	rows := regexp.MustCompile("(?m)^\\| `(/[^`]*)` \\| (.*) \\| (`.*`(?: × \\d+)?) \\| (`.*`(?: × \\d+)?|left out) \\|$").FindAllStringSubmatch(string(page), -1)
	if len(rows) < 150 {
		t.Fatalf("the page shows %d examples", len(rows))
	}
	for _, row := range rows {
		at, rule, accepted, refused := row[1], row[2], row[3], row[4]
		if got := violations(t, validator, put(t, whole[1], at, accepted)); len(got) > 0 {
			t.Errorf("%s: %s: %s is refused: %v", at, rule, accepted, got)
		}
		got := violations(t, validator, put(t, whole[1], at, refused))
		if len(got) == 0 {
			t.Errorf("%s: %s: %s is accepted", at, rule, refused)
		}
		for _, v := range got {
			if v.Field != at && !strings.HasPrefix(v.Field, at+"/") {
				t.Errorf("%s: %s: %s is refused at %s: want at or below the place of the example", at, rule, refused, v.Field)
			}
		}
	}
}

func violations(t *testing.T, validator *protocol.Validator, document []byte) []protocol.Violation {
	t.Helper()
	_, err := validator.Parse(document)
	if invalid, ok := errors.AsType[*protocol.ValidationError](err); ok {
		return invalid.Violations
	}
	if err != nil {
		t.Fatalf("%.500s: %v", document, err)
	}
	return nil
}

// put returns a document with an example, as the page shows it, at a place.
func put(t *testing.T, document []byte, at, shown string) []byte {
	t.Helper()
	var tree any
	if err := json.Unmarshal(document, &tree); err != nil {
		t.Fatal(err)
	}
	tree = with(tree, strings.Split(at, "/")[1:], example(t, shown))
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// leftOut stands for nothing in the place of an example.
type leftOut struct{}

// with returns a tree with a value where the steps lead. Objects and arrays on the way
// there are made where they are missing.
func with(tree any, steps []string, value any) any {
	if len(steps) == 0 {
		return value
	}
	if items, ok := tree.([]any); ok || tree == nil && steps[0] == "0" {
		if len(items) == 0 {
			items = []any{nil}
		}
		items[0] = with(items[0], steps[1:], value) // the page has no other item
		return items
	}
	object, ok := tree.(map[string]any)
	if !ok {
		object = make(map[string]any)
	}
	if inner := with(object[steps[0]], steps[1:], value); inner == (leftOut{}) {
		delete(object, steps[0])
	} else {
		object[steps[0]] = inner
	}
	return object
}

// example reads an example as the page shows it: `JSON`, or `JSON` × COUNT for a longer
// text, more items or more members.
func example(t *testing.T, shown string) any {
	t.Helper()
	if shown == "left out" {
		return leftOut{}
	}
	text, times, repeated := strings.Cut(shown, " × ")
	var value any
	if err := json.Unmarshal([]byte(strings.Trim(text, "`")), &value); err != nil {
		t.Fatalf("%s: %v", shown, err)
	}
	if !repeated {
		return value
	}
	count, err := strconv.Atoi(times)
	if err != nil {
		t.Fatal(err)
	}
	switch v := value.(type) {
	case string:
		return strings.Repeat(v, count)
	case []any:
		items := make([]any, count)
		for i := range items {
			items[i] = v[0]
		}
		return items
	case map[string]any:
		members := make(map[string]any, count)
		for name, member := range v {
			for i := range count {
				members[name+strconv.Itoa(i)] = member
			}
		}
		return members
	}
	t.Fatalf("%s: there is no many of it", shown)
	return nil
}
