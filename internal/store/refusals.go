package store

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// refusalPause is how long refusals are gathered before they are stored.
	refusalPause = time.Second
	// maxRefusals is how many kinds of refusals are told apart in that time.
	maxRefusals = 100
	// keptRefusals is how many events of refusals are kept of those who have a key, and of
	// those who have none.
	keptRefusals = 10_000
)

// refusals are what was refused and is not stored yet. Whoever is refused must not make
// the database write for each request: those that are alike become one event, and all of
// a second one transaction. Safe for concurrent use.
type refusals struct {
	later

	mu     sync.Mutex
	events []Event
	// places says where the event is that a refusal counts for.
	places map[Event]int

	// lost counts the requests whose refusal could not be stored.
	lost atomic.Int64

	// storing is held while events are on their way to the database.
	storing sync.Mutex
}

// add counts a refusal.
func (r *refusals) add(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kind := e
	kind.At, kind.Actor.RequestID = time.Time{}, ""
	place, ok := r.places[kind]
	if !ok && len(r.events) >= maxRefusals {
		// Too many of them differ: what is left is whose key it was, what was tried, and why
		// it was refused. Strangers have no key, and those who have one are few.
		kind = Event{Actor: Actor{KeyID: e.Actor.KeyID}, Action: e.Action, Code: e.Code}
		e = Event{At: e.At, Actor: kind.Actor, Action: e.Action, Code: e.Code}
		place, ok = r.places[kind]
	}
	if !ok {
		if r.places == nil {
			r.places = map[Event]int{}
		}
		place = len(r.events)
		r.places[kind] = place
		r.events = append(r.events, e)
	}
	r.events[place].Requests++
}

// take returns what there is, of which nothing stays.
func (r *refusals) take() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	events := r.events
	r.events, r.places = nil, nil
	return events
}

// Refuse notes that a write was refused, why, and to whom. It returns at once: the event
// is in the audit log a second later, or when the store is closed. Refusals that differ
// in their time and request id alone are one event, which has those of the first. One
// that can't be stored is told to the log.
//
// Texts that come from outside are for the caller to check; here they are cut.
func (s *Store) Refuse(e Event) {
	e.Number, e.Requests = 0, 0
	for _, text := range []*string{&e.Actor.KeyID, &e.Actor.Address, &e.Actor.RequestID, &e.SkillID, &e.Version, &e.KeyID, &e.Code} {
		*text = cut(*text)
	}
	s.refusals.add(e)
	s.refusals.after(refusalPause, func() { s.storeRefusals(context.Background()) })
}

// cut returns what of a text is stored: nothing of one that can't be.
func cut(text string) string {
	const longest = 200
	if !storable(text) {
		return ""
	}
	for i := range text {
		if i >= longest {
			return text[:i]
		}
	}
	return text
}

// storeRefusals stores what was refused until now. It takes no revision: nothing moves
// that anybody but an administrator could see.
func (s *Store) storeRefusals(ctx context.Context) {
	s.refusals.storing.Lock()
	defer s.refusals.storing.Unlock()
	events := s.refusals.take()
	if len(events) == 0 {
		return
	}
	first := int64(0) // the number of the first one, in the last attempt
	err := s.write(ctx, "store refusals", func(ctx context.Context, tx *writeTx) error {
		if first != 0 {
			var there bool
			row := tx.conn.QueryRowContext(ctx, `
				select exists (select 1 from audit where number = $1 and request_id = $2 and address = $3 and at = $4)`,
				first, events[0].Actor.RequestID, events[0].Actor.Address, moment{events[0].At})
			if err := row.Scan(&there); err != nil || there {
				return err
			}
		}
		first = tx.events + 1
		for _, e := range events {
			tx.record(e)
		}
		tx.exec(`delete from audit where code <> '' and actor <> '' and number <= (
			select number from audit where code <> '' and actor <> '' order by number desc limit 1 offset $1)`, s.keptRefusals)
		tx.exec(`delete from audit where code <> '' and actor = '' and number <= (
			select number from audit where code <> '' and actor = '' order by number desc limit 1 offset $1)`, s.keptRefusals)
		return nil
	})
	if err != nil {
		var requests int64
		for _, e := range events {
			requests += e.Requests
		}
		s.refusals.lost.Add(requests)
		s.log.Error("refusals are not in the audit log", "requests", requests, "error", err)
	}
}
