package protocol

import (
	stdjson "encoding/json"
	"strconv"
	"strings"
)

// decimal is the exact value of a JSON number: 0.digits times ten to the exponent, where
// digits has no zero at either end. Zero has no digits. Two numbers are equal when their
// decimals are.
type decimal struct {
	negative bool
	digits   string
	exponent int
}

// parseDecimal reads a number within the bounds of readStrict.
func parseDecimal(number stdjson.Number) decimal {
	text, negative := strings.CutPrefix(string(number), "-")
	exponent := 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, _ = strconv.Atoi(text[i+1:])
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent += len(whole) - (len(whole) + len(fraction) - len(digits))
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		return decimal{}
	}
	return decimal{negative: negative, digits: digits, exponent: exponent}
}

// isInteger reports whether the number has no fraction, in whatever notation.
func (d decimal) isInteger() bool {
	return d.digits == "" || d.exponent >= len(d.digits)
}
