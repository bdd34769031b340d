package httpapi

import (
	"strconv"
	"strings"
)

// acceptsGzip reports whether an answer to a request with these Accept-Encoding
// headers is to be compressed with gzip: the caller takes it, and does not like the
// plain bytes better. A member that can't be read is no wish at all.
func acceptsGzip(headers []string) bool {
	gzip, identity, wildcard := -1.0, -1.0, -1.0 // negative: not named
	for _, header := range headers {
		for member := range strings.SplitSeq(header, ",") {
			coding, parameters, _ := strings.Cut(member, ";")
			q, ok := quality(parameters)
			if !ok {
				continue
			}
			switch strings.ToLower(strings.Trim(coding, " \t")) {
			case "gzip", "x-gzip":
				gzip = max(gzip, q)
			case "identity":
				identity = max(identity, q)
			case "*":
				wildcard = max(wildcard, q)
			}
		}
	}
	if gzip < 0 {
		gzip = wildcard
	}
	return gzip > 0 && gzip >= identity
}

// quality reads the weight behind a member of a list (RFC 9110, 12.4.2): nothing, or
// q=0 to q=1 with at most three decimals.
func quality(parameters string) (float64, bool) {
	parameters = strings.Trim(parameters, " \t")
	if parameters == "" {
		return 1, true
	}
	name, value, ok := strings.Cut(parameters, "=")
	if !ok || !strings.EqualFold(strings.TrimRight(name, " \t"), "q") {
		return 0, false
	}
	value = strings.TrimLeft(value, " \t")
	if len(value) == 0 || len(value) > len("0.000") || value[0] != '0' && value[0] != '1' {
		return 0, false
	}
	if len(value) > 1 && value[1] != '.' || strings.Trim(value, "0123456789.") != "" {
		return 0, false
	}
	q, err := strconv.ParseFloat(value, 64)
	return q, err == nil && q <= 1
}
