package page_test

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/page"
)

// input returns a view whose one input has a schema.
func input(t *testing.T, schema map[string]any) catalog.View {
	t.Helper()
	return view(t, map[string]any{"inputs": []any{map[string]any{"name": "in", "type": "object", "required": true, "schema": schema}}})
}

// many returns a schema with so many members, all of which are required.
func many(n int, member any) map[string]any {
	properties, required := make(map[string]any, n), make([]string, n)
	for i := range n {
		required[i] = fmt.Sprintf("m%04d", i)
		properties[required[i]] = member
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// deep returns a schema with members in each other.
func deep(levels int) map[string]any {
	schema := map[string]any{"type": "string"}
	for i := range levels {
		schema = map[string]any{"type": "object", "properties": map[string]any{fmt.Sprintf("level%d", levels-i): schema}}
	}
	return schema
}

// circle returns a schema that demands so many members, and is a part of itself.
func circle(n int) map[string]any {
	schema := many(n, true)
	delete(schema, "properties")
	return map[string]any{"allOf": []any{schema, map[string]any{"$ref": "#"}}}
}

// strangers returns a schema with so many members that requires as many others.
func strangers(n int) map[string]any {
	schema, other := many(n, true), make([]string, n)
	for i := range n {
		other[i] = fmt.Sprintf("o%04d", i)
	}
	schema["required"] = other
	return schema
}

func rows(text string) int {
	return len(regexp.MustCompile(`<th scope="row" class="depth-`).FindAllString(text, -1))
}

func TestTablesEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 40_000)
	repeated := many(150, map[string]any{"$ref": "#/$defs/x"})
	repeated["$defs"] = map[string]any{"x": map[string]any{
		"type": "string", "description": long, "pattern": long, "properties": map[string]any{long: true},
	}}
	tests := map[string]struct {
		schema      map[string]any
		most, least int // rows
	}{
		"few members":                            {many(20, true), 21, 21},
		"many members":                           {many(900, true), 200, 200},
		"members in members":                     {deep(5), 6, 6},
		"members ever deeper":                    {deep(20), 7, 7},
		"a schema that refers to itself":         {many(3, map[string]any{"$ref": "#"}), 200, 200},
		"much that refers to much":               {many(1500, map[string]any{"$ref": "#"}), 200, 200},
		"an array of itself":                     {map[string]any{"type": "array", "items": map[string]any{"$ref": "#"}}, 7, 7},
		"a circle with more to demand each time": {circle(2000), 1, 1},
		"many members, and others required":      {strangers(9000), 200, 200},
		"long texts that are referred to often":  {repeated, 200, 200},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := skillPage(t, input(t, test.schema))
			if got := rows(text); got < test.least || got > test.most {
				t.Errorf("the table has %d rows, want %d to %d", got, test.least, test.most)
			}
			if len(text) > 2<<20 {
				t.Errorf("the page has %d bytes, want fewer than 2 MiB", len(text))
			}
			if strings.Contains(text, "array of array of array") {
				t.Error("the type of an array of itself does not end")
			}
		})
	}
}

// What a table costs follows from what it shows. It is told by the memory that is taken,
// whatever the pace of the machine; so nothing else runs meanwhile.
func TestTablesCostLittle(t *testing.T) {
	for name, schema := range map[string]map[string]any{
		"a circle with more to demand each time": circle(2000),
		"many members, and others required":      strangers(9000),
		"much that refers to much":               many(1500, map[string]any{"$ref": "#"}),
	} {
		v := input(t, schema)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		skillPage(t, v)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<20 {
			t.Errorf("%s: the page takes %d MiB, want 64 at most", name, got>>20)
		} else {
			t.Logf("%s: %d MiB", name, got>>20)
		}
	}
}

func TestValuesOfATableEnd(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 40 {
		values = append(values, fmt.Sprintf("value%d", i))
	}
	text := skillPage(t, input(t, map[string]any{"enum": values, "default": strings.Repeat("x", 5000)}))
	for _, want := range []string{"value23&#34;", "<code>and 16 more</code>", strings.Repeat("x", 300)} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s:\n%s", want, text)
		}
	}
	table := text[strings.Index(text, `<table class="values">`):strings.Index(text, `id="output"`)]
	for _, not := range []string{"value24", strings.Repeat("x", 400)} {
		if strings.Contains(table, not) {
			t.Errorf("the table has %s:\n%s", not, table)
		}
	}
}

func compared(t *testing.T, older, newer map[string]any) string {
	t.Helper()
	newer["version"] = "1.1.0"
	one, two := view(t, older), view(t, newer)
	text, err := newSite(t).Compare(one, two, []catalog.Life{two.Life, one.Life})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestComparisonsShowEachDifferenceOnce(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 2000)
	text := compared(t, map[string]any{
		"description": long + "a", "tags": []string{"one", "two"}, "x-same": map[string]any{"a": 1}, "x-gone": "G", "x-form": map[string]any{"deep": "D"},
		"x-twins": []any{map[string]any{"name": "n", "v": 1}, map[string]any{"name": "n", "v": 2}},
	}, map[string]any{
		"description": long + "b", "tags": []string{"one", "three"}, "x-same": map[string]any{"a": 1}, "x-new": "N", "x-form": "F",
		"x-twins": []any{map[string]any{"name": "n", "v": 1}, map[string]any{"name": "n", "v": 3}},
	})
	var got []string
	for _, m := range regexp.MustCompile(`<th scope="row"><code>([^<]*)</code></th><td><span class="badge [a-z]+">([a-z]+)<`).FindAllStringSubmatch(text, -1) {
		got = append(got, m[1]+" "+m[2])
	}
	want := "[/description changed /tags/1 changed /x-form added /x-form/deep removed /x-gone removed /x-new added /x-twins/1/v changed]"
	if fmt.Sprint(got) != want {
		t.Errorf("the comparison shows\n%v, want\n%s", got, want)
	}
	if strings.Contains(text, strings.Repeat("x", 500)) || !strings.Contains(text, strings.Repeat("x", 300)) {
		t.Error("a long value is not shown by what it begins with")
	}
}

// A place that is long and leads to much is never written out for all of that.
func TestComparisonsEnd(t *testing.T) {
	t.Parallel()
	leaves := make(map[string]any)
	for i := range 2000 {
		leaves[fmt.Sprintf("m%04d", i)] = i
	}
	text := compared(t, map[string]any{}, map[string]any{"x-" + strings.Repeat("long", 50_000): leaves})
	if want := "And 1700 more."; !strings.Contains(text, want) {
		t.Errorf("the page of %d bytes has no %q", len(text), want)
	}
	if len(text) > 1<<20 {
		t.Errorf("the page has %d bytes, want fewer than 1 MiB", len(text))
	}
}

func TestOnlyWebAddressesOfTheProviderAreLinks(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{"https://example.org": true, "HTTP://example.org": true, "javascript:alert(1)": false, "data:text/html,x": false, "https:": false, "//example.org": false} {
		site := newSite(t)
		site.Provider.URL = address
		text, err := site.Error(page.Failure{Status: 404})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(text), `rel="nofollow noreferrer noopener"`); got != want {
			t.Errorf("%s is a link: %t, want %t", address, got, want)
		}
	}
}

func TestErrorsHaveAHeadingThatSaysWhatToExpect(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		400: "That could not be read", 401: "That key does not work", 404: "Nothing to see here",
		429: "Too many requests", 500: "Something went wrong", 503: "Not available just now",
	} {
		if got := (page.Failure{Status: status}).Heading(); got != want {
			t.Errorf("%d has the heading %q, want %q", status, got, want)
		}
	}
}
