package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const sqliteReaders = 4

func openSQLite(ctx context.Context, name string, timeout time.Duration) (*Store, error) {
	file, err := sqliteFile(name)
	if err != nil {
		return nil, err
	}
	unlock, err := lockFile(file + ".lock")
	if err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	s := &Store{dialect: sqliteDialect(), timeout: timeout, release: unlock}
	if err := s.openFile(ctx, file); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", name, err), unlock())
	}
	return s, nil
}

// openSQLiteReadOnly opens a file that another process may be writing to. In WAL mode it
// reads beside it without a lock of ours.
func openSQLiteReadOnly(ctx context.Context, name string, timeout time.Duration) (*Store, error) {
	file, err := sqliteFile(name)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	s := &Store{dialect: sqliteDialect(), timeout: timeout, release: func() error { return nil }}
	s.dialect.shared = true
	if s.reader, err = openReader(file, timeout); err != nil {
		return nil, fmt.Errorf("database %s: %w", name, err)
	}
	s.writer = s.reader
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	if err := verify(ctx, s.reader, "query_only", "1"); err != nil {
		return nil, errors.Join(fmt.Errorf("database %s: %w", name, noRoom(err)), s.Close())
	}
	return s, nil
}

// sqliteFile returns the file that a name stands for, as one path however it is reached.
func sqliteFile(name string) (string, error) {
	switch {
	case name == "" || name == ":memory:":
		return "", errors.New("the database URL has to name a file: sqlite:PATH")
	case strings.HasPrefix(name, "//"):
		return "", errors.New("the database URL has to be sqlite:PATH, without // before the path")
	case strings.ContainsAny(name, "?\x00"):
		return "", errors.New("the database URL has to be sqlite:PATH, without options after the path")
	}
	file, err := filepath.Abs(name)
	if err != nil {
		return "", fmt.Errorf("database %s: %w", name, err)
	}
	folder := filepath.Dir(file)
	if info, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return "", fmt.Errorf("database %s: there is no folder %s; make it first", name, folder)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("database %s: this is not a file", name)
	}
	if real, err := filepath.EvalSymlinks(file); err == nil {
		return real, nil
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		return filepath.Join(real, filepath.Base(file)), nil
	}
	return file, nil
}

// openFile opens the handles on the file: one connection that writes, a few that read.
func (s *Store) openFile(ctx context.Context, file string) (err error) {
	// It holds the hashes of keys and what is private: nobody else's to read. The files
	// beside it get the same mode.
	f, err := os.OpenFile(file, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	s.writer, err = openHandle(file, 1, url.Values{
		"_pragma": {busy(s.timeout), "journal_mode(wal)", "synchronous(full)", "fullfsync(1)", "foreign_keys(1)"},
	})
	if err != nil {
		return err
	}
	if s.reader, err = openReader(file, s.timeout); err != nil {
		return errors.Join(err, s.writer.Close())
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	// The driver passes over what it does not understand in silence.
	for _, setting := range []struct {
		handle       *sql.DB
		pragma, want string
	}{
		{s.writer, "journal_mode", "wal"},
		{s.writer, "synchronous", "2"},
		{s.writer, "foreign_keys", "1"},
		{s.reader, "query_only", "1"},
	} {
		if err := verify(ctx, setting.handle, setting.pragma, setting.want); err != nil {
			return errors.Join(noRoom(err), s.reader.Close(), s.writer.Close())
		}
	}
	return nil
}

// noRoom says in words what SQLite has against a disk that is full: it keeps an index of
// what is not yet in the file beside it, even to read, and makes it anew after an orderly
// end.
func noRoom(err error) error {
	var reported *sqlite.Error
	if errors.As(err, &reported) {
		switch reported.Code() {
		case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_WRITE:
			return fmt.Errorf("the disk is full: there has to be room for 100 KiB beside the file, even to read it (%w)", err)
		}
	}
	return err
}

// openReader opens the handle that only reads.
func openReader(file string, timeout time.Duration) (*sql.DB, error) {
	return openHandle(file, sqliteReaders, url.Values{
		"mode": {"ro"}, "_pragma": {busy(timeout), "query_only(1)"},
	})
}

// busy is how long a connection waits for another one.
func busy(timeout time.Duration) string {
	return fmt.Sprintf("busy_timeout(%d)", timeout.Milliseconds())
}

func openHandle(file string, connections int, options url.Values) (*sql.DB, error) {
	slashed := filepath.ToSlash(file)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	name := url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// verify reads back a setting.
func verify(ctx context.Context, db *sql.DB, pragma, want string) error {
	var got string
	if err := db.QueryRowContext(ctx, "pragma "+pragma).Scan(&got); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("%s is %s where it has to be %s; the file has to be on a disk of this machine", pragma, got, want)
	}
	return nil
}

func sqliteDialect() dialect {
	return dialect{
		folder:      "sqlite",
		beginWrite:  "begin immediate",
		lock:        "select revision, public_revision, clock, events from registry",
		send:        sendEach,
		beginRead:   "begin",
		beginExport: "begin",
		beginAlone:  "begin immediate",
		idle:        sqliteReaders,
		fault:       sqliteFault,
	}
}

func sendEach(ctx context.Context, conn *sql.Conn, statements []statement) error {
	for i, s := range statements {
		if _, err := conn.ExecContext(ctx, s.text, s.args...); err != nil {
			return &statementError{i, err}
		}
	}
	return nil
}

// sqliteFault says what kind of error the driver's is, by SQLite's primary result code.
func sqliteFault(err error) fault {
	var reported *sqlite.Error
	if !errors.As(err, &reported) {
		return permanent
	}
	switch reported.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL,
		sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_INTERRUPT:
		return unavailable
	default:
		return permanent
	}
}
