package store

import (
	"fmt"
	"time"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Version is one published version of a skill.
type Version struct {
	SkillID string
	Version string
	Access  protocol.Access
	Status  access.Status
	// Reason and StatusAt say why the version has its status, and since when; empty and
	// zero for one that is as it was published.
	Reason      string
	StatusAt    time.Time
	Digest      string
	PublishedAt time.Time
	// Document is the descriptor in canonical form, as it was published. Of a deleted
	// version neither it nor the digest is left.
	Document []byte
	// Files are those that it brings; nil for one that has none.
	Files *Files
}

// Publication asks for a version to be published.
type Publication struct {
	Document *protocol.Document
	// At is when it is published, to the microsecond.
	At time.Time
	By Actor
}

// StatusChange asks for a version to get another status, which is not access.Deleted.
type StatusChange struct {
	SkillID, Version string
	Status           access.Status
	Reason           string
	// At is when it gets it, to the microsecond.
	At time.Time
	By Actor
}

// Deletion asks for a version, or for every version of a skill, to be deleted.
type Deletion struct {
	SkillID string
	// Version is the one to be deleted; empty is every one.
	Version string
	At      time.Time
	By      Actor
}

// Published is the outcome of a publication.
type Published struct {
	// PublishedAt is when the version was first published.
	PublishedAt time.Time
	// Created reports whether this publication stored it; otherwise the same content
	// was there already.
	Created bool
}

// Change is the state of one version, or of one key, after its last change. Exactly
// one of Version and Key is set.
type Change struct {
	Version *Version
	// SkillChange is of the version's skill.
	SkillChange
	Key *access.Key
}

// SkillChange says when a skill last changed. Times are microseconds since 1970; they
// grow from write to write, and no two skills share one.
type SkillChange struct {
	ChangedAt int64
	// PublicRevision and PublicAt are of the last write that moved what an anonymous
	// caller sees of the skill; 0 when none did.
	PublicRevision, PublicAt int64
}

// Mark is a point in the order of all changes.
type Mark struct {
	// Revision counts every write.
	Revision int64
	// PublicRevision counts the writes that moved what an anonymous caller sees.
	PublicRevision int64
}

// VersionExistsError says that a version is taken by other content.
type VersionExistsError struct {
	SkillID string
	// Version is the one that is taken, as it was published; it may differ from the
	// one that was asked for in its build part.
	Version string
	// Deleted reports whether it was deleted since.
	Deleted bool
}

func (e *VersionExistsError) Error() string {
	if e.Deleted {
		return fmt.Sprintf("%s %s was published and deleted", e.SkillID, e.Version)
	}
	return fmt.Sprintf("%s %s is published with other content", e.SkillID, e.Version)
}

// VersionNotFoundError says that there is no such version, or no version at all where
// Version is empty.
type VersionNotFoundError struct{ SkillID, Version string }

func (e *VersionNotFoundError) Error() string {
	return fmt.Sprintf("there is no %s %s", e.SkillID, e.Version)
}

// KeyNotFoundError says that there is no key of that id.
type KeyNotFoundError struct{ ID string }

func (e *KeyNotFoundError) Error() string { return fmt.Sprintf("there is no key %.40q", e.ID) }

// UnavailableError says that the store could not be reached, or could not take the
// write: the disk is full, the database is down, restarting, or too slow. The same
// call may succeed later. Its Err is for logs, never for a caller.
type UnavailableError struct {
	// Op is what was tried.
	Op  string
	Err error
}

func (e *UnavailableError) Error() string {
	return e.Op + ": the store is not available: " + e.Err.Error()
}

func (e *UnavailableError) Unwrap() error { return e.Err }
