package access_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func newKey(t *testing.T, r access.KeyRequest) (access.Key, string) {
	t.Helper()
	if vs := r.Check(noon); len(vs) > 0 {
		t.Fatalf("the request %+v has violations: %+v", r, vs)
	}
	key, token, err := access.NewKey(r, noon, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key, token
}

func TestKeyAdmitsItsSecretAlone(t *testing.T) {
	t.Parallel()
	key, token := newKey(t, access.KeyRequest{
		Name: "ci", Scopes: []access.Scope{access.Publish}, Namespaces: []access.Namespace{"com.example"}, ExpiresAt: noon.Add(time.Hour),
	})
	id, secret, ok := access.SplitToken(token)
	if !ok || id != key.ID {
		t.Fatalf("%s splits into the id %q, %t; want %q", token, id, ok, key.ID)
	}
	if strings.Contains(string(key.SecretHash[:]), secret) {
		t.Fatal("the key holds its secret")
	}
	want := access.Caller{KeyID: key.ID, Scopes: key.Scopes, Namespaces: key.Namespaces}
	if got, ok := key.Caller(secret, noon); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("the caller is %+v, %t; want %+v", got, ok, want)
	}
	for name, try := range map[string]func() (access.Caller, bool){
		"another secret":        func() (access.Caller, bool) { return key.Caller(secret[1:]+"a", noon) },
		"no secret":             func() (access.Caller, bool) { return key.Caller("", noon) },
		"the moment it expires": func() (access.Caller, bool) { return key.Caller(secret, noon.Add(time.Hour)) },
		"revoked": func() (access.Caller, bool) {
			revoked := key
			revoked.RevokedAt = noon
			return revoked.Caller(secret, noon)
		},
	} {
		if got, ok := try(); ok || !reflect.DeepEqual(got, access.Caller{}) {
			t.Errorf("%s: the caller is %+v, %t; want none", name, got, ok)
		}
	}
}

func TestKeysAreDistinct(t *testing.T) {
	t.Parallel()
	r := access.KeyRequest{Name: "x", Scopes: []access.Scope{access.Admin}}
	a, tokenA := newKey(t, r)
	b, tokenB := newKey(t, r)
	if a.ID == b.ID || tokenA == tokenB || a.SecretHash == b.SecretHash {
		t.Errorf("two keys share something: %+v, %+v", a, b)
	}
}

// Each of the 256 bits that make a secret is one more that has to be guessed.
func TestEveryRandomBitOfASecretCounts(t *testing.T) {
	t.Parallel()
	const id, bits = 8, 256
	seen := map[string]bool{}
	for bit := range bits {
		random := make([]byte, id+bits/8)
		random[id+bit/8] = 1 << (bit % 8)
		_, token, err := access.NewKey(access.KeyRequest{Name: "x"}, noon, bytes.NewReader(random))
		if err != nil || seen[token] {
			t.Errorf("bit %d: got the token %s, %v; want another than for the bits before", bit, token, err)
		}
		seen[token] = true
	}
}

func TestNoKeyWithoutRandomness(t *testing.T) {
	t.Parallel()
	broken := errors.New("no entropy")
	_, token, err := access.NewKey(access.KeyRequest{Name: "x"}, noon, iotest.ErrReader(broken))
	if !errors.Is(err, broken) || token != "" {
		t.Errorf("got the token %q and the error %v, want none and %v", token, err, broken)
	}
}

func TestTokensOfAnotherFormAreRefused(t *testing.T) {
	t.Parallel()
	_, token := newKey(t, access.KeyRequest{Name: "x", Scopes: []access.Scope{access.Admin}})
	for _, bad := range []string{"", "skr_", "skr_nonsense", token + "a", token[:len(token)-1], "SKR_" + token[4:], " " + token[1:], strings.Repeat("x", 1<<16)} {
		if _, _, ok := access.SplitToken(bad); ok {
			t.Errorf("%.80q was taken for a token", bad)
		}
	}
}

func TestKeyRequestsAreChecked(t *testing.T) {
	t.Parallel()
	good := access.KeyRequest{Name: "ci", Scopes: []access.Scope{access.Read}, Namespaces: []access.Namespace{"com.example"}}
	for _, test := range []struct {
		name   string
		change func(*access.KeyRequest)
		fields string
	}{
		{"a good one", func(*access.KeyRequest) {}, ""},
		{"everything", func(r *access.KeyRequest) { r.Namespaces = []access.Namespace{"*"} }, ""},
		{"one short label", func(r *access.KeyRequest) { r.Namespaces = []access.Namespace{"io", "a"} }, ""},
		{"an admin without namespaces", func(r *access.KeyRequest) { r.Scopes, r.Namespaces = []access.Scope{access.Admin}, nil }, ""},
		{"an expiry ahead", func(r *access.KeyRequest) { r.ExpiresAt = noon.Add(time.Second) }, ""},
		{"nothing at all", func(r *access.KeyRequest) { *r = access.KeyRequest{} }, "/name /scopes /namespaces"},
		{"an endless name", func(r *access.KeyRequest) { r.Name = strings.Repeat("é", 101) }, "/name"},
		{"a name with a NUL", func(r *access.KeyRequest) { r.Name = "a\x00b" }, "/name"},
		{"an unknown scope", func(r *access.KeyRequest) { r.Scopes = []access.Scope{access.Read, "root"} }, "/scopes/1"},
		{"no namespaces", func(r *access.KeyRequest) { r.Namespaces = nil }, "/namespaces"},
		{"too many namespaces", func(r *access.KeyRequest) { r.Namespaces = slices.Repeat([]access.Namespace{"com.example"}, 101) }, "/namespaces"},
		{"namespaces of another form", func(r *access.KeyRequest) {
			r.Namespaces = []access.Namespace{"com.example", "A b", "com.*", "", ".com", "com.", "a..b", "**"}
		}, "/namespaces/1 /namespaces/2 /namespaces/3 /namespaces/4 /namespaces/5 /namespaces/6 /namespaces/7"},
		{"an expiry that is of the year 10000 in UTC", func(r *access.KeyRequest) {
			r.ExpiresAt = time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -3600))
		}, "/expires_at"},
		{"the last moment that there is", func(r *access.KeyRequest) {
			r.ExpiresAt = time.Date(9999, 12, 31, 23, 59, 59, 999_999_000, time.UTC)
		}, ""},
		{"too many scopes", func(r *access.KeyRequest) { r.Scopes = slices.Repeat([]access.Scope{"root"}, 11) },
			"/scopes /scopes/0 /scopes/1 /scopes/2 /scopes/3 /scopes/4 /scopes/5 /scopes/6 /scopes/7 /scopes/8 /scopes/9"},
		{"an expiry behind", func(r *access.KeyRequest) { r.ExpiresAt = noon }, "/expires_at"},
	} {
		r := good
		test.change(&r)
		var fields []string
		for _, v := range r.Check(noon) {
			fields = append(fields, v.Field)
			if v.Expected == "" || v.Actual == "" {
				t.Errorf("%s: the violation %+v says too little", test.name, v)
			}
		}
		if got := strings.Join(fields, " "); got != test.fields {
			t.Errorf("%s: the violations are at %q, want %q", test.name, got, test.fields)
		}
	}
}

func TestConfiguredAdminAdmitsItsKeyAlone(t *testing.T) {
	t.Parallel()
	const key = "0123456789abcdef0123456789abcdef"
	if _, err := access.NewConfiguredAdmin(key[1:]); err == nil {
		t.Error("an admin key of 31 characters was taken")
	} else if strings.Contains(err.Error(), key[1:]) {
		t.Errorf("the error %q tells the key", err)
	}
	admin, err := access.NewConfiguredAdmin(key)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := admin.Caller(key); !ok || !c.Administers() || c.Anonymous() {
		t.Errorf("the key's caller is %+v, %t", c, ok)
	}
	for _, bad := range []string{"", key + "x", key[1:] + "x"} {
		if c, ok := admin.Caller(bad); ok {
			t.Errorf("%q came in as %+v", bad, c)
		}
	}
	var none access.ConfiguredAdmin
	if c, ok := none.Caller(""); ok {
		t.Errorf("without a configured key, the empty token came in as %+v", c)
	}
}

// A key of an administrator for a namespace would look narrower than it is.
func TestAdminKeyHasNoNamespaceButEverything(t *testing.T) {
	t.Parallel()
	for _, scopes := range [][]access.Scope{{access.Admin}, {access.Publish, access.Admin}} {
		for _, namespaces := range [][]access.Namespace{nil, {access.Everything}} {
			if vs := (access.KeyRequest{Name: "root", Scopes: scopes, Namespaces: namespaces}).Check(noon); len(vs) != 0 {
				t.Errorf("scopes %v, namespaces %v: got %+v, want no violation", scopes, namespaces, vs)
			}
		}
		vs := access.KeyRequest{Name: "root", Scopes: scopes, Namespaces: []access.Namespace{access.Everything, "com.example"}}.Check(noon)
		if len(vs) != 1 || vs[0].Field != "/namespaces/1" {
			t.Errorf("scopes %v and a namespace: got %+v, want one violation at /namespaces/1", scopes, vs)
		}
	}
}
