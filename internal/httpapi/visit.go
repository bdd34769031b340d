package httpapi

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/store"
)

// visit is who asks, and what there is to see.
type visit struct {
	caller   access.Caller
	snapshot *catalog.Snapshot
}

// read admits a request that changes nothing: of an anonymous caller, or of one with a
// valid key or token. An answer from a snapshot that could not be checked says how old it is, and
// so does the refusal of a key, which may be newer.
func (s *server) read(w http.ResponseWriter, r *http.Request) (visit, error) {
	v, age, err := s.enter(r)
	if age > 0 {
		w.Header().Set("Age", strconv.FormatInt(int64(max(age, time.Second)/time.Second), 10))
	}
	return v, err
}

// write admits a request that changes something: of a caller with a key, within its
// rate. It does not take an old snapshot's word for the key, which may be revoked by
// now, or be there: the store must have been asked.
func (s *server) write(r *http.Request) (visit, error) {
	if !hasCredentials(r.Header) {
		return visit{}, s.refuse(r, &credentialsError{})
	}
	v, err := s.enterToWrite(r)
	if err != nil {
		return visit{}, err
	}
	return v, s.spend(r, v.caller)
}

// receive returns the body of a write that was admitted, and looks its caller up anew: a
// body may take its time, and the key may be revoked meanwhile.
func (s *server) receive(w http.ResponseWriter, r *http.Request, mediaType string) (visit, []byte, error) {
	body, err := s.readBody(w, r, mediaType)
	if err != nil {
		return visit{}, nil, err
	}
	v, err := s.enterToWrite(r)
	return v, body, err
}

func (s *server) enterToWrite(r *http.Request) (visit, error) {
	v, age, err := s.enter(r)
	if age > 0 {
		err = &store.UnavailableError{Op: "checking a key", Err: errors.New("the snapshot is not current")}
	}
	return v, err
}

// administer admits a request that only an administrator may make.
func (s *server) administer(v visit, err error) (visit, error) {
	switch {
	case err != nil:
		return visit{}, err
	case v.caller.Anonymous():
		return visit{}, &credentialsError{}
	case !v.caller.Administers():
		return visit{}, &permissionError{needs: "a key with the scope admin"}
	}
	return v, nil
}

// enter finds out who asks, and how old the snapshot is that says so. Credentials that
// are not valid are never anonymous.
func (s *server) enter(r *http.Request) (visit, time.Duration, error) {
	key, err := token(r.Header)
	if err != nil {
		return visit{}, 0, s.refuse(r, err)
	}
	snapshot, age, err := s.Catalog.Snapshot(r.Context())
	if err != nil {
		return visit{}, 0, err
	}
	if key == "" {
		return visit{snapshot: snapshot}, age, nil
	}
	caller, ok := snapshot.Caller(key, s.Now())
	switch {
	case ok && caller.KeyID != access.ConfiguredAdminID:
		s.Store.UseKey(caller.KeyID, s.Now())
	case !ok && s.isIssued(r.Header, key):
		if caller, err = s.Tokens.Caller(r.Context(), key); err != nil {
			return visit{}, age, s.refuse(r, err)
		}
	case !ok:
		return visit{}, age, s.refuse(r, &credentialsError{given: true})
	}
	exchangeOf(r).key = caller.KeyID
	return visit{caller: caller, snapshot: snapshot}, age, nil
}

// refuse counts a failed log-in against the address that it came from, and returns what
// it is answered with: why it failed, or that there were too many.
func (s *server) refuse(r *http.Request, why error) error {
	if err := s.spend(r, access.Caller{}); err != nil {
		return err
	}
	return why
}

// spend takes one request from the rate of a caller: of its key, or of its address when
// it has none. The error is a *rateError.
func (s *server) spend(r *http.Request, caller access.Caller) error {
	name := "key " + caller.KeyID
	if caller.Anonymous() {
		name = "address " + addressGroup(exchangeOf(r).client)
	}
	if wait := s.limit.take(name); wait > 0 {
		return &rateError{wait}
	}
	return nil
}
