package httpapi

import (
	"net/netip"
	"strings"
)

// clientAddress returns who sent a request: the peer of the connection, or, where that
// is a trusted proxy, the rightmost address of X-Forwarded-For that is none. What
// stands further left was written by the client itself and is never believed. The
// result is not valid where the peer has no IP address.
func clientAddress(peer string, forwarded []string, trusted []netip.Prefix) netip.Addr {
	client := parseAddress(peer)
	for i := len(forwarded) - 1; i >= 0; i-- {
		for rest, more := forwarded[i], true; more; {
			if !contains(trusted, client) {
				return client
			}
			var last string
			if comma := strings.LastIndexByte(rest, ','); comma >= 0 {
				rest, last = rest[:comma], rest[comma+1:]
			} else {
				last, more = rest, false
			}
			next := parseAddress(strings.Trim(last, " \t"))
			if !next.IsValid() {
				// The proxy does not say whom it speaks for: it is the last that is known.
				return client
			}
			client = next
		}
	}
	return client
}

// parseAddress reads an IP address that may have a port, brackets or a zone.
func parseAddress(text string) netip.Addr {
	if withPort, err := netip.ParseAddrPort(text); err == nil {
		return withPort.Addr().Unmap().WithZone("")
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	address, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Addr{}
	}
	return address.Unmap().WithZone("")
}

func contains(prefixes []netip.Prefix, address netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(address) {
			return true
		}
	}
	return false
}

// addressGroup names the addresses that count as one caller: each IPv4 address by
// itself, and all of an IPv6 /64, which is what one customer of a network has.
func addressGroup(address netip.Addr) string {
	if address.Is6() {
		if prefix, err := address.Prefix(64); err == nil {
			return prefix.String()
		}
	}
	return address.String()
}
