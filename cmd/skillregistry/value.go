package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// value is a setting of type T: how it is read, and how it is shown.
type value[T any] struct {
	to    *T
	parse func(string) (T, error)
	show  func(T) string
	kind  string
}

func (v value[T]) Set(s string) error {
	t, err := v.parse(s)
	if err != nil {
		return err
	}
	*v.to = t
	return nil
}

func (v value[T]) String() string {
	if v.to == nil {
		return ""
	}
	return v.show(*v.to)
}

func (v value[T]) Type() string { return v.kind }

// expected is the error of a parse: what would have been right.
func expected(format string, args ...any) error {
	return fmt.Errorf("expected "+format, args...)
}

func asIs(s string) string { return s }

func textValue(to *string, kind string) value[string] {
	return value[string]{to: to, kind: kind, show: asIs, parse: func(s string) (string, error) { return s, nil }}
}

func nonEmptyValue(to *string, kind, what string) value[string] {
	return value[string]{to: to, kind: kind, show: asIs, parse: func(s string) (string, error) {
		if strings.TrimSpace(s) == "" {
			return "", expected("%s", what)
		}
		return s, nil
	}}
}

// choiceValue takes one of a few words.
func choiceValue(to *string, kind string, choices ...string) value[string] {
	return value[string]{to: to, kind: kind, show: asIs, parse: func(s string) (string, error) {
		if !slices.Contains(choices, s) {
			return "", expected("one of: %s", strings.Join(choices, ", "))
		}
		return s, nil
	}}
}

// choicesValue takes any number of a few words, separated by commas or by repeating
// the flag.
func choicesValue(to *[]string, kind string, choices ...string) value[[]string] {
	return listValue(to, kind, func(s string) error {
		if !slices.Contains(choices, s) {
			return expected("any of: %s", strings.Join(choices, ", "))
		}
		return nil
	})
}

// listValue takes texts separated by commas or by repeating the flag.
func listValue(to *[]string, kind string, check func(string) error) value[[]string] {
	return value[[]string]{
		to: to, kind: kind,
		show: func(l []string) string { return strings.Join(l, ",") },
		parse: func(s string) ([]string, error) {
			list := slices.Clone(*to)
			for word := range strings.SplitSeq(s, ",") {
				word = strings.TrimSpace(word)
				if err := check(word); err != nil {
					return nil, err
				}
				list = append(list, word)
			}
			return list, nil
		},
	}
}

// addressValue takes HOST:PORT. The host may be left out, the whole as well where
// optional.
func addressValue(to *string, optional bool) value[string] {
	return value[string]{to: to, kind: "host:port", show: asIs, parse: func(s string) (string, error) {
		if s == "" && optional {
			return "", nil
		}
		_, port, err := net.SplitHostPort(s)
		if err != nil {
			return "", expected("HOST:PORT such as 127.0.0.1:8080, or :8080 for every address of the machine")
		}
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return "", expected("a port from 0 to 65535 after the colon")
		}
		return s, nil
	}}
}

// webAddressValue takes an absolute http or https URL. Where it is a base, to which
// paths are added, it has neither query nor fragment, and loses its last slash.
func webAddressValue(to *string, base bool) value[string] {
	return value[string]{to: to, kind: "url", show: asIs, parse: func(s string) (string, error) {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil ||
			base && (u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#")) {
			if base {
				return "", expected("an absolute http or https URL without query, fragment and user, such as https://skills.example.com")
			}
			return "", expected("an absolute http or https URL such as https://example.com")
		}
		if base {
			s = strings.TrimRight(s, "/")
		}
		return s, nil
	}}
}

// durationValue takes a duration that is not negative.
func durationValue(to *time.Duration) value[time.Duration] {
	return value[time.Duration]{
		to: to, kind: "duration", show: showDuration,
		parse: func(s string) (time.Duration, error) {
			d, err := time.ParseDuration(s)
			if err != nil || d < 0 {
				return 0, expected("a duration such as 500ms, 60s or 5m, not below 0")
			}
			return d, nil
		},
	}
}

// showDuration writes 1m and not 1m0s.
func showDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// rateValue takes a number of requests a second.
func rateValue(to *float64) value[float64] {
	return value[float64]{
		to: to, kind: "number",
		show: func(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) },
		parse: func(s string) (float64, error) {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil || math.IsNaN(f) || f < 0 || f > 1e6 {
				return 0, expected("a number of requests a second from 0 (no limit) to 1000000")
			}
			return f, nil
		},
	}
}

// countValue takes a whole number from low to high.
func countValue(to *int, low, high int) value[int] {
	return value[int]{to: to, kind: "number", show: strconv.Itoa, parse: func(s string) (int, error) {
		n, err := strconv.Atoi(s)
		if err != nil || n < low || n > high {
			return 0, expected("a whole number from %d to %d", low, high)
		}
		return n, nil
	}}
}

// sizeValue takes a number of bytes from low to high.
func sizeValue(to *int64, low, high int64) value[int64] {
	return value[int64]{to: to, kind: "size", show: showSize, parse: func(s string) (int64, error) {
		n, err := parseSize(s)
		if err != nil || n < low || n > high {
			return 0, expected("a size from %s to %s such as 1MiB, 512KiB or 2000000", showSize(low), showSize(high))
		}
		return n, nil
	}}
}

func parseSize(s string) (int64, error) {
	units := []struct {
		name  string
		bytes int64
	}{
		{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30},
		{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1},
	}
	factor := int64(1)
	for _, u := range units {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			s, factor = strings.TrimSpace(number), u.bytes
			break
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > math.MaxInt64/factor {
		return 0, errors.New("not a size")
	}
	return n * factor, nil
}

func showSize(n int64) string {
	switch {
	case n > 0 && n%(1<<20) == 0:
		return fmt.Sprintf("%dMiB", n>>20)
	case n > 0 && n%(1<<10) == 0:
		return fmt.Sprintf("%dKiB", n>>10)
	}
	return fmt.Sprintf("%dB", n)
}

// prefixesValue takes networks, separated by commas; a single address is a network of
// one.
func prefixesValue(to *[]netip.Prefix) value[[]netip.Prefix] {
	return value[[]netip.Prefix]{
		to: to, kind: "networks",
		show: func(ps []netip.Prefix) string {
			texts := make([]string, len(ps))
			for i, p := range ps {
				texts[i] = p.String()
			}
			return strings.Join(texts, ",")
		},
		parse: func(s string) ([]netip.Prefix, error) {
			var prefixes []netip.Prefix
			for word := range strings.SplitSeq(s, ",") {
				word = strings.TrimSpace(word)
				if word == "" {
					continue
				}
				prefix, err := netip.ParsePrefix(word)
				if err != nil {
					address, err := netip.ParseAddr(word)
					if err != nil || address.Zone() != "" {
						return nil, expected("networks in CIDR form, separated by commas, such as 10.0.0.0/8,fd00::/8")
					}
					prefix = netip.PrefixFrom(address, address.BitLen())
				}
				prefixes = append(prefixes, prefix.Masked())
			}
			return prefixes, nil
		},
	}
}
