package oidc

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// How long keys are good for.
const (
	// freshFor is after how long they are asked for anew: a key that its issuer has removed
	// admits nobody after that.
	freshFor = time.Hour
	// keptFor is how long they stand in for an issuer that does not answer.
	keptFor = 24 * time.Hour
	// fetchPause is from the beginning of a fetch to that of the next.
	fetchPause = 10 * time.Second
)

// keySet has the keys of one issuer. Safe for concurrent use.
type keySet struct {
	issuer string
	ask    func(ctx context.Context, issuer string) ([]jose.JSONWebKey, error)
	now    func() time.Time
	log    *slog.Logger

	mu       sync.Mutex
	keys     []jose.JSONWebKey
	as       time.Time     // when keys were asked for; zero before the first
	tried    time.Time     // when the last fetch began
	cause    error         // of the last fetch, if it failed
	fetching chan struct{} // closed when the fetch under way has ended; nil when none is
}

// named returns the keys that a token may be signed with which names one; "" is a token
// that names none, which an issuer with a single key may issue. None means that the issuer
// has no such key. A *KeysError means that nobody knows.
func (s *keySet) named(ctx context.Context, id string) ([]jose.JSONWebKey, error) {
	for asked := false; ; asked = true {
		s.mu.Lock()
		now := s.now()
		age := now.Sub(s.as)
		found := s.find(id)
		if s.keys != nil && age < freshFor && len(found) > 0 {
			s.mu.Unlock()
			return found, nil
		}
		if !asked && (s.fetching != nil || s.tried.IsZero() || now.Sub(s.tried) >= fetchPause) {
			under := s.fetch(ctx, now)
			s.mu.Unlock()
			select {
			case <-under:
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		usable, wait, cause := s.keys != nil && age < keptFor, s.tried.Add(fetchPause).Sub(now), s.cause
		s.mu.Unlock()
		if !usable || len(found) == 0 && cause != nil {
			return nil, &KeysError{Issuer: s.issuer, Wait: max(wait, time.Second), cause: cause}
		}
		return found, nil
	}
}

func (s *keySet) find(id string) []jose.JSONWebKey {
	if id == "" {
		if len(s.keys) == 1 {
			return s.keys
		}
		return nil
	}
	var found []jose.JSONWebKey
	for _, key := range s.keys {
		if key.KeyID == id {
			found = append(found, key)
		}
	}
	return found
}

// fetch begins a fetch, unless one is under way, and returns what is closed at its end. It
// outlives who asked for it, for others wait for it, too.
func (s *keySet) fetch(ctx context.Context, now time.Time) <-chan struct{} {
	if s.fetching != nil {
		return s.fetching
	}
	ended := make(chan struct{})
	s.fetching, s.tried = ended, now
	go func() {
		defer close(ended)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
		defer cancel()
		keys, err := s.ask(ctx, s.issuer)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.fetching, s.cause = nil, err
		if err != nil {
			s.log.Warn("the keys of an issuer can't be had", "issuer", s.issuer, "error", err)
			return
		}
		s.keys, s.as = keys, now
	}()
	return ended
}
