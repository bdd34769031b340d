package interop

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// promise is what both indexes say of a skill, and the files that they lead to.
type promise struct {
	id, description, version string
	files                    map[string][]byte
}

// validName is what the installers take; in 0.1.0 one other spoils the whole index.
var validName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

type index struct {
	Schema string `json:"$schema"`
	Skills []struct {
		Name, Description, Type, URL, Digest, Version string
		Files                                         []string
	}
}

// promised returns all that the registry promises to a stranger, by name, and fails the
// test where it breaks its word: an archive without the digest, say, or another file in one
// generation than in the other.
func (r *registry) promised(t *testing.T) map[string]promise {
	t.Helper()
	const v2Path, v1Path = "/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"
	var v2, v1 index
	r.getJSON(t, v2Path, &v2)
	r.getJSON(t, v1Path, &v1)
	if v2.Schema != "https://schemas.agentskills.io/discovery/0.2.0/schema.json" || v1.Schema != "" {
		t.Errorf("the indexes have the schemas %q and %q", v2.Schema, v1.Schema)
	}
	promises := make(map[string]promise)
	for _, e := range v2.Skills {
		if units := len(utf16.Encode([]rune(e.Description))); len(e.Name) > 64 || !validName.MatchString(e.Name) || units < 1 || units > 1024 {
			t.Errorf("%q is described in %d UTF-16 units; installers refuse it", e.Name, units)
		}
		if _, twice := promises[e.Name]; twice {
			t.Errorf("%q is in the index twice", e.Name)
		}
		archive := r.get(t, r.resolved(t, v2Path, e.URL))
		if sum := sha256.Sum256(archive); e.Type != "archive" || e.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the %s at %s has the digest %x, want %s", e.Name, e.Type, e.URL, sum, e.Digest)
		}
		files := unpacked(t, archive)
		id, _, ok := strings.Cut(strings.TrimPrefix(e.URL, "/v1/skills/"), "/")
		if !ok {
			t.Errorf("%s is at %s, want an address with its id", e.Name, e.URL)
		}
		promises[e.Name] = promise{id, e.Description, e.Version, files}
	}
	for _, e := range v1.Skills {
		p, there := promises[e.Name]
		if !there || p.description != e.Description || p.version != e.Version ||
			!slices.Equal(slices.Sorted(slices.Values(e.Files)), slices.Sorted(maps.Keys(p.files))) {
			t.Errorf("%s has one entry in one index and another in the other", e.Name)
		}
		for _, file := range e.Files {
			for _, path := range []string{v1Path, v2Path} {
				at := r.resolved(t, path, (&url.URL{Path: e.Name + "/" + file}).EscapedPath())
				if got := r.get(t, at); !bytes.Equal(got, p.files[file]) {
					t.Errorf("%s is other than in the archive", at)
				}
			}
		}
	}
	if len(v1.Skills) != len(promises) {
		t.Errorf("one index has %d skills, the other %d", len(v1.Skills), len(promises))
	}
	return promises
}

// name returns the name of the skill with the id.
func name(t *testing.T, promises map[string]promise, id string) string {
	t.Helper()
	for name, p := range promises {
		if p.id == id {
			return name
		}
	}
	t.Fatalf("no index has %s", id)
	return ""
}

func (r *registry) resolved(t *testing.T, base, reference string) string {
	t.Helper()
	from, err := url.Parse(r.url + base)
	if err != nil {
		t.Fatal(err)
	}
	at, err := from.Parse(reference)
	if err != nil {
		t.Fatal(err)
	}
	return at.String()
}

func (r *registry) getJSON(t *testing.T, path string, into any) {
	t.Helper()
	if err := json.Unmarshal(r.get(t, r.url+path), into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func (r *registry) get(t *testing.T, at string) []byte {
	t.Helper()
	resp, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v", at, resp.Status, err)
	}
	return body
}

func unpacked(t *testing.T, archive []byte) map[string][]byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
}
