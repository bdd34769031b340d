package httpapi

import "strings"

// matchesETag reports whether If-None-Match headers name the tag of what would be
// answered: by "*", or by an entry of their lists, compared weakly (RFC 9110, 13.1.2).
// Nothing is taken from behind the first byte that breaks the list's grammar.
func matchesETag(headers []string, tag string) bool {
	opaque := strings.TrimPrefix(tag, "W/")
	for _, header := range headers {
		if strings.Trim(header, " \t") == "*" {
			return true
		}
		for rest := header; ; {
			var entry string
			var ok bool
			if entry, rest, ok = cutETag(rest); !ok {
				break
			}
			if entry == opaque {
				return true
			}
		}
	}
	return false
}

// cutETag takes the first entity tag off a list, and returns its quoted part. It
// reports false at the end of the list, and where no tag stands.
func cutETag(list string) (opaque, rest string, ok bool) {
	list = strings.TrimLeft(list, " \t,")
	list = strings.TrimPrefix(list, "W/")
	if list == "" || list[0] != '"' {
		return "", "", false
	}
	end := strings.IndexByte(list[1:], '"')
	if end < 0 {
		return "", "", false
	}
	opaque, rest = list[:end+2], strings.TrimLeft(list[end+2:], " \t")
	if rest != "" && rest[0] != ',' {
		return "", "", false
	}
	return opaque, rest, true
}
