package protocol_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

func TestTextThatIsNotStrictJSONIsASyntaxError(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	for name, c := range map[string]struct {
		text    string
		offset  int64
		pointer string
		reason  string
	}{
		"nothing":                  {"", 0, "", "empty"},
		"space":                    {" \r\n\t", 0, "", "empty"},
		"a word":                   {"nope", 1, "", "invalid character"},
		"an object without end":    {`{"id":"a"`, 9, "", "ends too early"},
		"a string without end":     {`{"id":"a`, 8, "/id", "ends too early"},
		"two values":               {`{}{}`, 2, "", "after the end"},
		"a value and rubbish":      {`{}x`, 2, "", "invalid character"},
		"doubled name":             {`{"id":"a","id":"b"}`, 10, "/id", "stands twice"},
		"doubled name within":      {`{"p":[{"n":1,"n":2}]}`, 13, "/p/0/n", "stands twice"},
		"doubled name, escaped":    {`{"id":"a","\u0069d":"b"}`, 10, "/id", "stands twice"},
		"wrong UTF-8":              {"{\"name\":\"\xff\"}", 9, "/name", "UTF-8"},
		"overlong UTF-8":           {"{\"name\":\"\xc0\xaf\"}", 9, "/name", "UTF-8"},
		"wrong UTF-8 in a name":    {"{\"\xff\":1}", 2, "", "UTF-8"},
		"a surrogate in UTF-8":     {"{\"name\":\"\xed\xa0\x80\"}", 9, "/name", "UTF-8"},
		"a lone surrogate":         {`{"name":"\ud800"}`, 9, "/name", "surrogate"},
		"a lone low surrogate":     {`{"name":"\udc00x"}`, 9, "/name", "surrogate"},
		"single quotes":            {`{'id':'a'}`, 1, "", "invalid character"},
		"a comment":                {`{/*x*/}`, 1, "", "invalid character"},
		"a comma at the end":       {`{"a":1,}`, 6, "", "invalid character"},
		"no number":                {`{"a":NaN}`, 5, "/a", "invalid character"},
		"a leading zero":           {`{"a":01}`, 6, "", "invalid character"},
		"a raw control character":  {"{\"a\":\"\x01\"}", 6, "/a", "invalid character"},
		"a raw NUL":                {"{\"a\":\"\x00\"}", 6, "/a", "invalid character"},
		"NUL behind":               {"{}\x00", 2, "", "invalid character"},
		"a byte order mark":        {"\xef\xbb\xbf{}", 0, "", "byte order mark"},
		"UTF-16":                   {"\xff\xfe{\x00}\x00", 0, "", "invalid"},
		"too long a number":        {`{"a":[1` + strings.Repeat("0", 400) + `]}`, 6, "/a/0", "longer than 400"},
		"too great an exponent":    {`{"a":1e401}`, 5, "/a", "exponent"},
		"too small an exponent":    {`{"a":1E-401}`, 5, "/a", "exponent"},
		"an endless exponent":      {`{"a":1e99999999999999999999}`, 5, "/a", "exponent"},
		"65 brackets":              {strings.Repeat("[", 65), 64, strings.Repeat("/0", 64), "deeper than 64"},
		"100,000 brackets":         {strings.Repeat("[", 100_000), 64, strings.Repeat("/0", 64), "deeper than 64"},
		"100,000 objects":          {strings.Repeat(`{"a":`, 100_000), 64 * 5, strings.Repeat("/a", 64), "deeper than 64"},
		"an unknown escape":        {`{"a":"\x"}`, 6, "/a", "escape"},
		"a bracket of other kind":  {`{"a":[1}`, 7, "/a", "invalid character"},
		"a fault behind many tags": {`{"tags":[` + strings.Repeat(`1,`, 30_000) + `}`, 60_008, "/tags", "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shown := c.text[:min(len(c.text), 80)]
			_, err := v.Parse([]byte(c.text))
			fault, ok := errors.AsType[*protocol.SyntaxError](err)
			if !ok {
				t.Fatalf("Parse(%q) = %v, want a *SyntaxError", shown, err)
			}
			if fault.Offset != c.offset || fault.Pointer != c.pointer || !strings.Contains(fault.Reason, c.reason) {
				t.Errorf("Parse(%q) = %+v, want offset %d, pointer %q, reason with %q", shown, fault, c.offset, c.pointer, c.reason)
			}
			for _, kind := range protocol.Kinds() {
				if _, err := v.Check(kind, []byte(c.text)); fmt.Sprint(err) != fault.Error() {
					t.Errorf("Check(%s, %q) = %v, want %v", kind, shown, err, fault)
				}
			}
			if _, err := protocol.Canonicalize([]byte(c.text), protocol.Limits{}); fmt.Sprint(err) != fault.Error() {
				t.Errorf("Canonicalize(%q) = %v, want %v", shown, err, fault)
			}
			var into struct{ A any }
			if err := protocol.DecodeStrict([]byte(c.text), 0, &into); fmt.Sprint(err) != fault.Error() {
				t.Errorf("DecodeStrict(%q) = %v, want %v", shown, err, fault)
			}
		})
	}
}

func TestLimitsOfReadingAreInclusive(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("[", 64) + strings.Repeat("]", 64),
		strings.Repeat("9", 400),
		"1e400", "1E+400", "-1e-400", "1e0000000000000400",
	} {
		if _, err := protocol.Canonicalize([]byte(text), protocol.Limits{}); err != nil {
			t.Errorf("Canonicalize(%.80s) = %v, want nil", text, err)
		}
	}
	deep := []byte(strings.Repeat("[", 3) + strings.Repeat("]", 3))
	for depth, want := range map[int]bool{1: false, 2: false, 3: true, 4: true} {
		if _, err := protocol.Canonicalize(deep, protocol.Limits{MaxDepth: depth}); (err == nil) != want {
			t.Errorf("Canonicalize(%s) with depth %d = %v, want success: %t", deep, depth, err, want)
		}
	}
}

func TestCanonicalForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		` { "b" : 1 , "a" : [ true , null ] } `:            `{"a":[true,null],"b":1}`,
		`{"x":12345678901234567890,"y":1.0,"z":1E3}`:       `{"x":12345678901234567890,"y":1.0,"z":1E3}`,
		`[-0,0.10,1e400,3.14159265358979323846264338327]`:  `[-0,0.10,1e400,3.14159265358979323846264338327]`,
		`"\u0041\/\u00e9\u2028\ud83d\ude00\u0001\u0009\b"`: `"A/é` + "\u2028😀" + `\u0001\t\b"`,
		`"\u0000<>&'"`: `"\u0000<>&'"`,
		`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`: `{"\r":2,"1":4,"` + "\u0080" + `":6,"ö":7,"€":1,"😀":5,"` + "\ufb33" + `":3}`, // the example of RFC 8785
		`{"":{"b":{},"a":[]}}`: `{"":{"a":[],"b":{}}}`,
		`5`:                    `5`,
	} {
		data := []byte(text)
		got, err := protocol.Canonicalize(data, protocol.Limits{})
		if err != nil || string(got) != want {
			t.Errorf("Canonicalize(%s) = %s, %v, want %s", text, got, err, want)
		}
		if string(data) != text {
			t.Errorf("Canonicalize(%s) changed its input to %s", text, data)
		}
	}
}

func TestDigestIsOverTheCanonicalBytes(t *testing.T) {
	t.Parallel()
	const want = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
	if got := protocol.Digest([]byte("{}")); got != want {
		t.Errorf("Digest({}) = %s, want %s", got, want)
	}
	v := newValidator(t)
	one, err := v.Parse(protocoltest.Valid("com.example.a", "1.0.0", "public", "api"))
	if err != nil {
		t.Fatal(err)
	}
	other, err := v.Parse(bytes.Replace(one.Canonical, []byte(`:`), []byte(" :\n"), 3))
	if err != nil {
		t.Fatal(err)
	}
	if one.Digest != protocol.Digest(one.Canonical) || other.Digest != one.Digest {
		t.Errorf("digests %s and %s of one content, want both %s", one.Digest, other.Digest, protocol.Digest(one.Canonical))
	}
}

func TestDocumentWithTooManyValuesIsRefusedUnchecked(t *testing.T) {
	t.Parallel()
	v := newValidator(t)
	wide := strings.Repeat(`"x",`, 60_000) + `"x"`
	for text, want := range map[string]protocol.Violation{
		`{"tags":[` + wide + `]}`:                            {Field: "/tags", Expected: "at most 20000 values in the whole document", Actual: "more values"},
		`{"x":{"y":[` + wide + `],"z":[` + wide + `]}}`:      {Field: "/x/y", Expected: "at most 20000 values in the whole document", Actual: "more values"},
		`{"inputs":[` + strings.Repeat(`{},`, 3000) + `{}]}`: {Field: "/inputs", Expected: "at most 2000 objects in the whole document", Actual: "more objects"},
	} {
		_, err := v.Parse([]byte(text))
		invalid, ok := errors.AsType[*protocol.ValidationError](err)
		if !ok || len(invalid.Violations) != 1 || invalid.Violations[0] != want {
			t.Errorf("Parse(%.60s) = %v, want %+v", text, err, want)
		}
	}
	wider, err := protocol.NewValidator(protocol.Limits{MaxValues: 30_000})
	if err != nil {
		t.Fatal(err)
	}
	report, err := wider.Check(protocol.KindDescriptor, []byte(`{"tags":[`+strings.Repeat(`"x",`, 25_000)+`"x"]}`))
	if err != nil || len(report.Violations) < 2 || report.Violations[len(report.Violations)-2].Field != "/tags" {
		t.Errorf("Check with room for more values = %+v, %v, want violations, with one at /tags before the last", report, err)
	}
}
