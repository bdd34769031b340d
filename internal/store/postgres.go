package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// How many connections a store has at most. Writes wait for one another in any case,
// so a few suffice for them.
const (
	postgresWriters = 4
	postgresReaders = 8
)

func openPostgres(ctx context.Context, url string, timeout time.Duration) (*Store, error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		// The driver's own text may hold parts of a password that has a '/' or '#' in it.
		return nil, errors.New("the database URL can't be read; it has to be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with what is not a letter or digit in a password written as %XX")
	}
	if config.ConnectTimeout == 0 {
		// It counts for each host, and a silent one must not use up the time of the next.
		config.ConnectTimeout = min(timeout, 5*time.Second) / time.Duration(hosts(config))
	}
	// A pooler may give each transaction another connection, so nothing is prepared,
	// and nothing is set for longer than a transaction.
	config.DefaultQueryExecMode = pgx.QueryExecModeCacheDescribe
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "skillregistry"
	}
	s := &Store{
		dialect: postgresDialect(timeout),
		timeout: timeout,
		reader:  sql.OpenDB(&connecting{Connector: stdlib.GetConnector(*config)}),
		writer:  sql.OpenDB(&connecting{Connector: stdlib.GetConnector(*config)}),
		release: func() error { return nil },
	}
	s.reader.SetMaxOpenConns(postgresReaders)
	s.writer.SetMaxOpenConns(postgresWriters)
	s.reader.SetMaxIdleConns(s.dialect.idle)
	s.writer.SetMaxIdleConns(s.dialect.idle)
	s.reader.SetConnMaxIdleTime(5 * time.Minute)
	s.writer.SetConnMaxIdleTime(5 * time.Minute)
	err = s.read(ctx, "connect to the database", s.reader.PingContext)
	if err != nil {
		_ = s.Close()
		return nil, refusedConnection(err)
	}
	return s, nil
}

// hosts counts the hosts that a connection may be to.
func hosts(config *pgx.ConnConfig) int {
	all := map[string]bool{net.JoinHostPort(config.Host, fmt.Sprint(config.Port)): true}
	for _, f := range config.Fallbacks { // with and without TLS are two of them
		all[net.JoinHostPort(f.Host, fmt.Sprint(f.Port))] = true
	}
	return len(all)
}

// refusedConnection tells a connection that the server refuses for good, such as one
// with a wrong password, from one that could not be had.
func refusedConnection(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && stateFault(refused.Code) == permanent {
		return fmt.Errorf("connect to the database: %s", refused.Message)
	}
	return err
}

func postgresDialect(timeout time.Duration) dialect {
	ms := timeout.Milliseconds()
	// synchronous_commit may be stricter than "on", but not off: what was answered is on
	// disk.
	const onDisk = `select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off'`
	return dialect{
		shared: true,
		folder: "postgres",
		// The time limits are the server's own, for when this process is stopped or
		// cut off in the middle.
		beginWrite: fmt.Sprintf(`
			begin;
			set local lock_timeout = %[1]d;
			set local statement_timeout = %[1]d;
			set local idle_in_transaction_session_timeout = %[1]d;
			`, ms) + onDisk,
		lock: `select revision, public_revision, clock, events from registry for update`,
		send: sendBatch,
		beginRead: fmt.Sprintf(`
			begin isolation level repeatable read read only;
			set local idle_in_transaction_session_timeout = %d`, ms),
		beginExport: `
			begin isolation level repeatable read read only;
			set local statement_timeout = 0;
			set local idle_in_transaction_session_timeout = 0`,
		beginAlone: `
			begin;
			set local lock_timeout = 0;
			set local statement_timeout = 0;
			set local idle_in_transaction_session_timeout = 0;
			select pg_advisory_xact_lock(hashtext('skillregistry'), hashtext(coalesce(current_schema(), '')));
			` + onDisk,
		idle:  postgresWriters,
		fault: postgresFault,
	}
}

// sendBatch saves a round trip for each statement but one, all while the lock is held.
func sendBatch(ctx context.Context, conn *sql.Conn, statements []statement) error {
	var batch pgx.Batch
	for _, s := range statements {
		batch.Queue(s.text, s.args...)
	}
	return conn.Raw(func(driver any) error {
		results := driver.(*stdlib.Conn).Conn().SendBatch(ctx, &batch)
		for i := range statements {
			if _, err := results.Exec(); err != nil {
				_ = results.Close()
				return &statementError{i, err}
			}
		}
		return results.Close()
	})
}

// postgresFault says what kind of error the driver's is.
func postgresFault(err error) fault {
	var connecting *pgconn.ConnectError
	var reported *pgconn.PgError
	switch {
	case errors.As(err, &connecting):
		return unavailable
	case errors.Is(err, pgconn.ErrConnClosed), pgconn.SafeToRetry(err):
		return lost
	case errors.As(err, &reported):
		return stateFault(reported.Code)
	default:
		return permanent
	}
}

// stateFault says what kind of error a SQLSTATE stands for.
func stateFault(code string) fault {
	switch code {
	case "57P01", // admin_shutdown
		"57P02", // crash_shutdown
		"57P05", // idle_session_timeout
		"25P03", // idle_in_transaction_session_timeout
		"25006": // read_only_sql_transaction: no longer the primary
		return lost
	case "40001", // serialization_failure
		"40P01": // deadlock_detected
		return contended
	case "57P03", // cannot_connect_now
		"57014", // query_canceled: statement_timeout
		"55P03": // lock_not_available: lock_timeout
		return unavailable
	}
	switch fmt.Sprintf("%.2s", code) {
	case "08": // connection exception
		return lost
	case "53", // insufficient resources: connections, memory, disk
		"58": // system error
		return unavailable
	}
	return permanent
}
