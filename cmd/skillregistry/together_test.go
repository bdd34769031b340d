//go:build replicas && linux

package main

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"testing"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

// TestReplicasThatStartTogether starts replicas at once on an empty database: one of
// them makes the first key, and all take it.
func TestReplicasThatStartTogether(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 3} {
		for round := range 2 {
			t.Run(fmt.Sprintf("%d replicas, round %d", n, round), func(t *testing.T) {
				t.Parallel()
				wantOneFirstKey(t, storetest.PostgreSQL(t), n)
			})
		}
	}
}

func wantOneFirstKey(t *testing.T, databaseURL string, n int) *fleet {
	t.Helper()
	var starting []*process
	for range n {
		starting = append(starting, launchReplica(t, os.Getenv(binaryVariable), databaseURL))
	}
	var replicas []*replica
	var keys []string
	for _, p := range starting {
		replicas = append(replicas, awaitReplica(t, p))
		// It prints the key before it listens.
		keys = append(keys, regexp.MustCompile(`\bskr_[a-z2-7]{64}\b`).FindAllString(p.stdout.String(), 1)...)
	}
	if len(keys) != 1 {
		t.Fatalf("%d of %d replicas printed a first key, want one", len(keys), n)
	}
	f := newFleet(t, replicas...)
	for i, r := range replicas {
		r.get(t, "/readyz").wantStatus(t, fmt.Sprintf("/readyz of replica %d", i), http.StatusOK)
		a := r.ask(t.Context(), f.client, http.MethodGet, "/v1/keys", nil, withKey(keys[0])...)
		a.wantStatus(t, fmt.Sprintf("the keys, from replica %d", i), http.StatusOK)
	}
	return f
}
