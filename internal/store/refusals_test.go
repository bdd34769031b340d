package store_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestRefusalsMoveNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		before, mark := changes(t, s, 0)
		for i := range 3 {
			s.Refuse(refusal(fmt.Sprint("k", i), "NO"))
			events(t, s)
		}
		after, next := changes(t, s, 0)
		if next != mark || len(before) != len(after) || before[0].SkillChange != after[0].SkillChange {
			t.Errorf("the mark went from %+v to %+v, the skill from %+v to %+v", mark, next, before[0].SkillChange, after[0].SkillChange)
		}
		if r, err := s.Revision(t.Context()); err != nil || r != mark.Revision {
			t.Errorf("revision: got %d, %v; want %d", r, err, mark.Revision)
		}
		wantEvents(t, s, "publish com.example.a 1.0.0", "k0 publish com.example.r NO", "k1 publish com.example.r NO", "k2 publish com.example.r NO")
	})
}

func TestRefusalsThatAreAlikeAreOneEvent(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for i := range 1000 {
			e := refusal("", "NO")
			e.At, e.Actor.Address, e.Actor.RequestID = noon.Add(time.Duration(i)*time.Second), "192.0.2.1", fmt.Sprint("r", i)
			s.Refuse(e)
		}
		s.Refuse(refusal("k", "OTHER"))
		wantEvents(t, s, "192.0.2.1 r0 publish com.example.r NO ×1000", "k publish com.example.r OTHER")
		if first := walk(t, s, store.EventsQuery{Limit: 1})[0]; !first.At.Equal(round(noon)) {
			t.Errorf("it was at %v, want the time of the first, %v", first.At, round(noon))
		}
	})
}

// TestRefusalsOfManyCallersAreCounted is about an attacker that has many addresses.
func TestRefusalsOfManyCallersAreCounted(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		for i := range 5000 {
			e := refusal("", "NO")
			e.Actor.Address = fmt.Sprint("192.0.2.", i)
			s.Refuse(e)
		}
		s.Refuse(refusal("k", "NO"))
		got := events(t, s)
		if len(got) != 102 || got[100] != "publish NO ×4900" || got[101] != "k publish NO" {
			t.Errorf("got %d events, the last of them %q; want a hundred, one that counts the other strangers, and that of a key", len(got), got[max(0, len(got)-2):])
		}
	})
}

func TestOldRefusalsGo(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		s.KeepRefusals(3)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		for i := range 5 {
			s.Refuse(refusal("k", fmt.Sprint("K", i)))
			s.Refuse(refusal("", fmt.Sprint("S", i)))
			events(t, s)
		}
		// Strangers push out nobody but each other, and nobody what was done.
		for i := range 5 {
			s.Refuse(refusal("", fmt.Sprint("T", i)))
		}
		wantEvents(t, s, "publish com.example.a 1.0.0", "k publish com.example.r K2", "k publish com.example.r K3", "k publish com.example.r K4",
			"publish com.example.r T2", "publish com.example.r T3", "publish com.example.r T4")
	})
}

func TestRefusalIsStoredByItself(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		s.Refuse(refusal("k", "NO"))
		db := outside(t, url)
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			var n int
			if err := db.QueryRowContext(t.Context(), `select count(*) from audit where code = 'NO'`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				return
			}
		}
		t.Error("nobody asks for it, and it never comes")
	})
}

func TestRefusalIsStoredBeforeTheStoreIsClosed(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		s.Refuse(refusal("k", "NO"))
		wantEvents(t, reopen(t, s, store.Options{URL: url}), "k publish com.example.r NO")
	})
}

func TestTextsOfARefusalAreCut(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		s.Refuse(store.Event{
			At: noon, Action: store.ActionPublish, Code: "NO", Actor: store.Actor{Address: "\xff", RequestID: "a\x00b"},
			SkillID: strings.Repeat("é", 1000), Version: strings.Repeat("1", 200),
		})
		wantEvents(t, s, "publish "+strings.Repeat("é", 100)+" "+strings.Repeat("1", 200)+" NO")
	})
}

// TestRefusalThatCanNotBeStoredIsLogged takes the database away: nobody waits, the log
// says what is missing, and what comes later is stored.
func TestRefusalThatCanNotBeStoredIsLogged(t *testing.T) {
	t.Parallel()
	server := newProxy(t, storetest.PostgreSQL(t))
	var lines bytes.Buffer
	s := reopen(t, open(t, server.url), store.Options{URL: server.url, Timeout: 2 * time.Second, Logger: slog.New(slog.NewTextHandler(&lines, nil))})
	server.setDown(true)
	start := time.Now()
	for range 3 {
		s.Refuse(refusal("k", "LOST"))
	}
	if took := time.Since(start); took > time.Second {
		t.Errorf("whoever was refused waited %v", took)
	}
	if _, _, err := s.Events(t.Context(), store.EventsQuery{Limit: 1}); err == nil {
		t.Error("the audit log is read without the database")
	}
	if text := lines.String(); !strings.Contains(text, "not in the audit log") || !strings.Contains(text, "requests=3") {
		t.Errorf("the log says %q", text)
	}
	server.setDown(false)
	s.Refuse(refusal("k", "NO"))
	wantEvents(t, s, "k publish com.example.r NO")
}
