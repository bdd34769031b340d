package main

import (
	"context"
	"database/sql"
	"path/filepath"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// bareCommits is the least that a durable write costs: one table, and a transaction for
// each row, as durable as the store's.
type bareCommits struct{ *sql.DB }

func openBare(ctx context.Context, store string, s *stage, folder string) (*bareCommits, error) {
	driver, url, blob, connections := "sqlite", "file:"+filepath.Join(folder, "bare.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)", "blob", 1
	if store == "PostgreSQL" {
		var err error
		driver, blob, connections = "pgx", "bytea", 8
		if url, err = s.createDatabase(ctx); err != nil {
			return nil, err
		}
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if _, err := db.ExecContext(ctx, "create table bare (id text primary key, document "+blob+" not null)"); err != nil {
		_ = db.Close()
		return nil, err
	}
	return &bareCommits{db}, nil
}

func (c *bareCommits) insert(ctx context.Context, id string, document []byte) error {
	_, err := c.ExecContext(ctx, "insert into bare (id, document) values ($1, $2)", id, document)
	return err
}
