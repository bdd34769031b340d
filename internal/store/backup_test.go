package store_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestPropertyAnExportComesBackFromEitherStoreAsItIs carries random histories from each
// kind of store to the other: the file is the same again, so that there and back it is,
// too, and what was restored answers, and goes on, as a model says.
func TestPropertyAnExportComesBackFromEitherStoreAsItIs(t *testing.T) {
	t.Parallel()
	kinds := map[string]func(testing.TB) string{"sqlite": storetest.SQLite, "postgres": storetest.PostgreSQL}
	for from, to := range map[string]string{"sqlite": "postgres", "postgres": "sqlite"} {
		t.Run(from+" to "+to, func(t *testing.T) {
			t.Parallel()
			protocoltest.Check(t, func(rt *rapid.T) {
				first := openFresh(t, rt, kinds[from](t))
				m := history(rt, first)
				file := export(rt, first)
				second := openFresh(t, rt, kinds[to](t))
				restore(rt, second, file)
				if again := export(rt, second); !bytes.Equal(again, file) {
					rt.Fatalf("%s gave\n%s, and %s then\n%s", from, file, to, again)
				}
				wantEvents(t, second, events(t, first)...)
				uses, err := first.KeyUses(t.Context())
				restored, errRestored := second.KeyUses(t.Context())
				if err = errors.Join(err, errRestored); err != nil || !maps.Equal(uses, restored) {
					rt.Fatalf("keys were used at %v, and are said to have been at %v (%v)", uses, restored, err)
				}
				m.compare(rt, second)
				for range rapid.IntRange(1, 5).Draw(rt, "steps after") {
					m.write(rt, second)
					m.compare(rt, second)
				}
			})
		})
	}
}

// openFresh is open for one case of a property.
func openFresh(t *testing.T, rt *rapid.T, url string) *store.Store {
	s, err := store.Open(t.Context(), store.Options{URL: url})
	if err != nil {
		rt.Fatal(err)
	}
	rt.Cleanup(func() { _ = s.Close() })
	if _, err := s.Migrate(t.Context(), nil); err != nil {
		rt.Fatal(err)
	}
	return s
}

// history fills a store and returns a model of it, but for what the model does not know:
// documents of all kinds, refusals, and the use of keys.
func history(t *rapid.T, s *store.Store) *model {
	for i := range rapid.IntRange(0, 3).Draw(t, "documents") {
		drawn := protocoltest.Descriptor().Draw(t, "document")
		canonical, err := protocol.Canonicalize(drawn.JSON, protocol.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		p := publication(fmt.Sprintf("com.example.d%d", i), "1.0.0", protocol.Public, "")
		p.Document.Canonical, p.Document.Digest, p.By = canonical, protocol.Digest(canonical), someone
		if _, err := s.Publish(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	before, mark, err := collect(t.Context(), s, 0)
	if err != nil {
		t.Fatal(err)
	}
	m := &model{prefix: "m.", start: mark.Revision, mark: mark, skills: map[string]store.SkillChange{}}
	for _, c := range before {
		m.clock = max(m.clock, c.ChangedAt)
	}
	for range rapid.IntRange(1, 12).Draw(t, "steps") {
		m.write(t, s)
		if rapid.Bool().Draw(t, "refuse") {
			s.Refuse(refusal("k", "NO"))
		}
	}
	for _, r := range m.rows {
		if r.key != nil {
			s.UseKey(r.key.ID, noon)
		}
	}
	s.StoreUses(t.Context())
	if _, _, err := s.Events(t.Context(), store.EventsQuery{Limit: 1}); err != nil { // which stores what was refused
		t.Fatal(err)
	}
	return m
}

// failing is a test, or one case of a property.
type failing interface {
	Helper()
	Context() context.Context
	Fatalf(string, ...any)
}

func export(t failing, s *store.Store) []byte {
	t.Helper()
	var file bytes.Buffer
	counts, err := s.Export(t.Context(), &file)
	if err != nil {
		t.Fatalf("export: %v", err)
	}
	kinds := map[string]int64{}
	for text := range bytes.Lines(file.Bytes()) {
		kind, _ := parse(t, text)
		kinds[kind]++
	}
	if got := (store.Counts{Skills: kinds["skill"], Versions: kinds["version"], Files: kinds["files"], Keys: kinds["key"], Events: kinds["event"]}); got != counts {
		t.Fatalf("it is said that there are %+v in the file, and there are %+v", counts, got)
	}
	return file.Bytes()
}

func restore(t failing, s *store.Store, file []byte) {
	t.Helper()
	if _, err := s.Import(t.Context(), bytes.NewReader(file)); err != nil {
		t.Fatalf("import: %v", err)
	}
}

// parse takes a line of an export apart.
func parse(t failing, text []byte) (kind string, members map[string]any) {
	t.Helper()
	var line map[string]map[string]any
	if err := json.Unmarshal(text, &line); err != nil || len(line) != 1 {
		t.Fatalf("the line %s: %v, want an object of one member", text, err)
	}
	for kind, members = range line {
	}
	return kind, members
}

// full fills a store with what leaves no column empty.
func full(t testing.TB, s *store.Store) {
	t.Helper()
	for _, version := range []string{"1.0.0", "2.0.0+b", "3.0.0"} {
		p := publication("com.example.a", version, protocol.Public, "<&>\u2028\"\\é𝄞")
		p.By = someone
		publish(t, s, p)
	}
	if err := errors.Join(
		s.SetStatus(t.Context(), store.StatusChange{SkillID: "com.example.a", Version: "1.0.0", Status: access.Yanked, Reason: "bad\n— очень", At: noon, By: someone}),
		attach(t, s, attachment("com.example.a", "2.0.0+b", "<&>é")),
		attach(t, s, attachment("com.example.a", "3.0.0", "")),
		s.Delete(t.Context(), store.Deletion{SkillID: "com.example.a", Version: "3.0.0", At: noon, By: someone}),
		s.CreateKey(t.Context(), key("k"), someone),
		s.CreateKey(t.Context(), access.Key{ID: "bare", Scopes: []access.Scope{access.Admin}, CreatedAt: noon}, someone),
		s.RevokeKey(t.Context(), "k", noon, someone),
	); err != nil {
		t.Fatal(err)
	}
	s.UseKey("k", noon)
	s.StoreUses(t.Context())
	s.Refuse(refusal("k", "NO"))
	events(t, s) // stores what was refused
}

// TestAnExportHasEveryColumn compares the columns that the database says it has with the
// members of an export, so that a new one is not forgotten.
func TestAnExportHasEveryColumn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		full(t, s)
		tables := map[string]string{"registry": "registry", "skill": "skills", "version": "versions", "files": "files", "key": "keys", "event": "audit"}
		filled := map[string]bool{} // whether some line has something there
		for text := range bytes.Lines(export(t, s)) {
			kind, members := parse(t, text)
			for name, value := range members {
				if table := tables[kind]; table != "" {
					filled[table+"."+name] = filled[table+"."+name] || value != nil && value != "" && value != 0.0
				}
			}
		}
		for column, filled := range filled {
			if !filled {
				t.Errorf("%s has nothing in it: whether it comes back is not tested", column)
			}
		}
		filled["versions.version_key"] = true // which follows from the version
		for _, own := range []string{"registry.format", "registry.format_version"} {
			delete(filled, own)
		}
		if got, want := slices.Sorted(maps.Keys(filled)), columns(t, url); !slices.Equal(got, want) {
			t.Errorf("an export has\n%q, and the database\n%q", got, want)
		}
	})
}

// columns are those of the database, but for its own affairs.
func columns(t *testing.T, url string) (all []string) {
	t.Helper()
	query := `select table_name || '.' || column_name from information_schema.columns where table_schema = current_schema()`
	if strings.HasPrefix(url, "sqlite:") {
		query = `select t.name || '.' || c.name from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table'`
	}
	rows, err := outside(t, url).Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(name, "migrations.") && name != "registry.one" {
			all = append(all, name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// TestAnExportIsOneMoment exports from beside a process that writes all the time.
func TestAnExportIsOneMoment(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		writer := start(t, url)
		defer writer.kill()
		s := openBeside(t, url)
		for round := range 5 {
			for range 10 {
				writer.line()
			}
			file := export(t, s)
			var revision, events, last float64
			versions := 0.0
			for text := range bytes.Lines(file) {
				switch kind, members := parse(t, text); kind {
				case "registry":
					revision, events = members["revision"].(float64), members["events"].(float64)
				case "version":
					versions++
				case "event":
					last = members["number"].(float64)
				}
			}
			if revision == 0 || versions != revision || last != events || events != revision {
				t.Errorf("export %d has the revision %v with %v versions, and %v events up to %v", round, revision, versions, events, last)
			}
			restore(t, open(t, storetest.SQLite(t)), file)
		}
	})
}

// openBeside opens a database that another process has.
func openBeside(t *testing.T, url string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{URL: url, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestADatabaseThatIsNotThereIsNotMadeToBeExported(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "none.db")
	_, err := store.Open(t.Context(), store.Options{URL: "sqlite:" + file, ReadOnly: true})
	if !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want one line that says that there is no file", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) > 0 {
		t.Errorf("there is %v, %v; want nothing", entries, err)
	}
}

func TestADatabaseOfAnotherFormIsNotExported(t *testing.T) {
	t.Parallel()
	for statement, want := range map[string]string{
		`update migrations set name = '9999_later.sql' where name = '0002_audit.sql'`: "newer version",
		`delete from migrations where name = '0002_audit.sql'`:                        "lacks 0002_audit.sql",
		`drop table migrations`: "how the database is laid out",
	} {
		storetest.Each(t, func(t *testing.T, url string) {
			execute(t, open(t, url).Writer(), statement)
			var file bytes.Buffer
			_, err := openBeside(t, url).Export(t.Context(), &file)
			if err == nil || !strings.Contains(err.Error(), want) || file.Len() > 0 {
				t.Errorf("%s: got %v and %q, want %q and nothing", statement, err, &file, want)
			}
		})
	}
}

// TestAnExportOfADamagedDocumentFails is about a disk that lost a bit: a file that can't be
// restored is not made.
func TestAnExportOfADamagedDocumentFails(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		full(t, s)
		execute(t, s.Writer(), `update versions set document = $1 where version = '1.0.0'`, []byte(`{"id":"x"}`))
		_, err := s.Export(t.Context(), &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), "the document of com.example.a 1.0.0 has the digest sha256:") {
			t.Errorf("got %v, want an error that names the version", err)
		}
	})
}

func TestWhoTakesNothingEndsAnExport(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		full(t, s)
		broken := errors.New("no room")
		_, err := s.Export(t.Context(), refusing{broken})
		var away *store.UnavailableError
		if !errors.Is(err, broken) || errors.As(err, &away) {
			t.Errorf("got %v, want the writer's error", err)
		}
	})
}

type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }

// TestAnImportNeedsAnEmptyStore takes stores that have one thing each, at least.
func TestAnImportNeedsAnEmptyStore(t *testing.T) {
	t.Parallel()
	for name, fill := range map[string]func(*testing.T, *store.Store) error{
		"a skill": func(t *testing.T, s *store.Store) error {
			_, err := s.Publish(t.Context(), publication("com.example.x", "1.0.0", protocol.Private, ""))
			return err
		},
		"a key": func(t *testing.T, s *store.Store) error { return s.CreateKey(t.Context(), key("x"), store.Actor{}) },
		"a refusal": func(t *testing.T, s *store.Store) error {
			s.Refuse(refusal("", "NO"))
			events(t, s)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, url string) {
				from, s := open(t, storetest.SQLite(t)), open(t, url)
				full(t, from)
				if err := fill(t, s); err != nil {
					t.Fatal(err)
				}
				before := export(t, s)
				_, err := s.Import(t.Context(), bytes.NewReader(export(t, from)))
				if err == nil || !strings.Contains(err.Error(), "the store is not empty") || strings.Contains(err.Error(), "\n") {
					t.Errorf("got %v, want one line that says that it is not empty", err)
				}
				if after := export(t, s); !bytes.Equal(after, before) {
					t.Errorf("it had\n%s, and has\n%s", before, after)
				}
			})
		})
	}
}

// TestAFileThatIsNotWholeIsRefused cuts an export short everywhere.
func TestAFileThatIsNotWholeIsRefused(t *testing.T) {
	t.Parallel()
	from, to := open(t, storetest.SQLite(t)), open(t, storetest.SQLite(t))
	full(t, from)
	file := export(t, from)
	for n := range file {
		_, err := to.Import(t.Context(), bytes.NewReader(file[:n]))
		line := fmt.Sprintf("line %d: ", bytes.Count(file[:n], []byte("\n"))+1)
		if err == nil || !strings.Contains(err.Error(), line+"the file was cut off") {
			t.Fatalf("the first %d bytes: got %v, want that line %s was cut off", n, err, line)
		}
	}
	restore(t, to, file) // nothing was left of all that
}

func TestAFileThatIsNotAsItWasWrittenIsRefused(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		from := open(t, storetest.SQLite(t))
		full(t, from)
		file := string(export(t, from))
		text := strings.SplitAfter(file, "\n")
		text = text[:len(text)-1]
		// Lines: 1 the registry, 2 the skill, 3 to 5 the versions, 6 the files, 7 and 8 the keys.
		edit := func(old, new string) string {
			if !strings.Contains(file, old) {
				t.Fatalf("there is no %q in\n%s", old, file)
			}
			return strings.Replace(file, old, new, 1)
		}
		without := func(i int) string { return strings.Join(slices.Delete(slices.Clone(text), i-1, i), "") }
		twice := func(i int) string { return strings.Join(slices.Insert(slices.Clone(text), i, text[i-1]), "") }
		to := open(t, url)
		for name, c := range map[string]struct{ file, want string }{
			"nothing":                  {"", "line 1: the file was cut off"},
			"text":                     {"hello\n", "line 1: "},
			"another document":         {"{}\n", "line 1: this is no export of a registry"},
			"another program's":        {edit("skillregistry export", "something"), "line 1: this is no export of a registry"},
			"a later format":           {edit(`"format_version":2`, `"format_version":3`), "line 1: this export has the format 3"},
			"no registry":              {without(1), "line 1: this is no export of a registry"},
			"two registries":           {twice(1), "line 2: this is none of the lines"},
			"a line of another kind":   {edit(`{"skill":`, `{"thing":`), "line 2: this is none of the lines"},
			"two names":                {edit(`{"skill":`, `{"skill":{},"skill":`), "line 2: "},
			"a number that is none":    {edit(`"changed_at":`, `"changed_at":"x","y":`), "line 2: "},
			"the skill is missing":     {seal(without(2)), "line 2: "},
			"the skill is there twice": {seal(twice(2)), "line 3: "},
			"a version is missing":     {without(3), fmt.Sprintf("line %d: the file has 1 skill, 2 versions, 1 of them with files", len(text)-1)},
			"a version twice":          {seal(twice(4)), "line 5: "},
			"a key twice":              {seal(twice(8)), "line 9: "},
			"an event twice":           {seal(twice(9)), "line 10: "},
			"another document inside":  {edit(`\"content\":`, `\"contents\":`), "line 3: the document of com.example.a 1.0.0 has the digest"},
			"another digest":           {edit(`"digest":"sha256:`, `"digest":"sha256:0`), "line 3: the document of com.example.a 1.0.0 has the digest"},
			"deleted, with a document": {edit(`"status":"yanked"`, `"status":"deleted"`), "line 3: com.example.a 1.0.0 was deleted"},
			"a time that is none":      {edit(`"published_at":"2026`, `"published_at":"in 2026`), "line 3: "},
			"no time":                  {seal(edit(`"published_at":"`, `"published_at":null,"was":"`)), "line 3: "},
			"files twice":              {seal(twice(6)), "line 7: "},
			"files of nothing":         {seal(edit(`"version_key":"2`, `"version_key":"4`)), "line 6: "},
			"other files":              {edit(`"archive":"`, `"archive":"AAAA`), "line 6: the files of com.example.a 2.0.0 have the digest"},
			"files without names":      {edit(`"names":[`, `"names":[1,`), "line 6: the names of the files of com.example.a 2.0.0"},
			"half a hash":              {edit(`"secret_hash":"`, `"secret_hash":"0`), "line 7: the hash of key"},
			"scopes that are none":     {edit(`"scopes":[`, `"scopes":[1,`), "line 7: the scopes and namespaces of key"},
			"another revision":         {edit(`"revision":10,`, `"revision":9,`), "its SHA-256 is another"},
			"another reason":           {edit(`"reason":"bad`, `"reason":"good`), "its SHA-256 is another"},
			"a line behind the end":    {file + "{}\n", fmt.Sprintf("line %d: something stands behind", len(text))},
			"a byte behind the end":    {file + " ", fmt.Sprintf("line %d: something stands behind", len(text))},
		} {
			_, err := to.Import(t.Context(), strings.NewReader(c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v, want one line with %q", name, err, c.want)
			}
		}
		restore(t, to, []byte(file)) // nothing was left of all that
	})
}

// seal gives a file that was changed the last line that it would have if it had been
// written so.
func seal(file string) string {
	body := file[:strings.LastIndex(file[:len(file)-1], "\n")+1]
	n := func(kind string) int { return strings.Count(body, "\n{\""+kind+"\":") }
	return body + fmt.Sprintf(`{"end":{"skills":%d,"versions":%d,"files":%d,"keys":%d,"events":%d,"sha256":"%x"}}`+"\n",
		n("skill"), n("version"), n("files"), n("key"), n("event"), sha256.Sum256([]byte(body)))
}

// TestALongFileComesInWhole is about one of which only a part is in memory at a time.
func TestALongFileComesInWhole(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		from, to := open(t, storetest.SQLite(t)), open(t, url)
		const versions = 9
		for i := range versions {
			publish(t, from, publication("com.example.a", fmt.Sprintf("1.%d.0", i), protocol.Public, strings.Repeat("x", 300<<10)))
		}
		file := export(t, from)
		lines := bytes.SplitAfter(file, []byte("\n"))
		twice := bytes.Join(slices.Insert(slices.Clone(lines), 2+versions, lines[1+versions]), nil)
		want := fmt.Sprintf("line %d: ", 3+versions)
		if _, err := to.Import(t.Context(), strings.NewReader(seal(string(twice)))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with the last version twice: got %v, want %q", err, want)
		}
		restore(t, to, file)
		if again := export(t, to); !bytes.Equal(again, file) {
			t.Errorf("%d bytes became %d others", len(file), len(again))
		}
		back := open(t, storetest.SQLite(t))
		restore(t, back, file)
		if again := export(t, back); !bytes.Equal(again, file) {
			t.Errorf("%d bytes became %d others on the way back", len(file), len(again))
		}
	})
}

// TestAWriterWaitsForAnImport has someone publish while a file comes in, slowly.
func TestAWriterWaitsForAnImport(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		from, to := open(t, storetest.SQLite(t)), open(t, url)
		full(t, from)
		file := export(t, from)
		var publishing sync.WaitGroup
		slow := &slowReader{in: bytes.NewReader(file), half: len(file) / 2, atHalf: func() {
			publishing.Go(func() {
				if _, err := to.Publish(t.Context(), publication("com.example.b", "1.0.0", protocol.Public, "")); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(100 * time.Millisecond)
		}}
		if _, err := to.Import(t.Context(), slow); err != nil {
			t.Fatal(err)
		}
		publishing.Wait()
		_, before := changes(t, from, 0)
		all, mark := changes(t, to, before.Revision)
		if mark.Revision != before.Revision+1 || len(all) != 1 || all[0].Version.SkillID != "com.example.b" {
			t.Errorf("after the import at %+v there is %q up to %+v", before, names(all), mark)
		}
	})
}

// slowReader does something when half of it was read.
type slowReader struct {
	in     *bytes.Reader
	half   int
	atHalf func()
}

func (r *slowReader) Read(to []byte) (int, error) {
	if r.half > 0 && len(to) > r.half {
		to = to[:r.half]
	}
	n, err := r.in.Read(to)
	if r.half > 0 {
		if r.half -= n; r.half <= 0 {
			r.atHalf()
		}
	}
	return n, err
}

// TestAnExportOfBeforeThereWereFilesComesIn is about backups that people have.
func TestAnExportOfBeforeThereWereFilesComesIn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		from, to := open(t, storetest.SQLite(t)), open(t, url)
		publish(t, from, publication("com.example.a", "1.0.0", protocol.Public, ""))
		file := export(t, from)
		old := seal(strings.Replace(string(file), `"format_version":2`, `"format_version":1`, 1))
		old = strings.Replace(old, `"files":0,`, "", 1)
		restore(t, to, []byte(old))
		if again := export(t, to); !bytes.Equal(again, file) {
			t.Errorf("got\n%s, want\n%s", again, file)
		}
	})
}
