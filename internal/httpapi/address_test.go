package httpapi

import (
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddress(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:1::/48")}
	tests := map[string]struct {
		peer      string
		forwarded []string
		want      string
	}{
		"a peer by itself":                           {"203.0.113.9:1234", nil, "203.0.113.9"},
		"a peer that is not trusted is not believed": {"203.0.113.9:1234", []string{"198.51.100.1"}, "203.0.113.9"},
		"a proxy's client":                           {"10.0.0.1:80", []string{"198.51.100.1"}, "198.51.100.1"},
		"what the client wrote itself":               {"10.0.0.1:80", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1"},
		"a chain of proxies":                         {"10.0.0.1:80", []string{"1.1.1.1, 198.51.100.1, 10.9.9.9, 10.8.8.8"}, "198.51.100.1"},
		"a chain over several headers":               {"10.0.0.1:80", []string{"1.1.1.1, 198.51.100.1", "10.9.9.9"}, "198.51.100.1"},
		"a proxy that sent no header":                {"10.0.0.1:80", nil, "10.0.0.1"},
		"a proxy that sent an empty one":             {"10.0.0.1:80", []string{""}, "10.0.0.1"},
		"nothing but proxies":                        {"10.0.0.1:80", []string{"10.2.2.2, 10.3.3.3"}, "10.2.2.2"},
		"garbage stops the walk":                     {"10.0.0.1:80", []string{"198.51.100.1, unknown, 10.3.3.3"}, "10.3.3.3"},
		"an empty entry stops the walk":              {"10.0.0.1:80", []string{"198.51.100.1,,10.3.3.3"}, "10.3.3.3"},
		"a port behind an address":                   {"10.0.0.1:80", []string{"198.51.100.1:5555"}, "198.51.100.1"},
		"IPv6":                                       {"[2001:db8:1::1]:80", []string{"2001:db8:2::7"}, "2001:db8:2::7"},
		"IPv6 in brackets":                           {"[2001:db8:1::1]:80", []string{"[2001:db8:2::7]"}, "2001:db8:2::7"},
		"IPv6 in brackets with a port":               {"[2001:db8:1::1]:80", []string{"[2001:db8:2::7]:99"}, "2001:db8:2::7"},
		"an IPv4 address in IPv6 form is trusted":    {"[::ffff:10.0.0.1]:80", []string{"198.51.100.1"}, "198.51.100.1"},
		"a zone":                    {"[fe80::1%eth0]:80", nil, "fe80::1"},
		"a peer without an address": {"@", []string{"198.51.100.1"}, "invalid IP"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := clientAddress(test.peer, test.forwarded, trusted).String(); got != test.want {
				t.Errorf("clientAddress(%q, %q) = %s, want %s", test.peer, test.forwarded, got, test.want)
			}
		})
	}
}

func TestAddressGroup(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ address, want string }{
		"IPv4 stands by itself":     {"203.0.113.9", "203.0.113.9"},
		"IPv6 goes by its /64":      {"2001:db8:2:3:4:5:6:7", "2001:db8:2:3::/64"},
		"the same /64":              {"2001:db8:2:3:ffff::1", "2001:db8:2:3::/64"},
		"the /64 beside it differs": {"2001:db8:2:4::1", "2001:db8:2:4::/64"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := addressGroup(netip.MustParseAddr(test.address)); got != test.want {
				t.Errorf("addressGroup(%s) = %s, want %s", test.address, got, test.want)
			}
		})
	}
	if got := addressGroup(netip.Addr{}); got != "invalid IP" {
		t.Errorf("addressGroup(none) = %q: callers without an address are one caller", got)
	}
}

// Whatever a client writes before what its proxy adds, it stays who it is.
func FuzzClientAddress(f *testing.F) {
	for _, forged := range []string{"", "1.1.1.1", "10.0.0.1", ",,", "unknown", "[::1]:80, 10.1.1.1", "\x00"} {
		f.Add(forged)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	f.Fuzz(func(t *testing.T, forged string) {
		for _, headers := range [][]string{{forged + ", 198.51.100.1"}, {forged, "198.51.100.1"}, {forged, "198.51.100.1, 10.2.2.2"}} {
			if got := clientAddress("10.0.0.1:80", headers, trusted).String(); got != "198.51.100.1" {
				t.Errorf("clientAddress(%q) = %s, want 198.51.100.1", headers, got)
			}
		}
		if got := clientAddress("203.0.113.9:1", []string{forged}, trusted).String(); got != "203.0.113.9" {
			t.Errorf("clientAddress of a peer that is not trusted = %s with %q, want the peer", got, forged)
		}
		if strings.Contains(clientAddress(forged, nil, nil).String(), "%") {
			t.Errorf("clientAddress(%q) keeps a zone", forged)
		}
	})
}
