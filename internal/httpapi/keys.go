package httpapi

import (
	"net/http"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// keyAnswer is a key as administrators see it.
type keyAnswer struct {
	ID string `json:"id"`
	// Key is the secret: it stands in the answer that makes it, and nowhere else.
	Key        string             `json:"key,omitempty"`
	Name       string             `json:"name"`
	Scopes     []access.Scope     `json:"scopes"`
	Namespaces []access.Namespace `json:"namespaces"`
	CreatedAt  time.Time          `json:"created_at"`
	ExpiresAt  time.Time          `json:"expires_at,omitzero"`
	RevokedAt  time.Time          `json:"revoked_at,omitzero"`
	LastUsedAt time.Time          `json:"last_used_at,omitzero"`
}

func newKeyAnswer(k access.Key) keyAnswer {
	return keyAnswer{
		ID: k.ID, Name: k.Name,
		Scopes:     append([]access.Scope{}, k.Scopes...),
		Namespaces: append([]access.Namespace{}, k.Namespaces...),
		CreatedAt:  k.CreatedAt.UTC(), ExpiresAt: k.ExpiresAt.UTC(), RevokedAt: k.RevokedAt.UTC(),
	}
}

// listKeys answers with every key there ever was, without a secret.
func (s *server) listKeys(w http.ResponseWriter, r *http.Request) error {
	v, err := s.administer(s.read(w, r))
	if err != nil {
		return err
	}
	uses, err := s.Store.KeyUses(r.Context())
	if err != nil {
		w.Header().Del("Age")
		return err
	}
	keys := []keyAnswer{}
	for _, k := range v.snapshot.Keys() {
		key := newKeyAnswer(k)
		key.LastUsedAt = uses[k.ID]
		keys = append(keys, key)
	}
	list, err := newJSONDocument(map[string]any{"keys": keys})
	if err != nil {
		return err
	}
	return s.serve(w, r, list)
}

// createKey makes a key, and shows its secret this once.
func (s *server) createKey(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.administer(s.write(r)); err != nil {
		return err
	}
	_, body, err := s.receive(w, r, contentType)
	if err != nil {
		return err
	}
	now := s.moment()
	request, err := parseKeyRequest(body, s.MaxDepth, now)
	if err != nil {
		return err
	}
	key, secret, err := access.NewKey(request, now, s.Random)
	if err != nil {
		return err
	}
	if err := s.Store.CreateKey(writeContext(r), key, s.actor(r)); err != nil {
		return err
	}
	answer := newKeyAnswer(key)
	answer.Key = secret
	return s.answer(w, r, http.StatusCreated, answer)
}

// revokeKey ends a key. Again is no error.
func (s *server) revokeKey(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.administer(s.write(r)); err != nil {
		return err
	}
	id, ok := pathValue(r, "id")
	if !ok || !validKeyID(id) {
		return &store.KeyNotFoundError{ID: id}
	}
	if err := s.Store.RevokeKey(writeContext(r), id, s.moment(), s.actor(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// validKeyID reports whether id may be that of a key: what is none does not reach the
// store.
func validKeyID(id string) bool {
	return len(id) <= 64 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// keyRequest is the body of a request to make a key.
type keyRequest struct {
	Name       string             `json:"name"`
	Scopes     []access.Scope     `json:"scopes"`
	Namespaces []access.Namespace `json:"namespaces"`
	ExpiresAt  *string            `json:"expires_at"`
}

// parseKeyRequest reads a request to make a key, and reports all that is wrong with it
// at once: *protocol.SyntaxError or *protocol.ValidationError. A misspelt expires_at
// must not make a key that never ends.
func parseKeyRequest(body []byte, maxDepth int, now time.Time) (access.KeyRequest, error) {
	var asked keyRequest
	violations, err := decodeMembers(body, maxDepth, &asked, "name", "scopes", "namespaces", "expires_at")
	if err != nil {
		return access.KeyRequest{}, err
	}
	request := access.KeyRequest{Name: asked.Name, Scopes: asked.Scopes, Namespaces: asked.Namespaces}
	if asked.ExpiresAt != nil {
		at, ok := parseTime(*asked.ExpiresAt)
		if !ok || at.IsZero() { // the zero time would be "never"
			violations = append(violations, protocol.Violation{
				Field: "/expires_at", Expected: "a time in the future, as in RFC 3339, such as 2030-01-31T00:00:00Z", Actual: quoted(*asked.ExpiresAt),
			})
		}
		request.ExpiresAt = at.UTC().Truncate(time.Microsecond)
	}
	if violations = append(request.Check(now), violations...); len(violations) > 0 {
		return access.KeyRequest{}, &protocol.ValidationError{Violations: violations}
	}
	return request, nil
}

// parseTime reads a time by RFC 3339. The standard library also takes a comma for the
// point, and hours of one digit.
func parseTime(text string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, text)
	const layout = "2006-01-02T15:04:05"
	return at, err == nil && text[len("2006-01-02T15")] == ':' && text[len(layout)] != ','
}
