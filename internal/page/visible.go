package page

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"
)

// visible shows a text that is to be read letter by letter: what can't be seen, or turns the
// direction of what follows, stands in an element of its own that says what it is.
func visible(text string) template.HTML {
	var b strings.Builder
	for _, r := range text {
		if !hidden(r) {
			template.HTMLEscape(&b, []byte(string(r)))
			continue
		}
		fmt.Fprintf(&b, `<span class="hidden-letter" data-code="U+%04X">%c</span>`, r, r)
	}
	return template.HTML(b.String())
}

// hidden reports whether a letter shows nothing, or more than itself.
func hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
