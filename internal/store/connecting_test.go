package store_test

import (
	"context"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestCallersWithLittleTimeGetPastASilentHost is about the first of two hosts that takes
// connections and says nothing, as one does that hangs.
func TestCallersWithLittleTimeGetPastASilentHost(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	database := storetest.PostgreSQL(t)
	u, err := url.Parse(database + "&application_name=silenthost")
	if err != nil {
		t.Fatal(err)
	}
	u.Host = silent.Addr().String() + "," + u.Host
	s := open(t, u.String())
	execute(t, open(t, database).Writer(), `select pg_terminate_backend(pid, 5000) from pg_stat_activity
		where application_name = 'silenthost'`)

	for begun := time.Now(); ; {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := s.Revision(ctx)
		cancel()
		if err == nil {
			return
		}
		if time.Since(begun) > 20*time.Second {
			t.Fatalf("callers who can wait 300 ms get no connection; the last one got %v", err)
		}
	}
}
