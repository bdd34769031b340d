package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/client"
	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// asText returns a tree as JSON.
func asText(t interface{ Fatal(...any) }, tree any) string {
	text, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// needing is a version of com.example.a that needs an input.
func needing(t *testing.T, version, input string) string {
	tree := protocoltest.Tree("com.example.a", version, "public", "api")
	tree["inputs"] = []any{map[string]any{"name": input, "type": "string", "required": true}}
	return asText(t, tree)
}

func TestDiffComparesFilesAndVersions(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	dir := t.TempDir()
	for _, text := range []string{needing(t, "1.0.0", "a"), needing(t, "1.1.0", "b"), needing(t, "2.0.0", "c")} {
		wantStatus(t, call(t, r.as(adminKey), text, "publish", "-"), statusOK)
	}
	wantStatus(t, call(t, r.as(adminKey), "", "yank", "com.example.a", "1.1.0"), statusOK)
	same := write(t, dir, "same.json", needing(t, "1.2.0", "a"))
	other := write(t, dir, "other.json", needing(t, "1.2.0", "b"))
	major := write(t, dir, "major.json", needing(t, "3.0.0", "b"))
	first := write(t, dir, "first.json", needing(t, "0.9.0", "b"))
	stranger := write(t, dir, "stranger.json", valid("com.example.b", "1.0.0"))
	invalid := write(t, dir, "invalid.json", "{}")
	write(t, dir, "skill/descriptor.json", needing(t, "1.2.0", "a"))
	for _, c := range []struct {
		name   string
		args   []string
		status int
		want   []string
	}{
		{"with the version that it promises most to", []string{other}, statusFailed,
			[]string{"/inputs/0/required: breaks callers: ", "as in 1.0.0", "1.2.0 breaks callers of 1.0.0", "by is 2.0.0\n"}},
		{"with one that has the same", []string{same}, statusOK, []string{"1.0.0 and 1.2.0 do not differ"}},
		{"a folder", []string{dir + "/skill"}, statusOK, []string{"1.0.0 and 1.2.0 do not differ"}},
		{"another MAJOR, with the one below", []string{major}, statusOK, []string{"breaks callers", "from 2.0.0 to 3.0.0, a MAJOR change: 3.0.0 or higher"}},
		{"two files", []string{same, other}, statusOK, []string{"from 1.2.0 to 1.2.0, a MAJOR change: 2.0.0"}},
		{"two versions", []string{"com.example.a@1.0.0", "com.example.a@1.1.0"}, statusFailed, []string{"1.1.0 breaks callers of 1.0.0"}},
		{"a version with the latest", []string{"com.example.a@1.1.0", "com.example.a"}, statusOK, []string{"from 1.1.0 to 2.0.0"}},
		{"one that has none before it", []string{first}, statusFailed, []string{"no version before 0.9.0"}},
		{"one that the registry does not know", []string{stranger}, statusFailed, []string{"SKILL_NOT_FOUND"}},
		{"other skills", []string{stranger, same}, statusUsage, []string{"not versions of one skill"}},
		{"a file that is not valid", []string{same, invalid}, statusFailed, []string{invalid, "/access"}},
		{"a file that is not there", []string{"none.json"}, statusUsage, []string{"none.json: no such file"}},
		{"no version behind the @", []string{"com.example.a@", same}, statusUsage, []string{"no VERSION"}},
		{"standard input twice", []string{"-", "-"}, statusUsage, []string{"can't be both"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := call(t, r.as(adminKey), "", append([]string{"diff"}, c.args...)...)
			wantStatus(t, got, c.status)
			wantText(t, "output", got.stdout+got.stderr, c.want...)
		})
	}
}

// Whatever two versions are, diff says of the second what the registry says.
func TestDiffSaysWhatTheRegistrySays(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--breaking-changes", "refuse")
	c, err := client.New(r.url, client.Options{Key: adminKey})
	if err != nil {
		t.Fatal(err)
	}
	validator, err := protocol.NewValidator(lenient())
	if err != nil {
		t.Fatal(err)
	}
	refused, taken, n := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		id := fmt.Sprintf("com.example.a%d", n)
		tree := protocoltest.Descriptor(protocoltest.With("id", id), protocoltest.With("version", "1.0.0")).Draw(t, "older").Tree
		other := protocoltest.Descriptor().Draw(t, "other").Tree
		changed := maps.Clone(tree)
		changed["version"] = "1.1.0"
		for _, member := range rapid.SliceOfN(rapid.SampledFrom([]string{"name", "inputs", "output", "endpoint", "auth", "access", "tags"}), 0, 2).Draw(t, "changed") {
			if value, ok := other[member]; ok {
				changed[member] = value
			}
		}
		var documents []*protocol.Document
		for _, tree := range []any{tree, changed} {
			document, err := validator.Parse([]byte(asText(t, tree)))
			if err != nil {
				t.Fatal(err)
			}
			documents = append(documents, document)
		}
		if _, err := c.Publish(context.Background(), documents[0].Canonical, client.PublishOptions{}); err != nil {
			t.Fatal(err)
		}
		said := compared(documents[0], documents[1])
		var found, wanted []client.Violation
		for _, d := range said.Differences {
			if d.Breaks {
				found = append(found, client.Violation{Field: d.Field, Expected: d.Was, Actual: d.Is})
			}
		}
		_, err := c.Publish(context.Background(), documents[1].Canonical, client.PublishOptions{DryRun: true})
		var refusal *client.Error
		switch {
		case errors.As(err, &refusal) && refusal.Code == "BREAKING_CHANGE":
			wanted = refusal.Violations
			refused++
		case err != nil:
			t.Fatal(err)
		default:
			taken++
		}
		if said.Refused != (err != nil) || !slices.Equal(found, wanted) {
			t.Fatalf("%s to %s: diff says %+v, the registry %v", documents[0].Canonical, documents[1].Canonical, said, err)
		}
	})
	if refused < 10 || taken < 10 {
		t.Errorf("%d were refused and %d taken: want many of each", refused, taken)
	}
}

func TestDiffAsJSONSaysWhatToPublishBy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := write(t, dir, "a.json", needing(t, "1.0.0", "a")), write(t, dir, "b.json", needing(t, "1.1.0", "b"))
	got := call(t, nil, "", "diff", a, b, "--json")
	wantStatus(t, got, statusFailed)
	c := lines[comparison](t, got.stdout)[0]
	if c.ID != "com.example.a" || c.Older != "1.0.0" || c.Newer != "1.1.0" || c.Asks != compatibility.Major || c.Next != "2.0.0" || !c.Refused || len(c.Differences) != 2 {
		t.Errorf("got %+v from %s", c, got.stdout)
	}
}
