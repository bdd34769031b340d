package agentskills_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

var update = flag.Bool("update", false, "write the golden files anew")

func validator(t *testing.T) *protocol.Validator {
	t.Helper()
	v, err := protocol.NewValidator(protocol.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSkillFiles(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"post", "get", "placed", "hostile"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			d, err := validator(t).Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			got := agentskills.Folder(&d.Descriptor, d.Canonical)[0].Content
			golden := filepath.Join("testdata", name+".md")
			if *update {
				if err := os.WriteFile(golden, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("the SKILL.md of %s.json is\n%s\nwant\n%s", name, got, want)
			}
		})
	}
}

func TestEveryDescriptorHasAFolder(t *testing.T) {
	t.Parallel()
	v := validator(t)
	protocoltest.Check(t, func(t *rapid.T) {
		d, err := v.Parse(protocoltest.Descriptor().Draw(t, "descriptor").JSON)
		if err != nil {
			t.Fatal(err)
		}
		files := agentskills.Folder(&d.Descriptor, d.Canonical)
		if len(files) != 2 || files[0].Name != "SKILL.md" || string(files[1].Content) != string(d.Canonical) {
			t.Fatalf("the folder has %d files, want a SKILL.md and the descriptor", len(files))
		}
		text := string(files[0].Content)
		head, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
		if !ok {
			t.Fatalf("no front matter in\n%s", text)
		}
		for i, want := range []struct{ member, value string }{
			{"name", agentskills.Name(d.Descriptor.ID)},
			{"description", agentskills.Description(d.Descriptor.Description)},
		} {
			line, _ := strings.CutPrefix(strings.Split(head, "\n")[i], want.member+": ")
			var got string
			if err := json.Unmarshal([]byte(line), &got); err != nil || got != want.value {
				t.Errorf("line %d is %s, want the %s %q as a string of JSON", i+1, line, want.member, want.value)
			}
		}
		front, err := agentskills.ParseFrontMatter(files[0].Content)
		if err != nil || front.Name != agentskills.Name(d.Descriptor.ID) || front.Description != agentskills.Description(d.Descriptor.Description) {
			t.Errorf("read as YAML it says %+v, %v; want the name and the description", front, err)
		}
		archive, err := agentskills.Pack(files)
		if err != nil {
			t.Fatal(err)
		}
		again, err := agentskills.Unpack(archive, agentskills.MaxUnpacked)
		if err != nil || len(again) != 2 || string(again[0].Content) != string(files[0].Content) || string(again[1].Content) != string(files[1].Content) {
			t.Errorf("unpacked it is %d files, %v; want those that were packed", len(again), err)
		}
	})
}

func TestDescriptionsFitAndShowSomething(t *testing.T) {
	t.Parallel()
	protocoltest.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("a \n😀é\u00a0מ")), 1, 1100, -1).
			Filter(func(s string) bool { return strings.TrimSpace(s) != "" }).Draw(t, "text")
		got := agentskills.Description(text)
		units := len(utf16.Encode([]rune(got)))
		if got == "" || units > 1024 || strings.ContainsAny(got, "\n\r\t") {
			t.Errorf("Description has %d units, want 1 to 1024 on one line: %q", units, got)
		}
		line := strings.Join(strings.Fields(text), " ")
		if cut, was := strings.CutSuffix(got, "…"); got != line && (!was || !strings.HasPrefix(line, cut) || units < 1020) {
			t.Errorf("Description(%q) = %q, want as much of it as there is room for", text, got)
		}
	})
}
