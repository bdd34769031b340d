package httpapi

import (
	"strings"
	"testing"
)

func TestAcceptsGzip(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		headers []string
		want    bool
	}{
		"no header":                              {nil, false},
		"an empty header":                        {[]string{""}, false},
		"gzip":                                   {[]string{"gzip"}, true},
		"gzip in capitals":                       {[]string{"GZIP"}, true},
		"its old name":                           {[]string{"x-gzip"}, true},
		"gzip among others":                      {[]string{"deflate, gzip, br"}, true},
		"gzip in a second header":                {[]string{"br", "gzip"}, true},
		"only another coding":                    {[]string{"br"}, false},
		"gzip refused":                           {[]string{"gzip;q=0"}, false},
		"gzip refused with decimals":             {[]string{"gzip;q=0.000"}, false},
		"gzip with the smallest weight":          {[]string{"gzip;q=0.001"}, true},
		"spaces around everything":               {[]string{" gzip ; q = 0.5 "}, true},
		"a capital Q":                            {[]string{"gzip;Q=1.0"}, true},
		"a wildcard":                             {[]string{"*"}, true},
		"a wildcard that refuses":                {[]string{"*;q=0"}, false},
		"gzip refused beside a wildcard":         {[]string{"*, gzip;q=0"}, false},
		"gzip beside a wildcard that refuses":    {[]string{"gzip, *;q=0"}, true},
		"plain bytes liked better":               {[]string{"gzip;q=0.5, identity"}, false},
		"plain bytes liked as well":              {[]string{"identity, gzip"}, true},
		"plain bytes refused":                    {[]string{"identity;q=0, gzip;q=0.1"}, true},
		"plain bytes liked better than the rest": {[]string{"identity;q=1, *;q=0.5"}, false},
		"a weight above one":                     {[]string{"gzip;q=1.001"}, false},
		"a weight of four decimals":              {[]string{"gzip;q=0.5000"}, false},
		"a negative weight":                      {[]string{"gzip;q=-1"}, false},
		"a weight with an exponent":              {[]string{"gzip;q=1e0"}, false},
		"a weight without digits":                {[]string{"gzip;q="}, false},
		"a parameter that is no weight":          {[]string{"gzip;level=9"}, false},
		"a longer name":                          {[]string{"gzipped"}, false},
		"nothing but commas":                     {[]string{",,,"}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := acceptsGzip(test.headers); got != test.want {
				t.Errorf("acceptsGzip(%q) = %v, want %v", test.headers, got, test.want)
			}
		})
	}
}

func FuzzAcceptsGzip(f *testing.F) {
	for _, header := range []string{"", "gzip", "gzip;q=0", "*;q=0.5, identity;q=0", "br, x-gzip ; q=1.000", "gzip;q=0.5;q=1", ";,;q=\x00"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, header string) {
		got := acceptsGzip([]string{header})
		if got && !strings.Contains(strings.ToLower(header), "gzip") && !strings.Contains(header, "*") {
			t.Errorf("acceptsGzip(%q) = true for a header that does not name it", header)
		}
		if acceptsGzip([]string{header, "gzip;q=1"}) == false && !strings.Contains(strings.ToLower(header), "identity") {
			// The highest weight that gzip has counts, and nothing outweighs 1.
			t.Errorf("acceptsGzip(%q and gzip) = false", header)
		}
		if split := strings.Split(header, ","); acceptsGzip(split) != got {
			t.Errorf("acceptsGzip(%q) = %v, and otherwise for the same list in several headers", header, got)
		}
	})
}
