package catalog_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// fataler is what *testing.T and *rapid.T share.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// body returns an entity's bytes, after a look at all that it promises of them.
func body(t fataler, e *catalog.Entity) []byte {
	t.Helper()
	var plain, packed bytes.Buffer
	if err := e.WriteTo(&plain, false); err != nil {
		t.Fatalf("writing: %v", err)
	}
	if err := e.WriteTo(&packed, true); err != nil {
		t.Fatalf("writing gzip: %v", err)
	}
	if got, want := e.Len(false), int64(plain.Len()); got != want {
		t.Fatalf("Len is %d, and %d bytes came", got, want)
	}
	if got, want := e.Len(true), int64(packed.Len()); got != want {
		t.Fatalf("Len of the gzip is %d, and %d bytes came", got, want)
	}
	if e.ETag(true) == e.ETag(false) {
		t.Fatalf("both encodings have the tag %s", e.ETag(true))
	}
	source := bufferReader{&packed}
	unpack, err := gzip.NewReader(source)
	if err != nil {
		t.Fatalf("reading the gzip: %v", err)
	}
	unpack.Multistream(false)
	unpacked, err := io.ReadAll(unpack)
	if err != nil {
		t.Fatalf("unpacking the gzip: %v", err)
	}
	if !bytes.Equal(unpacked, plain.Bytes()) {
		t.Fatalf("the gzip holds\n%s\nand the plain bytes are\n%s", unpacked, plain.Bytes())
	}
	if packed.Len() != 0 {
		t.Fatalf("%d bytes follow the one gzip member", packed.Len())
	}
	return plain.Bytes()
}

// bufferReader reads byte by byte where it is asked to, so that a gzip reader takes no
// more than it needs.
type bufferReader struct{ *bytes.Buffer }

func ids(t fataler, e *catalog.Entity) []string {
	t.Helper()
	var index protocol.Index
	if err := json.Unmarshal(body(t, e), &index); err != nil {
		t.Fatalf("the index is not JSON: %v", err)
	}
	list := []string{}
	for _, s := range index.Skills {
		list = append(list, s.ID)
	}
	return list
}

func TestIndexIsWrittenWhole(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	c := open(t, s, options())
	e, next := snapshot(t, c).Index(access.Caller{}, catalog.IndexQuery{})
	want := `{"protocol":{"version":"1.0.0"},"provider":{"name":"Example Corp"},"skills":[]}`
	if got := string(body(t, e)); got != want || next != "" {
		t.Fatalf("the empty index is\n%s, next %q; want\n%s", got, next, want)
	}

	s.publish(t, version("com.example.b", "1.0.0"))
	s.publish(t, version("com.example.a", "2.0.0+x", withAccess(protocol.Restricted)))
	e, _ = snapshot(t, c).Index(access.Caller{}, catalog.IndexQuery{})
	want = `{"protocol":{"version":"1.0.0"},"provider":{"name":"Example Corp"},"skills":[` +
		`{"id":"com.example.a","name":"Skill com.example.a","capability_type":"api","description":"Says what Skill com.example.a does.",` +
		`"descriptor_url":"https://registry.example/v1/skills/com.example.a/versions/2.0.0+x","access":"restricted","version":"2.0.0+x"},` +
		`{"id":"com.example.b","name":"Skill com.example.b","capability_type":"api","description":"Says what Skill com.example.b does.",` +
		`"descriptor_url":"https://registry.example/v1/skills/com.example.b/versions/1.0.0","access":"public","version":"1.0.0"}]}`
	if got := string(body(t, e)); got != want {
		t.Fatalf("the index is\n%s\nwant\n%s", got, want)
	}
}

func TestNamespacesCoverAtDotsOnly(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	for _, id := range []string{"com.one", "com.one-x.a", "com.one.a", "com.one.b.c", "com.onex.a", "com.one_x", "com.two", "com.on"} {
		s.publish(t, version(id, "1.0.0", withAccess(protocol.Private)))
	}
	s.publish(t, version("com.open", "1.0.0"))
	view := snapshot(t, open(t, s, options()))
	for _, test := range []struct {
		namespaces []access.Namespace
		want       string
	}{
		{nil, "com.open"},
		{[]access.Namespace{"com.one"}, "com.one com.one.a com.one.b.c com.open"},
		{[]access.Namespace{"com.one.b"}, "com.one.b.c com.open"},
		{[]access.Namespace{"com.one.b", "com.one", "com.one", "com.two"}, "com.one com.one.a com.one.b.c com.open com.two"},
		{[]access.Namespace{"com"}, "com.on com.one com.one-x.a com.one.a com.one.b.c com.one_x com.onex.a com.open com.two"},
		{[]access.Namespace{"*"}, "com.on com.one com.one-x.a com.one.a com.one.b.c com.one_x com.onex.a com.open com.two"},
		{[]access.Namespace{"co", ""}, "com.open"},
	} {
		e, _ := view.Index(reader(test.namespaces...), catalog.IndexQuery{})
		if got := strings.Join(ids(t, e), " "); got != test.want {
			t.Errorf("a reader of %q sees %q, want %q", test.namespaces, got, test.want)
		}
	}
}

// TestIndexAgreesWithAPlainFilter compares every kind of index with the obvious one:
// all the skills, filtered and sorted.
func TestIndexAgreesWithAPlainFilter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &shelfSource{}
		c, err := catalog.Open(t.Context(), s, options())
		if err != nil {
			t.Fatalf("opening: %v", err)
		}
		model := map[string][]skillVersion{}
		for range rapid.IntRange(0, 30).Draw(t, "writes") {
			v := drawVersion(t)
			if slices.ContainsFunc(model[v.id], func(o skillVersion) bool { return o.version == v.version }) {
				continue
			}
			model[v.id] = append(model[v.id], v)
			s.publish(t, v)
			if rapid.Bool().Draw(t, "read between") {
				if _, _, err := c.Snapshot(t.Context()); err != nil {
					t.Fatalf("taking a snapshot: %v", err)
				}
			}
		}
		caller := rapid.SampledFrom([]access.Caller{
			{}, reader("com"), reader("com.a"), reader("com.a", "org.b"), reader("*"),
			{KeyID: "k", Scopes: []access.Scope{access.Admin}},
		}).Draw(t, "caller")
		types := rapid.SliceOfDistinct(rapid.SampledFrom(protocol.CapabilityTypes()), rapid.ID).Draw(t, "types")
		limit := rapid.IntRange(1, 5).Draw(t, "limit")

		var want []string
		for id, versions := range model {
			releases := make([]access.Release, len(versions))
			for i, v := range versions {
				releases[i] = access.Release{Version: v.version, Status: v.status, Access: v.access}
			}
			i := access.Latest(releases)
			if i < 0 || !caller.Sees(id, access.SkillAccess(releases), versions[i].access) ||
				len(types) > 0 && !slices.Contains(types, versions[i].kind) {
				continue
			}
			want = append(want, id)
		}
		slices.Sort(want)

		moved, _, err := c.Snapshot(t.Context())
		if err != nil {
			t.Fatalf("taking a snapshot: %v", err)
		}
		fresh, err := catalog.Open(t.Context(), s, options())
		if err != nil {
			t.Fatalf("opening another: %v", err)
		}
		loaded, _, err := fresh.Snapshot(t.Context())
		if err != nil {
			t.Fatalf("taking another snapshot: %v", err)
		}

		var set catalog.Types
		for _, kind := range types {
			ok := false
			if set, ok = set.With(kind); !ok {
				t.Fatalf("%q is no capability type", kind)
			}
		}
		whole, next := moved.Index(caller, catalog.IndexQuery{Types: set})
		if got := ids(t, whole); !slices.Equal(got, want) || next != "" {
			t.Fatalf("the index has %q, next %q; want %q", got, next, want)
		}
		again, _ := loaded.Index(caller, catalog.IndexQuery{Types: set})
		if whole.ETag(false) != again.ETag(false) || !bytes.Equal(body(t, whole), body(t, again)) {
			t.Fatalf("a snapshot that moved forward and one loaded anew differ:\n%s %s\n%s %s",
				whole.ETag(false), body(t, whole), again.ETag(false), body(t, again))
		}
		var walked []string
		after := ""
		for {
			page, next := moved.Index(caller, catalog.IndexQuery{Types: set, After: after, Limit: limit})
			got := ids(t, page)
			if len(got) > limit || next != "" && (len(got) != limit || next != got[limit-1]) {
				t.Fatalf("a page of %d has %q, next %q", limit, got, next)
			}
			walked = append(walked, got...)
			if next == "" {
				break
			}
			after = next
		}
		if !slices.Equal(walked, want) {
			t.Fatalf("the walk met %q, want %q", walked, want)
		}
	})
}

func drawVersion(t *rapid.T) skillVersion {
	v := version(
		rapid.SampledFrom([]string{"com.a", "com.a.x", "com.a-x", "com.b", "org.b", "org.b.y", "net.c"}).Draw(t, "id"),
		rapid.SampledFrom([]string{"1.0.0", "1.1.0", "2.0.0-rc.1", "2.0.0", "10.0.0"}).Draw(t, "version"),
	)
	v.access = rapid.SampledFrom([]protocol.Access{protocol.Public, protocol.Restricted, protocol.Private}).Draw(t, "access")
	v.kind = rapid.SampledFrom(protocol.CapabilityTypes()).Draw(t, "type")
	v.status = rapid.SampledFrom([]access.Status{access.Active, access.Active, access.Deprecated, access.Yanked}).Draw(t, "status")
	v.name = rapid.SampledFrom([]string{"Plain", "Ünï ☃ \u2028", `quo"te\`, strings.Repeat("long ", 500)}).Draw(t, "name")
	return v
}

// TestRunsFollowFromTheEntriesAlone publishes, hides and shows many skills in a random
// order: whatever it was, the bytes, the compressed ones too, are those of a catalog
// that is loaded anew, and a walk in pages meets every skill once.
func TestRunsFollowFromTheEntriesAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &shelfSource{}
		c, err := catalog.Open(t.Context(), s, options())
		if err != nil {
			t.Fatalf("opening: %v", err)
		}
		open := map[string]bool{}
		for i, n := range rapid.SliceOfN(rapid.IntRange(0, 150), 1, 300).Draw(t, "skills") {
			v := version(fmt.Sprintf("com.s%d", n), fmt.Sprintf("1.%d.0", i))
			if open[v.id] {
				v.access = protocol.Private
			}
			open[v.id] = !open[v.id]
			s.publish(t, v)
			if i%7 == 0 {
				if _, _, err := c.Snapshot(t.Context()); err != nil {
					t.Fatalf("taking a snapshot: %v", err)
				}
			}
		}
		var want []string
		for id, open := range open {
			if open {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		fresh, err := catalog.Open(t.Context(), s, options())
		if err != nil {
			t.Fatalf("opening another: %v", err)
		}
		limit := rapid.IntRange(1, 60).Draw(t, "limit")
		var walked []string
		for after, more := "", true; more; {
			var texts [2]bytes.Buffer
			for i, c := range []*catalog.Catalog{c, fresh} {
				view, _, err := c.Snapshot(t.Context())
				if err != nil {
					t.Fatalf("taking a snapshot: %v", err)
				}
				whole, _ := view.Index(access.Caller{}, catalog.IndexQuery{})
				if got := ids(t, whole); !slices.Equal(got, want) {
					t.Fatalf("the index has %q, want %q", got, want)
				}
				page, next := view.Index(access.Caller{}, catalog.IndexQuery{After: after, Limit: limit})
				for _, e := range []*catalog.Entity{whole, page} {
					fmt.Fprintln(&texts[i], e.ETag(true))
					if err := e.WriteTo(&texts[i], true); err != nil {
						t.Fatal(err)
					}
				}
				if i == 1 {
					walked = append(walked, ids(t, page)...)
					after, more = next, next != ""
				}
			}
			if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
				t.Fatal("a snapshot that moved forward and one loaded anew compress to other bytes")
			}
		}
		if !slices.Equal(walked, want) {
			t.Fatalf("pages of %d met %q, want %q", limit, walked, want)
		}
	})
}

func TestPrivateWritesLeaveThePublicBytesAlone(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	c := open(t, s, options())
	s.publish(t, version("com.example.a", "1.0.0"))
	before, _ := snapshot(t, c).Index(access.Caller{}, catalog.IndexQuery{})
	s.publish(t, version("com.example.hidden", "1.0.0", withAccess(protocol.Private)))
	after, _ := snapshot(t, c).Index(access.Caller{}, catalog.IndexQuery{})
	if before.ETag(false) != after.ETag(false) || !bytes.Equal(body(t, before), body(t, after)) {
		t.Errorf("a private publish moved the public index from %s to %s", before.ETag(false), after.ETag(false))
	}
	s.publish(t, version("com.example.b", "1.0.0"))
	moved, _ := snapshot(t, c).Index(access.Caller{}, catalog.IndexQuery{})
	if moved.ETag(false) == after.ETag(false) {
		t.Errorf("a public publish left the tag at %s", moved.ETag(false))
	}
	if got, want := string(body(t, after)), string(body(t, before)); got != want {
		t.Errorf("an index taken before the publish reads\n%s\nafter it, want\n%s", got, want)
	}
}

func TestTagOfAnIndexNamesWhatStandsAroundTheEntries(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	other := options()
	other.Provider.Name = "Another Corp"
	a, _ := snapshot(t, open(t, s, options())).Index(access.Caller{}, catalog.IndexQuery{})
	b, _ := snapshot(t, open(t, s, other)).Index(access.Caller{}, catalog.IndexQuery{})
	if a.ETag(false) == b.ETag(false) {
		t.Errorf("the indexes of two providers have the one tag %s", a.ETag(false))
	}
}

func TestEntityPassesOnTheErrorOfItsWriter(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	for i := range 500 {
		s.publish(t, version(skillID(i), "1.0.0"))
	}
	e, _ := snapshot(t, open(t, s, options())).Index(access.Caller{}, catalog.IndexQuery{})
	for _, packed := range []bool{false, true} {
		if err := e.WriteTo(brokenWriter{}, packed); err != io.ErrClosedPipe {
			t.Errorf("gzip %t: the error is %v, want %v", packed, err, io.ErrClosedPipe)
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
