package client_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestFilesGoToARegistryAndComeBack(t *testing.T) {
	t.Parallel()
	r := serve(t, storetest.SQLite(t))
	admin, anyone := open(t, r.url, adminKey), open(t, r.url, "")
	if _, err := admin.Publish(t.Context(), protocoltest.Valid("com.example.a", "1.0.0+b", "public", "api"), client.PublishOptions{}); err != nil {
		t.Fatal(err)
	}
	pack := func(text string) []byte {
		archive, err := agentskills.Pack([]agentskills.File{
			{Name: "SKILL.md", Content: []byte("---\nname: other\ndescription: d\n---\n" + text)}, {Name: "a/b", Content: []byte("\x00")},
		})
		if err != nil {
			t.Fatal(err)
		}
		return archive
	}
	for i, created := range []bool{true, false} {
		got, err := admin.AttachFiles(t.Context(), "com.example.a", "1.0.0+b", pack("one"))
		if err != nil || got.Created != created || got.ID != "com.example.a" || got.Version != "1.0.0+b" || len(got.Digest) != 71 ||
			!slices.Equal(got.Files, []string{"SKILL.md", "a/b"}) || len(got.Warnings) != 1 {
			t.Errorf("attached %d times before: got %+v and error %v", i, got, err)
		}
	}
	if got, err := anyone.Files(t.Context(), "com.example.a", "1.0.0+b"); err != nil || !slices.Equal(got, pack("one")) {
		t.Errorf("got %d bytes and error %v, want what was attached", len(got), err)
	}
	for name, c := range map[string]struct {
		version string
		archive []byte
		want    int
	}{
		"other files":       {"1.0.0+b", pack("other"), http.StatusConflict},
		"no such version":   {"2.0.0", pack("one"), http.StatusNotFound},
		"no archive":        {"1.0.0+b", []byte("x"), http.StatusBadRequest},
		"nothing":           {"1.0.0+b", nil, http.StatusBadRequest},
		"no version at all": {"", pack("one"), 0},
	} {
		if _, err := admin.AttachFiles(t.Context(), "com.example.a", c.version, c.archive); err == nil || status(err) != c.want {
			t.Errorf("%s: got error %v, want status %d", name, err, c.want)
		}
	}
	if _, err := anyone.Files(t.Context(), "com.example.a", "2.0.0"); status(err) != http.StatusNotFound {
		t.Errorf("files of no version: got error %v, want status 404", err)
	}
}
