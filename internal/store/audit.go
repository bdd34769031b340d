package store

import (
	"context"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
)

// Action is a kind of write.
type Action string

// The actions.
const (
	ActionPublish     Action = "publish"
	ActionSetStatus   Action = "set_status"
	ActionDelete      Action = "delete"
	ActionAttachFiles Action = "attach_files"
	ActionCreateKey   Action = "create_key"
	ActionRevokeKey   Action = "revoke_key"
)

// Server is the key id of an actor that is the registry itself.
const Server = "server"

// Actor is who asks for a write.
type Actor struct {
	// KeyID identifies the key that the request came with; empty where there was no valid
	// one, Server for what the registry does by itself.
	KeyID string
	// Address is the client's; empty where there is none.
	Address string
	// RequestID is empty for what is no request.
	RequestID string
}

// Event is one entry of the audit log: a write that was carried out, or was refused.
type Event struct {
	// Number is its place in the order of all events.
	Number int64
	At     time.Time
	Actor  Actor
	Action Action
	// What it was done to; each is empty where it does not apply, or is not known.
	// Version is also empty for a deletion of every version.
	SkillID, Version string
	Status           access.Status
	KeyID            string
	// Code says why it was refused; empty for what was carried out.
	Code string
	// Requests is how many requests the event stands for: 1 for what was carried out.
	Requests int64
}

// record has an event stored with what the transaction writes. An event of what was
// carried out is there exactly when that is.
func (tx *writeTx) record(e Event) {
	tx.events++
	tx.exec(`
		insert into audit (number, at, actor, address, request_id, action, skill_id, version, status, key_id, code, requests)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		tx.events, moment{e.At}, e.Actor.KeyID, e.Actor.Address, e.Actor.RequestID, string(e.Action),
		e.SkillID, e.Version, string(e.Status), e.KeyID, e.Code, max(e.Requests, 1))
}

// EventsQuery says which events are asked for.
type EventsQuery struct {
	// After is the number that they come after; 0 is the beginning.
	After int64
	// Limit is how many are returned at most.
	Limit int
	// KeyID restricts them to those of one key, as the actor or as what was made or
	// revoked; empty is all.
	KeyID string
	// SkillID restricts them to those of one skill; empty is all.
	SkillID string
}

// Events returns the events of the audit log in their order, and the number of the last
// one that there is. A walk, in which each call goes on after the last number of the
// one before, meets each event once, whatever is written meanwhile. What this process
// has refused before the call is counted.
func (s *Store) Events(ctx context.Context, q EventsQuery) (events []Event, last int64, err error) {
	s.storeRefusals(context.WithoutCancel(ctx))
	err = s.read(ctx, "read the audit log", func(ctx context.Context) error {
		events, last, err = s.readEvents(ctx, q)
		return err
	})
	return events, last, err
}

func (s *Store) readEvents(ctx context.Context, q EventsQuery) (events []Event, last int64, err error) {
	if err := s.reader.QueryRowContext(ctx, `select events from registry`).Scan(&last); err != nil {
		return nil, 0, err
	}
	if !storable(q.KeyID) || !storable(q.SkillID) {
		return nil, last, nil
	}
	rows, err := s.reader.QueryContext(ctx, `
		select number, at, actor, address, request_id, action, skill_id, version, status, key_id, code, requests
		from audit where number > $1 and ($2 = '' or actor = $2 or key_id = $2) and ($3 = '' or skill_id = $3)
		order by number limit $4`, q.After, q.KeyID, q.SkillID, q.Limit)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var e Event
		var at moment
		err := rows.Scan(&e.Number, &at, &e.Actor.KeyID, &e.Actor.Address, &e.Actor.RequestID, &e.Action,
			&e.SkillID, &e.Version, &e.Status, &e.KeyID, &e.Code, &e.Requests)
		if err != nil {
			return nil, 0, err
		}
		e.At = at.Time
		events = append(events, e)
	}
	return events, last, rows.Err()
}
