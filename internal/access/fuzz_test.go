package access_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/access"
)

// FuzzSplitToken holds that a token is taken apart without loss, and opens nothing but the
// key that it was made with.
func FuzzSplitToken(f *testing.F) {
	key, good, err := access.NewKey(access.KeyRequest{Name: "a", Scopes: []access.Scope{access.Admin}}, noon, bytes.NewReader(make([]byte, 1024)))
	if err != nil {
		f.Fatal(err)
	}
	for _, token := range []string{"", "skr_", good, good + "a", good[:len(good)-1], strings.ToUpper(good), "skr_" + strings.Repeat("é", 32)} {
		f.Add(token)
	}
	f.Fuzz(func(t *testing.T, token string) {
		id, secret, ok := access.SplitToken(token)
		if ok && "skr_"+id+secret != token {
			t.Errorf("SplitToken(%q) = %q and %q, which is something else", token, id, secret)
		}
		if _, opens := key.Caller(secret, noon); opens && !strings.HasSuffix(good, secret) {
			t.Errorf("the secret %q of %q opens a key that it is not of", secret, token)
		}
	})
}

// FuzzNamespace holds that a namespace that a key may have covers whole parts of ids only.
func FuzzNamespace(f *testing.F) {
	for _, c := range [][2]string{{"com.example", "com.example.a"}, {"com.example", "com.examples"}, {"*", "a.b"}, {"", "abc"}, {"io", "io.x"}, {"com.example.", "com.example.a"}} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, namespace, id string) {
		request := access.KeyRequest{Name: "a", Scopes: []access.Scope{access.Read}, Namespaces: []access.Namespace{access.Namespace(namespace)}}
		if len(request.Check(noon)) > 0 || namespace == "*" {
			return
		}
		want := id == namespace || strings.HasPrefix(id, namespace+".")
		if got := access.Namespace(namespace).Covers(id); got != want {
			t.Errorf("%q covers %q: got %v, want %v", namespace, id, got, want)
		}
	})
}
