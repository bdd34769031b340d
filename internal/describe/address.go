package describe

import (
	"net/url"
	"strings"
)

// webURL reports whether an address is likely to be one that a descriptor can have.
func webURL(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || len(address) > 2000 {
		return false
	}
	return !strings.ContainsFunc(address, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune("\"<>\\^`|", r)
	})
}

// resolved returns an address against a base; absolute ones stay as they are.
func resolved(base, address string) string {
	b, err := url.Parse(base)
	if err != nil {
		return address
	}
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	// Not through URL.String, which would escape the braces of a template.
	if u.IsAbs() || u.Host != "" {
		return b.ResolveReference(u).String()
	}
	return strings.NewReplacer("%7B", "{", "%7D", "}").Replace(b.ResolveReference(u).String())
}

// variables are the names in braces in an address, in their order.
func variables(address string) []string {
	var names []string
	for {
		_, rest, ok := strings.Cut(address, "{")
		if !ok {
			return names
		}
		name, rest, ok := strings.Cut(rest, "}")
		if !ok {
			return names
		}
		names = append(names, name)
		address = rest
	}
}

// reversed turns a host around: agents.example.com is com.example.agents. It is empty for a
// host that is no domain name, such as localhost or a number.
func reversed(host string) string {
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	if len(labels) < 2 || !strings.ContainsFunc(labels[len(labels)-1], func(r rune) bool { return 'a' <= r && r <= 'z' }) {
		return ""
	}
	var b strings.Builder
	for i := len(labels) - 1; i >= 0; i-- {
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(slug(labels[i]))
	}
	return b.String()
}
