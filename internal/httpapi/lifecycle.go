package httpapi

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// statusAnswer says where a version is in its life.
type statusAnswer struct {
	ID            string        `json:"id"`
	Version       string        `json:"version"`
	Status        access.Status `json:"status"`
	Reason        string        `json:"reason,omitzero"`
	DescriptorURL string        `json:"descriptor_url"`
}

// receiveForVersion admits a request that changes something of one version, and returns its
// body. A publisher gets the same answer for a skill outside its namespaces whether or not
// it exists.
func (s *server) receiveForVersion(w http.ResponseWriter, r *http.Request, mediaType string) (id, version string, body []byte, err error) {
	v, err := s.write(r)
	if err != nil {
		return "", "", nil, err
	}
	if !v.caller.PublishesSomewhere() {
		return "", "", nil, &permissionError{needs: "a key with the scope publish"}
	}
	if id, _ := pathValue(r, "id"); !v.caller.MayPublish(id) {
		return "", "", nil, &permissionError{needs: "a key with the scope publish for a namespace that covers the skill"}
	}
	if id, version, err = skillIDAndVersion(r); err != nil {
		return "", "", nil, err
	}
	_, body, err = s.receive(w, r, mediaType)
	return id, version, body, err
}

// setStatus gives a version another status.
func (s *server) setStatus(w http.ResponseWriter, r *http.Request) error {
	id, version, body, err := s.receiveForVersion(w, r, contentType)
	if err != nil {
		return err
	}
	status, reason, err := parseStatusRequest(body, s.MaxDepth)
	if err != nil {
		return err
	}
	change := store.StatusChange{SkillID: id, Version: version, Status: status, Reason: reason, At: s.moment(), By: s.actor(r)}
	if err := s.Store.SetStatus(writeContext(r), change); err != nil {
		return err
	}
	return s.answer(w, r, http.StatusOK, statusAnswer{
		ID: id, Version: version, Status: status, Reason: reason,
		DescriptorURL: catalog.DescriptorURL(s.BaseURL, id, version),
	})
}

// deleteSkill deletes every version of a skill for good.
func (s *server) deleteSkill(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.administer(s.write(r)); err != nil {
		return err
	}
	id, err := skillID(r)
	if err != nil {
		return err
	}
	return s.delete(w, r, store.Deletion{SkillID: id, At: s.moment(), By: s.actor(r)})
}

// deleteVersion deletes one version for good.
func (s *server) deleteVersion(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.administer(s.write(r)); err != nil {
		return err
	}
	id, err := skillID(r)
	if err != nil {
		return err
	}
	version, err := skillVersion(r)
	if err != nil {
		return err
	}
	return s.delete(w, r, store.Deletion{SkillID: id, Version: version, At: s.moment(), By: s.actor(r)})
}

func (s *server) delete(w http.ResponseWriter, r *http.Request, d store.Deletion) error {
	if err := s.Store.Delete(writeContext(r), d); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

const maxReason = 1000

// parseStatusRequest reads what status a version is to get and why, and reports all that
// is wrong with it at once: *protocol.SyntaxError or *protocol.ValidationError.
func parseStatusRequest(body []byte, maxDepth int) (status access.Status, reason string, err error) {
	var asked struct {
		Status *access.Status `json:"status"`
		Reason string         `json:"reason"`
	}
	violations, err := decodeMembers(body, maxDepth, &asked, "status", "reason")
	if err != nil {
		return "", "", err
	}
	violate := func(field, expected, actual string) {
		violations = append(violations, protocol.Violation{Field: field, Expected: expected, Actual: actual})
	}
	const statuses = "one of: active, deprecated, yanked"
	switch {
	case asked.Status == nil:
		violate("/status", statuses, "missing")
	case !slices.Contains([]access.Status{access.Active, access.Deprecated, access.Yanked}, *asked.Status):
		violate("/status", statuses, quoted(string(*asked.Status)))
	default:
		status = *asked.Status
	}
	if n := utf8.RuneCountInString(asked.Reason); n > maxReason {
		violate("/reason", fmt.Sprintf("at most %d characters", maxReason), fmt.Sprintf("%d characters", n))
	}
	if strings.ContainsFunc(asked.Reason, unicode.IsControl) {
		violate("/reason", "no control characters", quoted(asked.Reason))
	}
	if len(violations) > 0 {
		return "", "", &protocol.ValidationError{Violations: violations}
	}
	return status, asked.Reason, nil
}
