package agentskills_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

func TestAnArchiveIsTakenAsPeoplePackIt(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("d", 90) + "/" + strings.Repeat("f", 90)
	want := []agentskills.File{
		{Name: "SKILL.md", Content: []byte(skill)},
		{Name: long, Content: []byte("long")},
		{Name: "scripts/run.sh", Content: []byte("#!/bin/sh\n")},
	}
	script := func(t testing.TB, w *tar.Writer) { entry("./scripts/run.sh", "#!/bin/sh\n")(t, w) }
	form := func(f tar.Format) func(*tar.Header) { return func(h *tar.Header) { h.Format = f } }
	for name, packed := range map[string][]byte{
		"as GNU tar has it, from inside": archive(t,
			entry("./", "", kind(tar.TypeDir)), entry("./scripts/", "", kind(tar.TypeDir)), script,
			entry("./"+long, "long", form(tar.FormatGNU)), entry("./SKILL.md", skill)),
		"as bsdtar has it": archive(t,
			entry("SKILL.md", skill, form(tar.FormatPAX)), entry(long, "long", form(tar.FormatUSTAR)),
			entry("scripts", "", kind(tar.TypeDir)), script),
		"as macOS has it": archive(t,
			entry("./._SKILL.md", "resource"), entry("./SKILL.md", skill, func(h *tar.Header) {
				h.PAXRecords = map[string]string{"LIBARCHIVE.xattr.com.apple.provenance": "AQ=="}
			}), entry("./scripts/._run.sh", "resource"), script, entry("./"+long, "long")),
		"as git archive has it": archive(t,
			func(t testing.TB, w *tar.Writer) {
				if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "0"}}); err != nil {
					t.Fatal(err)
				}
			}, entry("SKILL.md", skill), entry("scripts/run.sh", "#!/bin/sh\n"), entry(long, "long")),
		"filled up with zeros": zip(t, append(tarOf(t, entry("SKILL.md", skill), script, entry(long, "long")), make([]byte, 9000)...)),
	} {
		got, err := agentskills.Unpack(packed, limit)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
	}
	packed, err := agentskills.Pack(want)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := agentskills.Unpack(packed, limit); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("as Pack has it: got %q, %v; want %q", got, err, want)
	}
}

func TestWhatTheTarOfThisMachinePacksIsTaken(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "SKILL.md"), skill)
	write(t, filepath.Join(dir, "references", "a.md"), "a")
	for _, format := range []string{"gnu", "ustar", "pax"} {
		packed, err := exec.Command("tar", "--format", format, "-C", dir, "-czf", "-", ".").Output()
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		got, err := agentskills.Unpack(packed, limit)
		if err != nil || len(got) != 2 || string(got[0].Content) != skill || got[1].Name != "references/a.md" {
			t.Errorf("%s: got %q, %v; want both files", format, got, err)
		}
	}
}

func TestWhatIsNoArchiveIsRefused(t *testing.T) {
	t.Parallel()
	whole := archive(t, entry("SKILL.md", skill))
	damaged := slices.Clone(whole)
	damaged[len(damaged)-8] ^= 1 // of the checksum
	plain := tarOf(t, entry("SKILL.md", skill))
	for name, c := range map[string]struct {
		archive []byte
		want    string
	}{
		"nothing":             {nil, "not compressed with gzip"},
		"a zip":               {[]byte("PK\x03\x04"), "not compressed with gzip"},
		"a bare tar":          {plain, "not compressed with gzip"},
		"text in gzip":        {zip(t, bytes.Repeat([]byte("hello"), 200)), "is not a tar"},
		"a short text":        {zip(t, []byte("hello")), "cut off"},
		"half of it":          {whole[:len(whole)/2], "cut off"},
		"all but a byte":      {whole[:len(whole)-1], "cut off"},
		"a tar that was cut":  {zip(t, plain[:530]), "cut off"},
		"another checksum":    {damaged, "checksum"},
		"a byte behind":       {append(slices.Clone(whole), 0), "1 bytes stand behind its end"},
		"two members":         {slices.Concat(whole, whole), "stand behind its end"},
		"something in behind": {zip(t, append(slices.Clone(plain), 'x')), "behind the end of the tar"},
	} {
		_, err := agentskills.Unpack(c.archive, limit)
		var none *agentskills.ArchiveError
		if !errors.As(err, &none) || !strings.Contains(none.Reason, c.want) {
			t.Errorf("%s: got %v, want an ArchiveError with %q", name, err, c.want)
		}
	}
}

func TestHostileEntriesAreRefusedByName(t *testing.T) {
	t.Parallel()
	gnu := func(h *tar.Header) { h.Format = tar.FormatGNU }
	for name, c := range map[string]struct {
		entry func(testing.TB, *tar.Writer)
		field string
		want  string
	}{
		"an absolute path":         {entry("/etc/cron.d/x", "x"), "/~1etc~1cron.d~1x", "absolute"},
		"out of the folder":        {entry("../x", "x"), "/..~1x", ".."},
		"out and in again":         {entry("a/../../x", "x"), "/a~1..~1..~1x", ".."},
		"a folder that is out":     {entry("../x/", "", kind(tar.TypeDir)), "/..~1x~1", ".."},
		"a backslash":              {entry(`a\x`, "x"), `/a\x`, `\`},
		"two dots in a name":       {entry("notes..md", "x"), "/notes..md", ".. in it"},
		"a query":                  {entry("a?b", "x"), "/a?b", "one with ?"},
		"a fragment":               {entry("a/b#c", "x"), "/a~1b#c", "one with #"},
		"an escape":                {entry("%2e%2e/x", "x"), "/%2e%2e~1x", "one with %"},
		"a drive":                  {entry("C:x", "x"), "/C:x", "one with :"},
		"an empty part":            {entry("a//x", "x"), "/a~1~1x", "empty part"},
		"a dot":                    {entry("a/./x", "x"), "/a~1.~1x", "empty part"},
		"two dots in front":        {entry("././x", "x"), "/.~1.~1x", "empty part"},
		"no UTF-8":                 {entry("a\xff", "x", gnu), "/a\uFFFD", "other bytes"},
		"a line break":             {entry("a\nb", "x"), "/a\nb", "one with some"},
		"a name that is not ASCII": {entry("größe.md", "x"), "/größe.md", "another one"},
		"a long name":              {entry(strings.Repeat("d/", 3)+strings.Repeat("n", 195), "x", gnu), "/d~1d~1d~1" + strings.Repeat("n", 195), "201 bytes"},
		"a part that is long":      {entry(strings.Repeat("n", 101), "x", gnu), "/" + strings.Repeat("n", 101), "another one"},
		"deep folders":             {entry("1/2/3/4/5/6/7/8/x", "x"), "/1~12~13~14~15~16~17~18~1x", "8 folders"},
		"the same again":           {entry("./SKILL.md", "x"), "/SKILL.md", "the same name again"},
		"another case":             {entry("Skill.MD", "x"), "/Skill.MD", "a file beside SKILL.md"},
		"a file as a folder":       {entry("skill.md/x", "x"), "/skill.md~1x", "the file SKILL.md"},
		"a symbolic link":          {entry("x", "", kind(tar.TypeSymlink)), "/x", "a symbolic link"},
		"a hard link":              {entry("x", "", kind(tar.TypeLink)), "/x", "a hard link"},
		"a device":                 {entry("x", "", kind(tar.TypeChar)), "/x", "a device"},
		"a disk":                   {entry("x", "", kind(tar.TypeBlock)), "/x", "a device"},
		"a pipe":                   {entry("x", "", kind(tar.TypeFifo)), "/x", "a named pipe"},
		"something of its own":     {entry("x", "", kind('Z')), "/x", "an entry of type 'Z'"},
	} {
		packed := archive(t, entry("SKILL.md", skill), c.entry)
		violation := onlyViolation(t, name, packed, limit)
		if violation.Field != c.field || !strings.Contains(violation.Actual, c.want) {
			t.Errorf("%s: got %+v, want one at %q with %q", name, violation, c.field, c.want)
		}
	}
}

func TestEveryFaultOfAnArchiveIsReported(t *testing.T) {
	t.Parallel()
	_, err := agentskills.Unpack(archive(t, entry("/a", "x"), entry("b", "", kind(tar.TypeSymlink)), entry("c", "x"), entry("C", "x")), limit)
	var invalid *protocol.ValidationError
	if !errors.As(err, &invalid) || len(invalid.Violations) != 3 {
		t.Errorf("got %v, want three faults", err)
	}
	many := make([]func(testing.TB, *tar.Writer), 400)
	for i := range many {
		many[i] = entry(fmt.Sprintf("/%d", i), "")
	}
	if _, err := agentskills.Unpack(archive(t, many...), limit); !errors.As(err, &invalid) || len(invalid.Violations) != 100 {
		t.Errorf("got %v, want the first hundred", err)
	}
}

func TestAFolderWithoutSKILLMDIsNoSkill(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		entry func(testing.TB, *tar.Writer)
		want  string
	}{
		"none":             {entry("README.md", "x"), "nothing"},
		"in another case":  {entry("skill.md", skill), "nothing"},
		"in a folder":      {entry("my-skill/SKILL.md", skill), "there is my-skill/SKILL.md: pack what is in the folder"},
		"a folder":         {entry("SKILL.md/", "", kind(tar.TypeDir)), "nothing"},
		"what macOS added": {entry("._SKILL.md", skill), "nothing"},
	} {
		violation := onlyViolation(t, name, archive(t, c.entry), limit)
		if violation.Field != "/SKILL.md" || !strings.Contains(violation.Actual, c.want) {
			t.Errorf("%s: got %+v, want one at /SKILL.md with %q", name, violation, c.want)
		}
	}
	violation := onlyViolation(t, "an empty archive", archive(t), limit)
	if violation.Field != "/SKILL.md" {
		t.Errorf("an empty archive: got %+v", violation)
	}
}

func TestAnArchiveHasNoMoreThanItMay(t *testing.T) {
	t.Parallel()
	files := func(n int) []byte {
		entries := []func(testing.TB, *tar.Writer){entry("SKILL.md", skill)}
		for i := range n - 1 {
			entries = append(entries, entry(fmt.Sprintf("f%d", i), ""))
		}
		return archive(t, entries...)
	}
	if got, err := agentskills.Unpack(files(500), limit); err != nil || len(got) != 500 {
		t.Errorf("500 files: got %d, %v", len(got), err)
	}
	if v := onlyViolation(t, "501 files", files(501), limit); v.Expected != "at most 500 files" {
		t.Errorf("501 files: got %+v", v)
	}
	plain := tarOf(t, entry("SKILL.md", skill))
	if _, err := agentskills.Unpack(zip(t, plain), int64(len(plain))); err != nil {
		t.Errorf("as much as may be: %v", err)
	}
	if v := onlyViolation(t, "a byte more", zip(t, plain), int64(len(plain)-1)); !strings.HasPrefix(v.Expected, "at most 2047 bytes") {
		t.Errorf("a byte more: got %+v", v)
	}
}

// TestABombIsNotUnpacked is about archives that say they are small, and ones that say they
// are large: what counts is what comes out.
func TestABombIsNotUnpacked(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("\x00", 8<<20)
	holes := tarOf(t, entry("SKILL.md", skill), entry("x", "x"))
	header := holes[len(holes)-2048:]
	for name, packed := range map[string][]byte{
		"one large file":      archive(t, entry("SKILL.md", skill), entry("x", zeros)),
		"zeros behind a tar":  zip(t, append(tarOf(t, entry("SKILL.md", skill)), zeros...)),
		"folders without end": archive(t, slices.Repeat([]func(testing.TB, *tar.Writer){entry("x/", "", kind(tar.TypeDir))}, 3000)...),
	} {
		if v := onlyViolation(t, name, packed, limit); !strings.HasPrefix(v.Expected, "at most 1048576 bytes") {
			t.Errorf("%s: got %+v", name, v)
		}
	}
	// A file that says it has eight gigabytes, and has a byte.
	const size = 124
	for i := range 11 {
		header[size+i] = '7'
	}
	sum := 0
	for i, b := range header[:512] {
		if i >= 148 && i < 156 {
			b = ' '
		}
		sum += int(b)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
	packed := zip(t, holes)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var none *agentskills.ArchiveError
	if _, err := agentskills.Unpack(packed, limit); !errors.As(err, &none) || none.Reason != "it was cut off" {
		t.Errorf("eight gigabytes that are not there: got %v", err)
	}
	runtime.ReadMemStats(&after)
	const most = 1 << 30 // other tests allocate at the same time, but not that much
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > most {
		t.Errorf("eight gigabytes that are not there: %d MiB were allocated", allocated>>20)
	}
}

func TestAFileWithHolesIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "SKILL.md"), skill)
	if out, err := exec.Command("truncate", "-s", "1G", filepath.Join(dir, "holes")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, format := range []string{"gnu", "pax"} {
		packed, err := exec.Command("tar", "--format", format, "-C", dir, "-Sczf", "-", "SKILL.md", "holes").Output()
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if v := onlyViolation(t, format, packed, limit); v.Field != "/holes" || v.Actual != "a file with holes" {
			t.Errorf("%s: got %+v", format, v)
		}
	}
}

// onlyViolation returns the one fault that an archive has to have.
func onlyViolation(t *testing.T, name string, packed []byte, limit int64) protocol.Violation {
	t.Helper()
	files, err := agentskills.Unpack(packed, limit)
	var invalid *protocol.ValidationError
	if !errors.As(err, &invalid) || len(invalid.Violations) != 1 || files != nil {
		t.Errorf("%s: got %d files, %v; want one violation", name, len(files), err)
		return protocol.Violation{}
	}
	return invalid.Violations[0]
}
