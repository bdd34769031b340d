package oidc

import "testing"

func TestIssuersSendNobodyToThisMachineButTheirOwn(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		issuer, keys string
		want         bool
	}{
		{"https://a.example", "https://keys.a.example/all", true},
		{"https://a.example", "http://127.0.0.1:8080/keys", false},
		{"https://a.example", "http://keys.a.example", false},
		{"http://127.0.0.1:1", "http://127.0.0.1:8080/keys", true},
		{"http://127.0.0.1:1", "http://a.example/keys", false},
		{"https://a.example", "", false},
	} {
		if got := maySend(test.issuer, test.keys); got != test.want {
			t.Errorf("maySend(%q, %q) = %v, want %v", test.issuer, test.keys, got, test.want)
		}
	}
}
