package agentskills

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// MaxUnpacked is the most that a tar may have, whatever the limits, in bytes.
const MaxUnpacked = 64 << 20

// What the files of a skill keep to.
const (
	maxFiles = 500
	// maxPath is of a name with its folders, in bytes, and maxParts counts the folders and
	// the file.
	maxPath  = 200
	maxParts = 8
	// maxFaults is after how many faults nobody looks for more.
	maxFaults = 100
)

// ArchiveError says that bytes are no archive, or a damaged one.
type ArchiveError struct {
	// Reason says what is wrong, in words for whoever made the archive.
	Reason string
}

func (e *ArchiveError) Error() string { return "not an archive: " + e.Reason }

// Unpack returns the files of a tar in gzip, the SKILL.md first and the
// others by name, as Pack has them. Folders, and what macOS adds, are left out; a leading ./ is,
// too. At most limit bytes are read of the tar, whatever it says of itself.
//
// An *ArchiveError says that it is none; a *protocol.ValidationError has every fault of
// what is in it, with pointers into an object of the files by name. What SKILL.md says is
// not looked at.
func Unpack(archive []byte, limit int64) ([]File, error) {
	rest := bytes.NewReader(archive)
	z, err := gzip.NewReader(rest)
	if err != nil {
		return nil, &ArchiveError{Reason: "it is not compressed with gzip"}
	}
	// Another member would be one more archive, which most programs do not look for.
	z.Multistream(false)
	in := &bounded{in: z, left: limit}
	u := unpacking{names: map[string]string{}}
	err = u.read(tar.NewReader(in))
	if err == nil && !u.ended() {
		err = onlyZeros(in)
	}
	switch {
	case errors.Is(err, errTooMuch):
		u.fault("", fmt.Sprintf("at most %d bytes when it is unpacked", limit), "more")
	case err != nil:
		return nil, &ArchiveError{Reason: reasonOf(err)}
	case !u.ended() && rest.Len() > 0:
		return nil, &ArchiveError{Reason: fmt.Sprintf("%d bytes stand behind its end", rest.Len())}
	}
	u.nameConflicts()
	if len(u.faults) == 0 {
		u.needSkillMD()
	}
	if len(u.faults) > 0 {
		return nil, &protocol.ValidationError{Violations: u.faults}
	}
	return u.files, nil
}

// reasonOf puts what met a reader of an archive in words.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "it was cut off"
	case errors.Is(err, gzip.ErrChecksum):
		return "its checksum is not that of its content"
	case errors.Is(err, tar.ErrHeader):
		return "what is compressed with gzip is not a tar"
	case errors.Is(err, errBehind):
		return errBehind.Error()
	default:
		return "it is damaged"
	}
}

var (
	errTooMuch = errors.New("more than may be read")
	errBehind  = errors.New("something stands behind the end of the tar")
)

// bounded is a reader of which only so much is read.
type bounded struct {
	in   io.Reader
	left int64
}

func (b *bounded) Read(to []byte) (int, error) {
	if b.left <= 0 {
		// One byte more tells an end from a cut.
		var one [1]byte
		n, err := b.in.Read(one[:])
		if n > 0 {
			return 0, errTooMuch
		}
		return 0, err
	}
	if int64(len(to)) > b.left {
		to = to[:b.left]
	}
	n, err := b.in.Read(to)
	b.left -= int64(n)
	return n, err
}

// onlyZeros reads what a tar is filled up with, to the end.
func onlyZeros(in io.Reader) error {
	buffer := make([]byte, 4<<10)
	for {
		n, err := in.Read(buffer)
		if strings.Trim(string(buffer[:n]), "\x00") != "" {
			return errBehind
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// unpacking is what was found in an archive so far.
type unpacking struct {
	files  []File
	faults []protocol.Violation
	// names are those of the files as a disk that does not tell cases apart has them, each
	// with the name itself.
	names map[string]string
}

// ended reports whether enough is known to be wrong.
func (u *unpacking) ended() bool { return len(u.faults) >= maxFaults || len(u.files) > maxFiles }

func (u *unpacking) fault(name, expected, actual string) {
	field := ""
	if name != "" {
		field = pointer(name)
	}
	u.faults = append(u.faults, protocol.Violation{Field: field, Expected: expected, Actual: actual})
}

// pointer is the JSON Pointer to a file in an object of all of them.
func pointer(name string) string {
	const longest = maxPath + 56
	if len(name) > longest {
		name = name[:longest] + "…"
	}
	return "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(strings.ToValidUTF8(name, "\uFFFD"))
}

func (u *unpacking) read(in *tar.Reader) error {
	for !u.ended() {
		h, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			continue
		}
		if err := u.entry(h, in); err != nil {
			return err
		}
	}
	if len(u.files) > maxFiles {
		u.fault("", fmt.Sprintf("at most %d files", maxFiles), "more")
	}
	return nil
}

// entry takes one entry in.
func (u *unpacking) entry(h *tar.Header, content io.Reader) error {
	name := strings.TrimPrefix(h.Name, "./")
	if h.Typeflag == tar.TypeDir {
		if name = strings.TrimSuffix(name, "/"); name == "" || name == "." {
			return nil
		}
	}
	if expected, actual := nameFault(name); expected != "" {
		u.fault(h.Name, expected, actual)
		return nil
	}
	switch {
	case h.Typeflag == tar.TypeDir, strings.HasPrefix(path.Base(name), "._"):
		return nil
	case h.Typeflag != tar.TypeReg || isSparse(h):
		u.fault(name, "a file or a folder", kindOf(h))
		return nil
	}
	switch other, there := u.names[strings.ToLower(name)]; {
	case there && other == name:
		u.fault(name, "each file once", "the same name again")
		return nil
	case there:
		u.fault(name, "names that differ by more than their case", "a file beside "+other)
		return nil
	}
	// What it says of its size is not believed: as much is taken as there is.
	data, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	u.names[strings.ToLower(name)] = name
	u.files = append(u.files, File{Name: name, Content: data})
	return nil
}

// oddInNames are characters that mean something in an address, or may not be in the name
// of a file everywhere.
const oddInNames = `?#%:[]*"<>|`

// nameFault returns what is expected of a name that is none for a file, and what is there;
// nothing for one that is.
func nameFault(name string) (expected, actual string) {
	parts := strings.Split(name, "/")
	switch {
	case name == "":
		return "a name", "an empty one"
	case !utf8.ValidString(name):
		return "a name in UTF-8", "other bytes"
	case strings.ContainsFunc(name, unicode.IsControl):
		return "a name without control characters", "one with some"
	case len(name) > maxPath:
		return fmt.Sprintf("a name of at most %d bytes", maxPath), fmt.Sprintf("%d bytes", len(name))
	case strings.HasPrefix(name, "/"):
		return "a name inside the archive", "an absolute one"
	case strings.Contains(name, `\`):
		return "a name with / between folders", `one with a \`
	case slices.Contains(parts, ".."):
		return "a name inside the archive", "one with .. in it"
	// Installers refuse every skill of an index, if one file of one has such a name.
	case strings.Contains(name, ".."):
		return "a name without two dots in a row", "one with .. in it"
	// Clients put a name behind an address as it is, and on disks of every system.
	case strings.ContainsAny(name, oddInNames):
		return "a name without any of " + oddInNames, "one with " + name[strings.IndexAny(name, oddInNames):][:1]
	case slices.Contains(parts, "."), slices.Contains(parts, ""):
		return "a name in its shortest form", "one with an empty part, or ."
	case slices.ContainsFunc(parts, func(part string) bool { return strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") }):
		return "a name that no part of ends with a dot or a space", "one with such a part"
	case len(parts) > maxParts:
		return fmt.Sprintf("at most %d folders and the file", maxParts-1), fmt.Sprintf("%d folders", len(parts)-1)
	}
	if _, err := Pack([]File{{Name: name}}); err != nil {
		return "a name that USTAR can hold: in ASCII, with no part of more than 90 bytes", "another one"
	}
	return "", ""
}

// isSparse reports whether an entry stands for more than what is stored of it.
func isSparse(h *tar.Header) bool {
	for name := range h.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return h.Typeflag == tar.TypeGNUSparse
}

// kindOf says what an entry is that is not taken.
func kindOf(h *tar.Header) string {
	switch h.Typeflag {
	case tar.TypeSymlink:
		return "a symbolic link"
	case tar.TypeLink:
		return "a hard link"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	case tar.TypeFifo:
		return "a named pipe"
	}
	if isSparse(h) {
		return "a file with holes"
	}
	return fmt.Sprintf("an entry of type %q", h.Typeflag)
}

// nameConflicts sorts the files, and finds those that are in the place of a folder.
func (u *unpacking) nameConflicts() {
	slices.SortFunc(u.files, func(a, b File) int { return compareNames(a.Name, b.Name) })
	for _, f := range u.files {
		for dir := path.Dir(strings.ToLower(f.Name)); dir != "."; dir = path.Dir(dir) {
			if other, there := u.names[dir]; there && len(u.faults) < maxFaults {
				u.fault(f.Name, "a folder where its name says so", "the file "+other)
			}
		}
	}
}

// needSkillMD finds that SKILL.md is not there, or is somewhere else.
func (u *unpacking) needSkillMD() {
	if u.names[strings.ToLower(SkillFile)] == SkillFile {
		return
	}
	actual := "nothing"
	for _, f := range u.files {
		if path.Base(f.Name) == SkillFile {
			actual = "nothing; there is " + f.Name + ": pack what is in the folder, and not the folder itself"
			break
		}
	}
	u.fault(SkillFile, "the file that says what the skill is, at the root", actual)
}
