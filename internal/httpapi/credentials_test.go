package httpapi

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestToken(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	tests := map[string]struct {
		authorization, apiKey []string
		want                  string
		refused               bool
	}{
		"no credentials":                  {nil, nil, "", false},
		"a bearer token":                  {[]string{"Bearer abc"}, nil, "abc", false},
		"the scheme in small letters":     {[]string{"bearer abc"}, nil, "abc", false},
		"the scheme in capitals":          {[]string{"BEARER abc"}, nil, "abc", false},
		"several spaces":                  {[]string{"Bearer   abc"}, nil, "abc", false},
		"an API key":                      {nil, []string{"abc"}, "abc", false},
		"both, the same":                  {[]string{"Bearer abc"}, []string{"abc"}, "abc", false},
		"both, different":                 {[]string{"Bearer abc"}, []string{"abd"}, "", true},
		"twice the same":                  {[]string{"Bearer abc", "Bearer abc"}, nil, "abc", false},
		"twice, different":                {[]string{"Bearer abc", "Bearer abd"}, nil, "", true},
		"two API keys":                    {nil, []string{"abc", "abd"}, "", true},
		"an empty header":                 {[]string{""}, nil, "", true},
		"an empty API key":                {nil, []string{""}, "", true},
		"an empty API key beside a token": {[]string{"Bearer abc"}, []string{""}, "", true},
		"nothing behind the scheme":       {[]string{"Bearer"}, nil, "", true},
		"space behind the scheme":         {[]string{"Bearer  "}, nil, "", true},
		"another scheme":                  {[]string{"Basic YTpi"}, nil, "", true},
		"another scheme beside a token":   {[]string{"Bearer abc", "Basic YTpi"}, nil, "", true},
		"a token without a scheme":        {[]string{"skr_abc"}, nil, "", true},
		"a scheme that begins alike":      {[]string{"Bearers abc"}, nil, "", true},
		"two words are one wrong token":   {[]string{"Bearer abc def"}, nil, "abc def", false},
		"a very long token":               {[]string{"Bearer " + long}, nil, long, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			header := http.Header{}
			for _, v := range test.authorization {
				header.Add("Authorization", v)
			}
			for _, v := range test.apiKey {
				header.Add("X-API-Key", v)
			}
			got, err := token(header)
			if refused := errors.As(err, new(*credentialsError)); got != test.want || refused != test.refused {
				t.Errorf("token(%.100q, %.100q) = %.20q, error %v; want %.20q, refused %v", test.authorization, test.apiKey, got, err, test.want, test.refused)
			}
			if given := len(test.authorization)+len(test.apiKey) > 0; hasCredentials(header) != given {
				t.Errorf("hasCredentials = %v, want %v", hasCredentials(header), given)
			}
		})
	}
}

// Credentials are never taken for none: what brings a header gives a key or an error.
func FuzzToken(f *testing.F) {
	for _, header := range []string{"", "Bearer", "Bearer ", "bearer abc", "Basic YTpi", "Bearer\tabc", "Bearer a b", "\x00Bearer x"} {
		f.Add(header)
	}
	f.Fuzz(func(t *testing.T, value string) {
		for _, header := range []http.Header{{"Authorization": {value}}, {"X-Api-Key": {value}}} {
			key, err := token(header)
			if (key == "") == (err == nil) {
				t.Errorf("token(%q) = %q, error %v; want a key or an error", header, key, err)
			}
			if key != strings.Trim(key, " \t") || !strings.Contains(value, key) {
				t.Errorf("token(%q) = %q, which is not what was sent", header, key)
			}
		}
	})
}
