package httpapi

import (
	"net/http"
	"strings"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// audited answers a write as h does, and has a refusal noted. What was carried out is
// noted by the store, with the change; what failed for no fault of the caller's is for
// the log; and a dry run is no write.
func (s *server) audited(action store.Action, h handler) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		if err == nil {
			return nil
		}
		p := s.describe(err)
		if p.status >= http.StatusInternalServerError || action == store.ActionPublish && isDryRun(r) {
			return err
		}
		e := store.Event{At: s.moment(), Actor: s.actor(r), Action: action, Code: string(p.code)}
		x := exchangeOf(r)
		if e.SkillID, e.Version = x.skill, x.version; e.SkillID == "" {
			e.SkillID = s.named(r, "id", protocol.ValidID)
			e.Version = s.named(r, "version", protocol.ValidVersion)
		}
		if action == store.ActionRevokeKey {
			e.SkillID, e.KeyID = "", s.named(r, "id", validKeyID)
		}
		s.Store.Refuse(e)
		return err
	}
}

func isDryRun(r *http.Request) bool {
	asked, err := parsePublishQuery(r)
	return err == nil && asked.dryRun
}

// actor is who sent a request, as far as that is known by now.
func (s *server) actor(r *http.Request) store.Actor {
	x := exchangeOf(r)
	by := store.Actor{KeyID: x.key, RequestID: x.id}
	if x.client.IsValid() {
		by.Address = x.client.String()
	}
	if s.Catalog.IsAdminKey(x.id) {
		by.RequestID = ""
	}
	return by
}

// named returns what the path of a refused request names, for the audit log: nothing
// where that can't be such a name, or has a part that is long enough to be a key, which
// someone may have put where an id belongs.
func (s *server) named(r *http.Request, parameter string, valid func(string) bool) string {
	name, ok := pathValue(r, parameter)
	if !ok || !valid(name) || s.Catalog.IsAdminKey(name) {
		return ""
	}
	for part := range strings.SplitSeq(name, ".") {
		if len(part) >= access.MinAdminKeyLength {
			return ""
		}
	}
	return name
}
