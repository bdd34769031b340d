package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestLockThatSomeoneKeeps is about another process that stopped in the middle of a
// write: the store gives up in time, and goes on when the lock is free.
func TestLockThatSomeoneKeeps(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, url string) {
		s := open(t, url)
		publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
		shared := s.Shared()
		s = reopen(t, s, store.Options{URL: url, Timeout: time.Second})
		db := outside(t, url)
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		lock := "begin immediate"
		if shared {
			lock = "begin; select 1 from registry for update"
		}
		if _, err := conn.ExecContext(t.Context(), lock); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var away *store.UnavailableError
		if _, err := s.Publish(t.Context(), publication("com.example.b", "1.0.0", protocol.Public, "")); !errors.As(err, &away) {
			t.Errorf("got %v, want that the store is not available", err)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("it took %v to say so", took)
		}
		if all, _ := changes(t, s, 0); len(all) != 1 {
			t.Errorf("reading meanwhile: got %q", names(all))
		}
		if _, err := conn.ExecContext(t.Context(), "rollback"); err != nil {
			t.Fatal(err)
		}
		publish(t, s, publication("com.example.b", "1.0.0", protocol.Public, ""))
	})
}

// TestWritesSetTheirOwnLimits has the server tell what was in force during a write.
func TestWritesSetTheirOwnLimits(t *testing.T) {
	t.Parallel()
	url := storetest.PostgreSQL(t)
	s := open(t, url)
	for _, statement := range []string{
		`create table in_force (name text, value text)`,
		`create function note() returns trigger language plpgsql as $$ begin
			insert into in_force select name, setting from pg_settings where name in
				('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'synchronous_commit');
			return new;
		end $$`,
		`create trigger note after insert on versions execute function note()`,
	} {
		execute(t, s.Writer(), statement)
	}
	s = reopen(t, s, store.Options{URL: url + "&synchronous_commit=off", Timeout: 7 * time.Second})
	publish(t, s, publication("com.example.a", "1.0.0", protocol.Public, ""))
	for name, want := range map[string]string{
		"lock_timeout": "7000", "statement_timeout": "7000",
		"idle_in_transaction_session_timeout": "7000", "synchronous_commit": "on",
	} {
		var got string
		if err := s.Writer().QueryRowContext(t.Context(), `select value from in_force where name = $1`, name).Scan(&got); err != nil || got != want {
			t.Errorf("%s: got %q, %v; want %q", name, got, err, want)
		}
		var after string
		if err := s.Writer().QueryRowContext(t.Context(), `select current_setting($1)`, name).Scan(&after); err != nil || after == want || after == "7s" {
			t.Errorf("%s is %q, %v after the write, when a pooler may have given the connection away", name, after, err)
		}
	}
}
