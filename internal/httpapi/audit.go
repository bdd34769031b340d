package httpapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/store"
)

// eventAnswer is an event of the audit log as administrators see it.
type eventAnswer struct {
	At time.Time `json:"at"`
	// Actor is missing where there was no valid key.
	Actor     string        `json:"actor,omitzero"`
	Address   string        `json:"address,omitzero"`
	RequestID string        `json:"request_id,omitzero"`
	Action    store.Action  `json:"action"`
	Skill     string        `json:"skill,omitzero"`
	Version   string        `json:"version,omitzero"`
	Status    access.Status `json:"status,omitzero"`
	Key       string        `json:"key,omitzero"`
	// Outcome is done or refused, and Code says why it was refused.
	Outcome  string `json:"outcome"`
	Code     string `json:"code,omitzero"`
	Requests int64  `json:"requests"`
}

func newEventAnswer(e store.Event) eventAnswer {
	outcome := "done"
	if e.Code != "" {
		outcome = "refused"
	}
	return eventAnswer{
		At: e.At.UTC(), Actor: e.Actor.KeyID, Address: e.Actor.Address, RequestID: e.Actor.RequestID,
		Action: e.Action, Skill: e.SkillID, Version: e.Version, Status: e.Status, Key: e.KeyID,
		Outcome: outcome, Code: e.Code, Requests: e.Requests,
	}
}

// getAudit answers with what was done, and what was refused, since a cursor. It is read
// from the store, which therefore must have been asked about the key, too.
func (s *server) getAudit(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.administer(s.enterToWrite(r)); err != nil {
		return err
	}
	asked, err := parseAuditQuery(r)
	if err != nil {
		return err
	}
	events, last, err := s.Store.Events(r.Context(), asked)
	if err != nil {
		return err
	}
	if asked.After > last {
		return &queryError{"after", expectedEvent, quoted(newEventCursor(asked.After))}
	}
	answer := struct {
		Events []eventAnswer `json:"events"`
		Cursor string        `json:"cursor"`
	}{[]eventAnswer{}, newEventCursor(asked.After)}
	for _, e := range events {
		answer.Events = append(answer.Events, newEventAnswer(e))
		answer.Cursor = newEventCursor(e.Number)
	}
	list, err := newJSONDocument(answer)
	if err != nil {
		return err
	}
	return s.serve(w, r, list)
}

// expectedEvent says which cursors there are. One that is ahead of all events is of a
// database that was put back since.
const expectedEvent = "the cursor of an earlier answer"

func parseAuditQuery(r *http.Request) (asked store.EventsQuery, err error) {
	q, err := parseQuery(r)
	if err != nil {
		return store.EventsQuery{}, err
	}
	after, given, err := q.one("after", expectedEvent)
	if err != nil {
		return store.EventsQuery{}, err
	}
	if given {
		var ok bool
		if asked.After, ok = parseEventCursor(after); !ok {
			return store.EventsQuery{}, &queryError{"after", expectedEvent, quoted(after)}
		}
	}
	if asked.Limit, err = q.limit(maxLimit); err != nil {
		return store.EventsQuery{}, err
	}
	if asked.Limit == 0 {
		asked.Limit = maxLimit
	}
	if asked.KeyID, _, err = q.one("key", "the id of a key"); err != nil {
		return store.EventsQuery{}, err
	}
	asked.SkillID, _, err = q.one("skill", "the id of a skill")
	return asked, err
}

// eventCursor begins each cursor of the audit log, so that none of another list is taken
// for one.
const eventCursor = "e"

func newEventCursor(number int64) string { return eventCursor + strconv.FormatInt(number, 10) }

// parseEventCursor returns the number of the event that a cursor stands behind, and
// reports whether it is one, written as newEventCursor does.
func parseEventCursor(cursor string) (number int64, ok bool) {
	digits, _ := strings.CutPrefix(cursor, eventCursor)
	number, err := strconv.ParseInt(digits, 10, 64)
	return number, err == nil && number >= 0 && newEventCursor(number) == cursor
}
