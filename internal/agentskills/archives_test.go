package agentskills_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"testing"
)

const limit = 1 << 20

// skill is a SKILL.md with nothing wrong in it.
const skill = "---\nname: a\ndescription: Does what a does.\n---\n# A\n"

// entry returns what a tar says of a file, and its content.
func entry(name, content string, change ...func(*tar.Header)) func(testing.TB, *tar.Writer) {
	return func(t testing.TB, w *tar.Writer) {
		h := tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: 0o755}
		for _, c := range change {
			c(&h)
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatalf("%q: %v", name, err)
		}
	}
}

// kind gives an entry a type, and whatever a link is to.
func kind(flag byte) func(*tar.Header) {
	return func(h *tar.Header) { h.Typeflag, h.Linkname = flag, "/etc/passwd" }
}

func tarOf(t testing.TB, entries ...func(testing.TB, *tar.Writer)) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, e := range entries {
		e(t, w)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zip(t testing.TB, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func archive(t testing.TB, entries ...func(testing.TB, *tar.Writer)) []byte {
	t.Helper()
	return zip(t, tarOf(t, entries...))
}
