package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"unicode/utf8"
)

// dialect is what differs between the databases. All other SQL is the same for both.
type dialect struct {
	// shared says that others may write to the same database.
	shared bool
	// folder has the migrations.
	folder string
	// beginWrite begins a transaction that writes.
	beginWrite string
	// lock takes the lock that orders all writes, unless beginWrite has, and reads its row.
	lock string
	// send runs statements, one after the other. Its error is a *statementError where one
	// of them failed.
	send func(context.Context, *sql.Conn, []statement) error
	// beginRead begins a transaction that reads from one snapshot.
	beginRead string
	// beginExport is beginRead for one who may be slow to take what is read.
	beginExport string
	// beginAlone begins a transaction that writes, that only one process at a time is in,
	// and that takes the time that it takes.
	beginAlone string
	// idle is how many connections without work are kept for each handle.
	idle int
	// fault says what kind of error the driver's is.
	fault func(error) fault
}

// statement is one to run for its effect.
type statement struct {
	text string
	args []any
}

// statementError says which of several statements failed.
type statementError struct {
	// index is its place among them, from 0.
	index int
	err   error
}

func (e *statementError) Error() string { return e.err.Error() }

func (e *statementError) Unwrap() error { return e.err }

// fault is a kind of error.
type fault int

const (
	// permanent: the same call would fail again.
	permanent fault = iota
	// unavailable: the same call may succeed later.
	unavailable
	// lost: the connection is gone; a fresh one may do.
	lost
	// contended: another transaction was in the way; the same one again may do.
	contended
)

func (d dialect) classify(err error) fault {
	var doubt *doubtError
	if errors.As(err, &doubt) {
		return lost
	}
	if f := d.fault(err); f != permanent {
		return f
	}
	var network net.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable
	case errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone),
		errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &network):
		return lost
	default:
		return permanent
	}
}

// doubtError says that a commit failed in a way that leaves open whether it was
// carried out.
type doubtError struct {
	// revision is the one that was being committed.
	revision int64
	err      error
}

func (e *doubtError) Error() string { return "commit, with unknown outcome: " + e.err.Error() }

func (e *doubtError) Unwrap() error { return e.err }

// storable reports whether a text can be in the database at all: PostgreSQL refuses
// even to look for one that can't.
func storable(text string) bool { return utf8.ValidString(text) && !strings.ContainsRune(text, 0) }
