package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each case is a small module whose tests are really run.
func TestRunTellsHowTheTestsWent(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		source string
		// closing is the last line of what is printed, shows is text within it.
		closing string
		shows   []string
		wantErr string
	}{
		"tests and subtests that pass": {
			source:  `func TestOne(t *testing.T) { t.Run("sub", func(t *testing.T) {}) }`,
			closing: "2 passed, 0 failed, 0 skipped",
		},
		"a test that fails is shown with what it printed": {
			source:  `func TestBad(t *testing.T) { t.Error("got 1, want 2") }; func TestGood(t *testing.T) { t.Log("noise") }`,
			closing: "1 passed, 1 failed, 0 skipped",
			shows:   []string{"--- FAIL: TestBad", "got 1, want 2"},
			wantErr: "failures",
		},
		"a test that skips is a failure and is shown": {
			source:  `func TestAway(t *testing.T) { t.Skip("no database") }; func TestGood(t *testing.T) {}`,
			closing: "1 passed, 0 failed, 1 skipped",
			shows:   []string{"--- SKIP: TestAway", "no database"},
			wantErr: "skip",
		},
		"an input that a fuzz target has no use for may skip": {
			source:  `func FuzzIt(f *testing.F) { f.Add("x"); f.Fuzz(func(t *testing.T, s string) { t.Skip() }) }`,
			closing: "1 passed, 0 failed, 1 skipped",
		},
		"a package that does not build is a failure and shows the compiler's words": {
			source:  `func TestOne(t *testing.T) { undefinedName() }`,
			closing: "0 passed, 1 failed, 0 skipped",
			shows:   []string{"undefined: undefinedName"},
			wantErr: "failures",
		},
		"a panic is a failure and shows where": {
			source:  `func TestOne(t *testing.T) { panic("went wrong") }`,
			closing: "0 passed, 1 failed, 0 skipped",
			shows:   []string{"went wrong", "x_test.go:3"},
			wantErr: "failures",
		},
		"a process that ends under its test is a failure": {
			source:  `func TestOne(t *testing.T) { os.Exit(3) }`,
			closing: "0 passed, 1 failed, 0 skipped",
			shows:   []string{"FAIL\ttally.example"},
			wantErr: "failures",
		},
		"a run without tests is a failure": {
			source:  ``,
			closing: "0 passed, 0 failed, 0 skipped",
			wantErr: "no test ran",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := runModule(t, c.source)
			lines := strings.Split(strings.TrimSpace(out), "\n")
			if got := lines[len(lines)-1]; got != c.closing {
				t.Errorf("closing line: got %q, want %q in:\n%s", got, c.closing, out)
			}
			for _, want := range c.shows {
				if !strings.Contains(out, want) {
					t.Errorf("output lacks %q:\n%s", want, out)
				}
			}
			if strings.Contains(out, "noise") {
				t.Errorf("output shows what a passing test printed:\n%s", out)
			}
			switch {
			case c.wantErr == "" && err != nil:
				t.Errorf("got error %v, want none", err)
			case c.wantErr != "" && (err == nil || !strings.Contains(err.Error(), c.wantErr)):
				t.Errorf("got error %v, want one with %q", err, c.wantErr)
			}
		})
	}
}

func TestRunRefusesToBeCalledWithoutAModule(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"./..."}, {"./...", "--"}} {
		if err := run(args, io.Discard, io.Discard); err == nil {
			t.Errorf("run(%q): got no error", args)
		}
	}
}

func TestRunFailsOnAModuleThatIsNone(t *testing.T) {
	t.Parallel()
	if err := run([]string{"./...", "--", t.TempDir()}, io.Discard, io.Discard); err == nil {
		t.Error("got no error for a folder without a module")
	}
}

func runModule(t *testing.T, source string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	imports := `import ("testing"; "os"); var _ = os.Exit; var _ testing.TB`
	for name, text := range map[string]string{
		"go.mod":    "module tally.example\n\ngo 1.26\n",
		"x_test.go": "package x\n" + imports + "\n" + source + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	err := run([]string{"-count=1", "./...", "--", dir}, &out, &out)
	return out.String(), err
}
