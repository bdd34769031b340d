package agentskills_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestAnArchiveHoldsItsFiles(t *testing.T) {
	t.Parallel()
	files := []agentskills.File{
		{Name: "scripts/run.sh", Content: []byte("#!/bin/sh\n")},
		{Name: "assets/" + strings.Repeat("o/", 60) + "large", Content: bytes.Repeat([]byte("0123456789"), 20_000)},
		{Name: agentskills.SkillFile, Content: []byte("---\nname: a\ndescription: b\n---\n")},
		{Name: "empty"},
	}
	archive, err := agentskills.Pack(files)
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string][]byte)
	var order []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg || !h.ModTime.IsZero() && h.ModTime.Unix() != 0 || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s has the header %+v, want nothing but a name, a size and a mode", h.Name, h)
		}
		if script := strings.HasPrefix(h.Name, "scripts/"); script != (h.Mode == 0o755) || !script && h.Mode != 0o644 {
			t.Errorf("%s has the mode %o, want that of a file, or of a script", h.Name, h.Mode)
		}
		order = append(order, h.Name)
		if got[h.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	if len(got) != len(files) || order[0] != agentskills.SkillFile {
		t.Errorf("the archive holds %q, want all %d files, the SKILL.md first", order, len(files))
	}
	for _, f := range files {
		if content, there := got[f.Name]; !there || !bytes.Equal(content, f.Content) {
			t.Errorf("%s has %d bytes, want the %d that went in", f.Name, len(content), len(f.Content))
		}
	}
}

// Addresses contain the digest of an archive, and are expected to work in a registry of
// tomorrow: other bytes for the same files need a good reason.
func TestTheBytesOfAnArchiveNeverChange(t *testing.T) {
	t.Parallel()
	a := agentskills.File{Name: agentskills.SkillFile, Content: []byte("# A\n")}
	b := agentskills.File{Name: "references/descriptor.json", Content: bytes.Repeat([]byte("x"), 100_000)}
	const want = "sha256:ed601e0e12cbb24fa600117b20073165488f94e02c9d60a8acc9edc8653717f3"
	for _, files := range [][]agentskills.File{{a, b}, {b, a}} {
		archive, err := agentskills.Pack(files)
		if err != nil {
			t.Fatal(err)
		}
		if got := protocol.Digest(archive); got != want {
			t.Errorf("the archive of %s and %s has the digest %s, want %s", files[0].Name, files[1].Name, got, want)
		}
	}
}

func TestANameThatTheFormatCanNotHoldIsAnError(t *testing.T) {
	t.Parallel()
	for _, name := range []string{strings.Repeat("n", 101), "größe.md"} {
		if _, err := agentskills.Pack([]agentskills.File{{Name: name}}); err == nil {
			t.Errorf("%q was packed, want an error", name)
		}
	}
}
