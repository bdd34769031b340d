package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"
)

// writeTx is a transaction that holds the lock of all writes.
type writeTx struct {
	// conn is for reading what the write depends on.
	conn *sql.Conn
	// statements are what it writes. They go to the database together.
	statements []statement
	// mark is where the order of all changes stands; what the transaction adds to it
	// is committed with it.
	mark Mark
	// clock is the time of the last change of a skill, in microseconds since 1970.
	clock int64
	// events counts the events of the audit log.
	events int64
	// doubt is the revision under which an earlier attempt of the same write may have
	// been committed; 0 where there was none.
	doubt int64
}

// next takes the next revision.
func (tx *writeTx) next() { tx.mark.Revision++ }

// exec has a statement run before the commit.
func (tx *writeTx) exec(text string, args ...any) {
	tx.statements = append(tx.statements, statement{text, args})
}

// write runs do in one transaction, which writes what do has it execute. An
// attempt that failed in a way that may pass is repeated, and so is one whose commit
// has an unknown outcome: do then finds what that attempt wrote, or finds that it has
// to write it now. A caller whose context ended gets that error, and nothing is
// written after it.
func (s *Store) write(ctx context.Context, op string, do func(context.Context, *writeTx) error) (err error) {
	if err := s.enter(op); err != nil {
		return err
	}
	defer s.calls.Done()
	if s.span != nil {
		traced, end := s.span(ctx, "store: "+op)
		ctx = traced
		defer func() { end(err) }()
	}
	bounded, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var doubt *doubtError
	for attempt := 1; ; attempt++ {
		var revision int64
		if doubt != nil {
			revision = doubt.revision
		}
		err := s.try(bounded, ctx, revision, do)
		if err == nil {
			return nil
		}
		if errors.As(err, &doubt) {
			// Whoever asked may be gone, but the answer is needed all the same.
			cancel()
			bounded, cancel = context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
			defer cancel()
		}
		if attempt < attempts && s.again(bounded, err) {
			continue
		}
		if doubt != nil && !errors.Is(err, errGone) {
			if !errors.Is(err, doubt) {
				err = fmt.Errorf("%w; then, to find out: %w", doubt, err)
			}
			return &UnavailableError{Op: op, Err: oneLine{err}}
		}
		return s.fail(ctx, op, err)
	}
}

// errGone says that the caller's context ended before the commit.
var errGone = errors.New("the caller is gone")

// try makes one attempt at a write, within bounded. It commits only while the
// caller's context is alive; a commit that began is not cut short by it.
func (s *Store) try(bounded, caller context.Context, doubt int64, do func(context.Context, *writeTx) error) error {
	conn, err := s.writer.Conn(bounded)
	if err != nil {
		return err
	}
	defer conn.Close()
	ended := false
	defer func() {
		if !ended {
			rollBack(conn)
		}
	}()
	if _, err := conn.ExecContext(bounded, s.dialect.beginWrite); err != nil {
		return err
	}
	tx := &writeTx{conn: conn, doubt: doubt}
	row := conn.QueryRowContext(bounded, s.dialect.lock)
	if err := row.Scan(&tx.mark.Revision, &tx.mark.PublicRevision, &tx.clock, &tx.events); err != nil {
		return err
	}
	if err := do(bounded, tx); err != nil {
		return err
	}
	commit := func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(caller), s.timeout)
		defer cancel()
		_, err := conn.ExecContext(ctx, `commit`)
		return err
	}
	if len(tx.statements) == 0 {
		if !s.dialect.shared {
			return nil
		}
		// What the answer rests on may be committed and yet not be on the standby that
		// commits wait for. This one, which wrote no more than its lock, waits for it.
		err := commit()
		ended = err == nil
		return err
	}
	tx.exec(`update registry set revision = $1, public_revision = $2, clock = $3, events = $4`,
		tx.mark.Revision, tx.mark.PublicRevision, tx.clock, tx.events)
	if err := s.dialect.send(bounded, conn, tx.statements); err != nil {
		return err
	}
	if over(caller) != nil {
		return errGone
	}
	if err := s.latest.move(tx.mark.Revision, commit); err != nil {
		return &doubtError{revision: tx.mark.Revision, err: err}
	}
	ended = true
	return nil
}

// rollBack ends the transaction of a connection, or the connection if it can't.
func rollBack(conn *sql.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if _, err := conn.ExecContext(ctx, `rollback`); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}
