//go:build linux

package store_test

import (
	"errors"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestNothingIsAcknowledgedBeforeTheStandbyHasIt is about a primary that may not commit
// what its standby has not got. What waits for the standby is committed on the primary
// and can be found there, also by the attempt to find out about a commit that took too
// long; yet it would be lost with the primary.
func TestNothingIsAcknowledgedBeforeTheStandbyHasIt(t *testing.T) {
	t.Parallel()
	primary, standby := storetest.NewPair(t)
	s := open(t, primary.URL())
	publish(t, s, publication("com.example.before", "1.0.0", protocol.Public, ""))
	if err := s.CreateKey(t.Context(), key("revocable"), store.Actor{}); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s, store.Options{URL: primary.URL(), Timeout: time.Second})
	late := publication("com.example.late", "1.0.0", protocol.Public, "")

	standby.Stop(t)
	refuse := func(what string, err error) {
		t.Helper()
		var away *store.UnavailableError
		if !errors.As(err, &away) {
			t.Errorf("%s without a standby: got error %v, want that the store is not available", what, err)
		}
	}
	_, err := s.Publish(t.Context(), late)
	refuse("publish", err)
	_, err = s.Publish(t.Context(), late)
	refuse("publish again", err)
	refuse("revoke", s.RevokeKey(t.Context(), key("revocable").ID, time.Now(), store.Actor{}))
	standby.Start(t)
	s = reopen(t, s, store.Options{URL: primary.URL()})
	if got, err := s.Publish(t.Context(), late); err != nil || got.Created {
		t.Errorf("publish with the standby: got %+v and error %v, want that it was there", got, err)
	}
	primary.Kill(t)
	standby.Promote(t)
	s = reopen(t, s, store.Options{URL: standby.URL()})
	if all, _ := changes(t, s, 0); len(all) != 3 {
		t.Errorf("after the failover: got %q, want two versions and a key", names(all))
	}
}
