package store

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// moment is a time as the databases keep it: in UTC, to the microsecond, the zero time
// as null. It is written as text, which both take; PostgreSQL gives back a time.
type moment struct{ time.Time }

const momentFormat = "2006-01-02T15:04:05.000000Z07:00"

// round returns t as it will come back.
func round(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }

// MarshalJSON writes it as the databases keep it, so that an export of either is the same.
func (m moment) MarshalJSON() ([]byte, error) {
	if m.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + round(m.Time).Format(momentFormat) + `"`), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (m *moment) UnmarshalJSON(data []byte) error {
	var text *string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if text == nil {
		return m.Scan(nil)
	}
	return m.Scan(*text)
}

// Value is what the database gets.
func (m moment) Value() (driver.Value, error) {
	if m.IsZero() {
		return nil, nil
	}
	return round(m.Time).Format(momentFormat), nil
}

// Scan takes what the database has.
func (m *moment) Scan(from any) (err error) {
	switch from := from.(type) {
	case nil:
		m.Time = time.Time{}
	case time.Time:
		m.Time = from.UTC()
	case string:
		m.Time, err = time.Parse(momentFormat, from)
	default:
		err = fmt.Errorf("a time came as %T", from)
	}
	return err
}
