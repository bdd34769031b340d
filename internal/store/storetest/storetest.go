// Package storetest gives tests databases of their own, one of each kind that a store
// can keep its data in.
//
// PostgreSQL is for real: a schema in the cluster that the environment variable
// SKILLREGISTRY_TEST_POSTGRES_URL names. Without it tests fail; they never skip.
package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // the driver
)

// Variable names the environment variable with the URL of the PostgreSQL cluster.
const Variable = "SKILLREGISTRY_TEST_POSTGRES_URL"

// URLs returns the URL of a fresh, empty database of each kind, by the kind's name:
// "postgres" and "sqlite". They are gone when the test ends.
func URLs(t testing.TB) map[string]string {
	t.Helper()
	return map[string]string{"postgres": PostgreSQL(t), "sqlite": SQLite(t)}
}

// Each runs a parallel subtest for each kind of database, with the URL of a fresh one.
func Each(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	kinds := map[string]func(testing.TB) string{"postgres": PostgreSQL, "sqlite": SQLite}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, kinds[name](t))
		})
	}
}

// SQLite returns the URL of a database file that is not there yet.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "registry.db")
}

// PostgreSQL returns the URL of an empty schema. The user that it names is a
// superuser of the cluster.
func PostgreSQL(t testing.TB) string {
	t.Helper()
	cluster := os.Getenv(Variable)
	if cluster == "" {
		t.Fatalf("%s is not set: run make test, or .ci/with-postgres go test ./...", Variable)
	}
	schema := "test_" + strings.ToLower(rand.Text())
	execute(t, cluster, "create schema "+schema)
	t.Cleanup(func() { execute(t, cluster, "drop schema "+schema+" cascade") })
	u, err := url.Parse(cluster)
	if err != nil {
		t.Fatalf("%s is not a URL", Variable)
	}
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}

// Load runs an SQL script, such as a dump, on an empty database of either kind.
func Load(t testing.TB, url, script string) {
	t.Helper()
	file, isFile := strings.CutPrefix(url, "sqlite:")
	if !isFile {
		execute(t, url, script)
		return
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), script); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func execute(t testing.TB, url, statement string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatalf("connecting to the cluster of %s: %v", Variable, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
