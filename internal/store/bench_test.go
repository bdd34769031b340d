package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// BenchmarkPublish compares publishing a new skill of 1 KB with the least that a
// durable write costs: one transaction that inserts the same bytes.
func BenchmarkPublish(b *testing.B) {
	for kind, url := range storetest.URLs(b) {
		s := open(b, url)
		var n atomic.Int64
		next := func() store.Publication {
			id := fmt.Sprintf("com.example.n%d", n.Add(1))
			return publication(id, "1.0.0", protocol.Public, strings.Repeat("x", 1000))
		}
		b.Run(kind+"/publish", func(b *testing.B) {
			for b.Loop() {
				publish(b, s, next())
			}
		})
		b.Run(kind+"/publish by 16 at once", func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					publish(b, s, next())
				}
			})
		})
		b.Run(kind+"/bare commit", func(b *testing.B) {
			db := bare(b, kind)
			for b.Loop() {
				p := next()
				_, err := db.ExecContext(b.Context(), `insert into bare (id, document) values ($1, $2)`,
					p.Document.Descriptor.ID, p.Document.Canonical)
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// bare opens a database with one table and no store around it.
func bare(b *testing.B, kind string) *sql.DB {
	b.Helper()
	url, blob := storetest.PostgreSQL(b), "bytea"
	if kind == "sqlite" {
		url, blob = storetest.SQLite(b)+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)", "blob"
	}
	db := outside(b, url)
	db.SetMaxOpenConns(1)
	execute(b, db, `create table bare (id text primary key, document `+blob+`)`)
	return db
}

// BenchmarkChanges streams 10,000 versions of 1 KB, as a start does.
func BenchmarkChanges(b *testing.B) {
	for kind, url := range storetest.URLs(b) {
		b.Run(kind, func(b *testing.B) {
			s := open(b, url)
			for i := range 10_000 {
				publish(b, s, publication(fmt.Sprintf("com.example.n%d", i), "1.0.0", protocol.Public, strings.Repeat("x", 1000)))
			}
			for b.Loop() {
				n := 0
				if _, err := s.Changes(b.Context(), 0, func(store.Change) error { n++; return nil }); err != nil || n != 10_000 {
					b.Fatalf("%d changes, %v", n, err)
				}
			}
		})
	}
}

// BenchmarkRevision is the check that reads wait for.
func BenchmarkRevision(b *testing.B) {
	for kind, url := range storetest.URLs(b) {
		b.Run(kind, func(b *testing.B) {
			s := open(b, url)
			for b.Loop() {
				if _, err := s.Revision(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
