package httpapi

import (
	"strings"
	"testing"
)

func TestMatchesETag(t *testing.T) {
	t.Parallel()
	const tag = `"sha256:abc"`
	tests := map[string]struct {
		headers []string
		want    bool
	}{
		"no header":                       {nil, false},
		"an empty header":                 {[]string{""}, false},
		"the tag":                         {[]string{tag}, true},
		"the tag with space around it":    {[]string{" \t" + tag + " "}, true},
		"the tag, weak":                   {[]string{"W/" + tag}, true},
		"a small w":                       {[]string{"w/" + tag}, false},
		"another tag":                     {[]string{`"x"`}, false},
		"a list that ends with it":        {[]string{`"x", W/"y",` + tag}, true},
		"a list that begins with it":      {[]string{tag + `, "x"`}, true},
		"empty entries":                   {[]string{`, ,` + tag}, true},
		"in a second header":              {[]string{`"x"`, tag}, true},
		"anything":                        {[]string{"*"}, true},
		"anything with space around":      {[]string{" * "}, true},
		"a star among tags is no tag":     {[]string{`"x", *`}, false},
		"a star in quotes":                {[]string{`"*"`}, false},
		"without quotes":                  {[]string{"sha256:abc"}, false},
		"an open quote":                   {[]string{`"sha256:abc`}, false},
		"a comma within a tag":            {[]string{`"a,b", ` + tag}, true},
		"the tag within another":          {[]string{`"x,` + tag}, false},
		"no comma between":                {[]string{`"x" ` + tag}, false},
		"what follows garbage":            {[]string{`garbage, ` + tag}, false},
		"garbage in a header of its own":  {[]string{`garbage`, tag}, true},
		"the tag of the compressed bytes": {[]string{`"sha256:abc-gzip"`}, false},
		"a longer tag":                    {[]string{`"sha256:abcd"`}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := matchesETag(test.headers, tag); got != test.want {
				t.Errorf("matchesETag(%q, %s) = %v, want %v", test.headers, tag, got, test.want)
			}
		})
	}
}

func FuzzMatchesETag(f *testing.F) {
	for _, header := range []string{"", "*", `"a"`, `W/"a", "b"`, `"a" "b"`, `"a,b",,W/"c`, "W/", "W/W/\"a\""} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		const tag = `"5f"`
		got := matchesETag([]string{header}, tag)
		if got && !strings.Contains(header, tag) && strings.Trim(header, " \t") != "*" {
			t.Errorf("matchesETag(%q, %s) = true for a header that does not name it", header, tag)
		}
		if !matchesETag([]string{header, tag}, tag) {
			t.Errorf("matchesETag(%q and %s) = false: one header hides another", header, tag)
		}
		if !matchesETag([]string{tag + "," + header}, tag) {
			t.Errorf("matchesETag(%s,%q) = false: what follows hides a tag", tag, header)
		}
	})
}
