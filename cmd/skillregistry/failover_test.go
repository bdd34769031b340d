//go:build replicas && linux

package main

import (
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// inEitherPlace is the address of a database that lives in two clusters, and is written
// to in one of them.
func inEitherPlace(c *storetest.Cluster, addrs string) string {
	return c.URLBy(addrs) + "&target_session_attrs=read-write"
}

// TestAFailoverUnderLoadLosesNothing kills the primary while replicas are read and
// written, and promotes its standby, which has on disk whatever was acknowledged.
func TestAFailoverUnderLoadLosesNothing(t *testing.T) {
	t.Parallel()
	primary, standby := storetest.NewPair(t)
	f := twoReplicas(t, inEitherPlace(primary, primary.Addr()+","+standby.Addr()))
	load := f.begin(t, "load", 2)
	time.Sleep(500 * time.Millisecond)
	primary.Kill(t)
	standby.Promote(t)
	f.wellAgain(t, "2.0.0")
	time.Sleep(300 * time.Millisecond)
	load.end(t, f)
}

// TestAFailoverFromAPrimaryThatHangs is about a primary that is not dead but silent, as
// one is whose machine lost its network.
func TestAFailoverFromAPrimaryThatHangs(t *testing.T) {
	t.Parallel()
	primary, standby := storetest.NewPair(t)
	toPrimary := newWire(t, primary.URL(), nil)
	f := twoReplicas(t, inEitherPlace(primary, toPrimary.addr+","+standby.Addr()))
	load := f.begin(t, "load", 2)
	time.Sleep(500 * time.Millisecond)
	toPrimary.there.Lock()
	defer toPrimary.there.Unlock()
	standby.Promote(t)
	f.wellAgain(t, "2.0.0")
	time.Sleep(300 * time.Millisecond)
	load.end(t, f)
}
