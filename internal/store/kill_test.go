package store_test

import (
	"bufio"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestWhatWasAnsweredSurvivesAKill(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		answered := map[string]bool{}
		for round := range 4 {
			p := start(t, url)
			for range 10 + 7*round {
				answered[p.line()] = true
			}
			time.Sleep(time.Duration(round) * 3 * time.Millisecond)
			p.kill()
			// What it said before it was killed counts, too.
			for line := p.line(); line != ""; line = p.line() {
				answered[line] = true
			}
		}
		s := open(t, url)
		all, mark := changes(t, s, 0)
		there := map[string]bool{}
		for i, name := range names(all) {
			there[name] = true
			want := document(all[i].Version.SkillID, all[i].Version.Version, all[i].Version.Access, "")
			if string(all[i].Version.Document) != string(want.Canonical) {
				t.Errorf("%s has the document %q", name, all[i].Version.Document)
			}
		}
		for name := range answered {
			if !there[name] {
				t.Errorf("%q was answered and is not there", name)
			}
		}
		if want := (store.Mark{Revision: int64(len(all)), PublicRevision: int64(len(all))}); mark != want {
			t.Errorf("the mark is %+v after %d versions", mark, len(all))
		}
		// They happened in the order in which the versions were stored.
		var want []string
		for _, name := range names(all) {
			want = append(want, "publish "+name)
		}
		wantEvents(t, s, want...)
	})
}

// process is a second process, which publishes.
type process struct {
	command *exec.Cmd
	out     *bufio.Scanner
}

// start returns a process that has opened a database.
func start(t *testing.T, url string) *process {
	t.Helper()
	p := &process{command: exec.Command(os.Args[0])}
	p.command.Env = append(os.Environ(), publishVariable+"="+url)
	out, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewScanner(out)
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	if line := p.line(); line != "open" {
		t.Fatalf("the process says %q", line)
	}
	return p
}

// line is the next line that the process says; empty if it is gone.
func (p *process) line() string {
	p.out.Scan()
	return p.out.Text()
}

// kill kills the process. The lines that it said can still be read.
func (p *process) kill() { _, _ = p.command.Process.Kill(), waitFor(p.command.Process) }

func waitFor(p *os.Process) error {
	_, err := p.Wait()
	return err
}
