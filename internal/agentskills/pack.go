package agentskills

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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
// files have the same bytes, whatever program packs them. A name that the format can't
// hold, such as one that is not ASCII, is an error.
func Pack(files []File) ([]byte, error) {
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b File) int { return compareNames(a.Name, b.Name) })
	var out bytes.Buffer
	t := tar.NewWriter(&out)
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
	return gzipStored(out.Bytes()), nil
}

// gzipStored returns the data as one gzip member (RFC 1952) of stored blocks (RFC 1951,
// 3.2.4). Package compress/gzip would take ten times as long for what is mostly small, and
// promises nothing of which bytes it writes.
func gzipStored(data []byte) []byte {
	const most = 1<<16 - 1 // of one block
	out := make([]byte, 0, len(data)+5*(len(data)/most+1)+18)
	out = append(out, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"...)
	for rest := data; ; {
		block := rest[:min(len(rest), most)]
		rest = rest[len(block):]
		final := byte(0)
		if len(rest) == 0 {
			final = 1
		}
		out = append(out, final)
		out = binary.LittleEndian.AppendUint16(out, uint16(len(block)))
		out = binary.LittleEndian.AppendUint16(out, ^uint16(len(block)))
		out = append(out, block...)
		if final == 1 {
			break
		}
	}
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(data))
	return binary.LittleEndian.AppendUint32(out, uint32(len(data)))
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
