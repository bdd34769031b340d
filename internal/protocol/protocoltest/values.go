package protocoltest

import (
	"encoding/json"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// Hard text: what a careless reader, escaper or store trips over.
func trickyText() []string {
	return []string{
		"é", "日本語", "😀", "👩‍👩‍👧", "\u2028", "\u202e", "<script>&amp;", `"quoted"`, `back\slash`, "a/b~c",
		"%2F..", "'; drop table skills; --", "null", "0", "ﬁ", "İ", "e\u0301", "\uffff", "\U0010ffff", "{execution_id}", "$1", "__proto__",
	}
}

// Line is one line of text that shows something, of at most max characters.
func Line(max int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		first := rapid.SampledFrom([]string{"a", "Z", "0", "é", "語", "😀", "\"", "\\", "/", "<"}).Draw(t, "first")
		rest := rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom(trickyText()),
			rapid.Map(rapid.Rune(), printable),
			rapid.SampledFrom([]string{" ", "a", "B"}),
		), 0, 20).Draw(t, "rest")
		text := cut(first+strings.Join(rest, ""), max)
		if rapid.IntRange(0, 39).Draw(t, "huge") == 0 {
			text += strings.Repeat("語", max-len([]rune(text)))
		}
		return text
	})
}

// Text is text that shows something, in one line or several, of at most max characters.
func Text(max int) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(Line(max), 1, 3), func(lines []string) string {
		return cut(strings.Join(lines, "\r\n\t"), max)
	})
}

// printable replaces the control characters, which names and descriptions refuse.
func printable(r rune) string {
	if r < 0x20 || 0x7f <= r && r <= 0x9f {
		return "x"
	}
	return string(r)
}

func cut(s string, max int) string {
	if runes := []rune(s); len(runes) > max {
		return string(runes[:max])
	}
	return s
}

// ID is a skill's id.
func ID() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-z0-9]{3}`),
		rapid.StringMatching(`(com|org|io)\.[a-z0-9]{1,8}([._-][a-z0-9]{1,8}){1,4}`),
		rapid.Map(rapid.IntRange(1, 97), func(n int) string { return "com." + strings.Repeat("a-", n) + "a" }),
	)
}

// Version is a skill's version by SemVer 2.0.0.
func Version() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		number := rapid.OneOf(
			rapid.Map(rapid.IntRange(0, 20), strconv.Itoa),
			rapid.Just("18446744073709551616"),
			rapid.StringMatching(`[1-9][0-9]{0,30}`),
		)
		v := number.Draw(t, "major") + "." + number.Draw(t, "minor") + "." + number.Draw(t, "patch")
		part := `[0-9A-Za-z-]{1,5}`
		if rapid.IntRange(0, 2).Draw(t, "prerelease") == 0 {
			v += "-" + rapid.SampledFrom([]string{"rc.1", "0", "-", "0a", "alpha.beta.1", "1.2.3", "x-y-z.--"}).Draw(t, "identifiers")
		}
		if rapid.IntRange(0, 2).Draw(t, "build") == 0 {
			v += "+" + rapid.StringMatching(part+`(\.`+part+`){0,2}`).Draw(t, "build")
		}
		return v
	})
}

// ProtocolVersion is a protocol version that this registry reads, most often a newer
// MINOR.
func ProtocolVersion() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.Just("1.0.0"),
		rapid.StringMatching(`1\.(0|[1-9][0-9]{0,30})\.(0|[1-9][0-9]{0,3})`),
	)
}

// URL is an absolute http or https URL.
func URL() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		scheme := rapid.SampledFrom([]string{"https://", "http://", "HTTPS://"}).Draw(t, "scheme")
		host := rapid.SampledFrom([]string{"example.com", "localhost", "a.b-c.example", "127.0.0.1", "[::1]", "[2001:db8::8:800:200c:417a]", "xn--bcher-kva.example", "example.com."}).Draw(t, "host")
		port := rapid.SampledFrom([]string{"", "", ":1", ":8080", ":65535"}).Draw(t, "port")
		rest := rapid.SampledFrom([]string{"", "/", "/invoke", "/a/b%20c/", "/v1?q=1&r[]=%C3%A9", "/x#top", "?q", "/a;b=1,2/~user/(x)", "/" + strings.Repeat("p", 1900)}).Draw(t, "rest")
		return scheme + host + port + rest
	})
}

// Time is a time by RFC 3339.
func Time() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"2026-01-31T12:00:00Z", "2024-02-29T23:59:59.999999999+14:00", "0001-01-01t00:00:00z", "9999-12-31T23:59:59-23:59", "2026-01-01T00:00:00.1-00:00"}),
		rapid.StringMatching(`2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,12})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`),
	)
}

// Number is a JSON number, often one that no machine type holds.
func Number() *rapid.Generator[json.Number] {
	return rapid.Map(rapid.OneOf(
		rapid.SampledFrom([]string{"0", "-0", "0.0", "1.0", "1E3", "1e+400", "-1.5e-400", "12345678901234567890", "3.14159265358979323846264338327950288", "0.1", "1e400"}),
		rapid.StringMatching(`-?(0|[1-9][0-9]{0,60})(\.[0-9]{1,60})?([eE][+-]?[1-3]?[0-9]{1,2})?`),
	), func(s string) json.Number { return json.Number(s) })
}

// Integer is a JSON number without a fraction, in any notation.
func Integer() *rapid.Generator[json.Number] {
	return rapid.Map(rapid.OneOf(
		rapid.SampledFrom([]string{"0", "-0", "1.0", "1e3", "1.5e1", "12345678901234567890", "-100e-2", "1e400", "0e-400"}),
		rapid.StringMatching(`-?[1-9][0-9]{0,60}(\.0{1,5})?`),
	), func(s string) json.Number { return json.Number(s) })
}

// Value is any JSON value, nested at most depth deep.
func Value(depth int) *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Bool(), toAny[bool]),
		rapid.Map(Number(), toAny[json.Number]),
		rapid.Map(rapid.String(), toAny[string]),
		rapid.Map(rapid.SampledFrom(trickyText()), toAny[string]),
	)
	if depth == 0 {
		return scalar
	}
	inner := Value(depth - 1)
	return rapid.OneOf(
		scalar,
		rapid.Map(rapid.SliceOfN(inner, 0, 3), toAny[[]any]),
		rapid.Map(rapid.MapOfN(rapid.OneOf(rapid.String(), rapid.SampledFrom(trickyText())), inner, 0, 3), toAny[map[string]any]),
	)
}

func toAny[T any](v T) any { return v }
