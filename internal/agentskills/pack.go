package agentskills

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
)

// File is one file of a skill's folder.
type File struct {
	// Name is its path in the folder, with slashes, relative and clean.
	Name string
	// Content may be shared with others, and is only read.
	Content []byte
}

// SkillFile is the file that makes a folder an Agent Skill.
const SkillFile = "SKILL.md"

// Pack returns the files as an archive: USTAR (POSIX.1-1988) in gzip, the SKILL.md first
// and the others by name. Nothing but names and contents goes in (a file that names its
// interpreter behind "#!" may be executed), and nothing is compressed, so that the same
// files have the same bytes, whatever program packs them. A
// name that the format can't hold, such as one that is not ASCII, is an error.
func Pack(files []File) ([]byte, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return compareNames(a.Name, b.Name) })
	var out bytes.Buffer
	// The level is valid, so there is no error; and a bytes.Buffer never fails.
	z, _ := gzip.NewWriterLevel(&out, gzip.NoCompression)
	t := tar.NewWriter(z)
	for _, f := range files {
		header := tar.Header{Typeflag: tar.TypeReg, Name: f.Name, Size: int64(len(f.Content)), Mode: 0o644, Format: tar.FormatUSTAR}
		if bytes.HasPrefix(f.Content, []byte("#!")) {
			header.Mode = 0o755
		}
		if err := t.WriteHeader(&header); err != nil {
			return nil, fmt.Errorf("packing %q: %w", f.Name, err)
		}
		if _, err := t.Write(f.Content); err != nil {
			return nil, fmt.Errorf("packing %q: %w", f.Name, err)
		}
	}
	if err := t.Close(); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	return out.Bytes(), nil
}

// compareNames puts the SKILL.md first and the others in the order of their bytes.
func compareNames(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == SkillFile:
		return -1
	case b == SkillFile:
		return 1
	}
	return strings.Compare(a, b)
}
