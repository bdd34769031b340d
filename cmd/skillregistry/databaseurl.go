package main

import (
	"net/url"
	"strings"
)

// databaseURLValue takes the form of a store's address; whether there is a store is
// seen when it is opened.
func databaseURLValue(to *string) value[string] {
	return value[string]{to: to, kind: "url", show: withoutPassword, parse: func(s string) (string, error) {
		if path, ok := strings.CutPrefix(s, "sqlite:"); ok {
			if path == "" || path == ":memory:" || strings.HasPrefix(path, "//") || strings.Contains(path, "?") {
				return "", expected("a file after sqlite:, without // before it and options behind it, such as sqlite:skillregistry.db")
			}
			return s, nil
		}
		// The parser's own error would repeat the URL, and with it the password.
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "postgres" && u.Scheme != "postgresql" || !plain(u) {
			return "", expected("sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE (with special characters escaped)")
		}
		return s, nil
	}}
}

// plain reports whether a URL's user and password are where they belong. In one whose
// password has a '/', '?' or '#' in it, all behind that is taken for something else.
func plain(u *url.URL) bool {
	return u.Opaque == "" && u.Fragment == "" && !strings.ContainsRune(u.Host+u.Path+u.RawQuery, '@')
}

// withoutPassword returns a store's address as it may be shown.
func withoutPassword(databaseURL string) string {
	if strings.HasPrefix(databaseURL, "sqlite:") {
		return databaseURL
	}
	u, err := url.Parse(databaseURL)
	if err != nil || !plain(u) {
		return "postgres://…"
	}
	if _, has := u.User.Password(); has {
		u.User = url.User(u.User.Username())
	}
	query := u.Query()
	for name := range query {
		if strings.Contains(strings.ToLower(name), "password") {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String()
}
