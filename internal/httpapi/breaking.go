package httpapi

import (
	"context"
	"fmt"

	"github.com/skillregistry/skillregistry/internal/compatibility"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// BreakingChanges says what becomes of a publication that breaks those who call the skill
// by an older version, although its number promises not to.
type BreakingChanges string

// The policies. The zero value is WarnOfBreaking.
const (
	WarnOfBreaking BreakingChanges = "warn"
	RefuseBreaking BreakingChanges = "refuse"
	// AllowBreaking does not look.
	AllowBreaking BreakingChanges = "allow"
)

// breaking compares a publication with the version whose callers it promises not to break,
// and returns what it is warned of; where that is refused, the error is a *breakingError.
func (s *server) breaking(ctx context.Context, v visit, doc *protocol.Document, allowed bool) (warnings []protocol.Warning, err error) {
	d := &doc.Descriptor
	if s.BreakingChanges == AllowBreaking || v.snapshot.Has(d.ID, d.Version, doc.Canonical) {
		return nil, nil
	}
	older, ok := v.snapshot.Promised(d.ID, d.Version)
	if !ok {
		return nil, nil
	}
	var changes []protocol.Violation
	err = s.publishing.pass(ctx, func() error {
		changes = compatibility.Changes(older, d)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(changes) > 0 && s.BreakingChanges == RefuseBreaking && !allowed {
		return nil, &breakingError{older: older.Version, changes: changes}
	}
	for _, c := range changes {
		warnings = append(warnings, protocol.Warning{
			Field:   c.Field,
			Message: fmt.Sprintf("this breaks those who call the skill by %s, which only another MAJOR version may: expected %s, got %s", older.Version, c.Expected, c.Actual),
		})
	}
	return warnings, nil
}

// breakingError says that a publication would break those who call the skill by an older
// version.
type breakingError struct {
	older   string
	changes []protocol.Violation
}

func (e *breakingError) Error() string {
	return fmt.Sprintf("%d changes break those who call by %s", len(e.changes), e.older)
}
