package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// An export is lines of JSON, one for the registry, then one for each skill, version,
// version with files, key and event in the order of what identifies them, and one for the end, which tells a
// whole file from one that was cut off. What follows from the rest, such as a version
// without its build part, is not in it.
const (
	exportFormat = "skillregistry export"
	// exportVersion grows when an older program would not make of a file what it says. The
	// first one had no files; it is read as it was.
	exportVersion = 2
)

// line is one line of an export. One of its members is there.
type line struct {
	Registry *registryLine `json:"registry,omitzero"`
	Skill    *skillLine    `json:"skill,omitzero"`
	Version  *versionLine  `json:"version,omitzero"`
	Files    *filesLine    `json:"files,omitzero"`
	Key      *keyLine      `json:"key,omitzero"`
	Event    *eventLine    `json:"event,omitzero"`
	End      *endLine      `json:"end,omitzero"`
}

// kinds counts the members that are there.
func (l line) kinds() (n int) {
	for _, there := range []bool{l.Registry != nil, l.Skill != nil, l.Version != nil, l.Files != nil, l.Key != nil, l.Event != nil, l.End != nil} {
		if there {
			n++
		}
	}
	return n
}

type registryLine struct {
	Format         string `json:"format"`
	FormatVersion  int    `json:"format_version"`
	Revision       int64  `json:"revision"`
	PublicRevision int64  `json:"public_revision"`
	Clock          int64  `json:"clock"`
	Events         int64  `json:"events"`
}

var errNoExport = errors.New("this is no export of a registry")

// check reports a format that this program does not read.
func (r *registryLine) check() error {
	if r.Format != exportFormat {
		return errNoExport
	}
	if r.FormatVersion < 1 || r.FormatVersion > exportVersion {
		return fmt.Errorf("this export has the format %d, and this program reads formats up to %d; use the program that wrote it, or a newer one", r.FormatVersion, exportVersion)
	}
	return nil
}

type skillLine struct {
	ID             string `json:"id"`
	ChangedAt      int64  `json:"changed_at"`
	PublicRevision int64  `json:"public_revision"`
	PublicAt       int64  `json:"public_at"`
	Revision       int64  `json:"revision"`
}

type versionLine struct {
	SkillID     string          `json:"skill_id"`
	Version     string          `json:"version"`
	Access      protocol.Access `json:"access"`
	Status      access.Status   `json:"status"`
	Reason      string          `json:"reason"`
	StatusAt    moment          `json:"status_at"`
	Digest      string          `json:"digest"`
	PublishedAt moment          `json:"published_at"`
	Revision    int64           `json:"revision"`
	// Document is the canonical form, byte for byte; empty for what was deleted.
	Document string `json:"document"`
}

// check reports a document that is not what its digest says, or not strict JSON. By the
// rules of today it need not be valid: they may have become stricter since.
func (v *versionLine) check() error {
	switch {
	case v.Status == access.Deleted && v.Document == "" && v.Digest == "":
		return nil
	case v.Status == access.Deleted:
		return fmt.Errorf("%s %s was deleted and has a document", v.SkillID, v.Version)
	}
	document := []byte(v.Document)
	if digest := protocol.Digest(document); digest != v.Digest {
		return fmt.Errorf("the document of %s %s has the digest %s, and %.80q is recorded", v.SkillID, v.Version, digest, v.Digest)
	}
	if _, err := protocol.Canonicalize(document, protocol.Limits{MaxDepth: deepest}); err != nil {
		return fmt.Errorf("the document of %s %s: %w", v.SkillID, v.Version, err)
	}
	return nil
}

// deepest is how deep a document may nest: as deep as one could ever be published.
const deepest = 256

type filesLine struct {
	SkillID     string          `json:"skill_id"`
	VersionKey  string          `json:"version_key"`
	Digest      string          `json:"digest"`
	Names       json.RawMessage `json:"names"`
	Description string          `json:"description"`
	Archive     []byte          `json:"archive"`
}

// check reports an archive that is not what its digest says, and names that are no list.
func (f *filesLine) check() error {
	if digest := protocol.Digest(f.Archive); digest != f.Digest {
		return fmt.Errorf("the files of %s %s have the digest %s, and %.80q is recorded", f.SkillID, f.VersionKey, digest, f.Digest)
	}
	var names []string
	if err := json.Unmarshal(f.Names, &names); err != nil {
		return fmt.Errorf("the names of the files of %s %s are not a list of texts", f.SkillID, f.VersionKey)
	}
	return nil
}

type keyLine struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// SecretHash is in hexadecimal digits.
	SecretHash string `json:"secret_hash"`
	// Both are lists, kept as they are stored.
	Scopes     json.RawMessage `json:"scopes"`
	Namespaces json.RawMessage `json:"namespaces"`
	CreatedAt  moment          `json:"created_at"`
	ExpiresAt  moment          `json:"expires_at"`
	RevokedAt  moment          `json:"revoked_at"`
	LastUsedAt moment          `json:"last_used_at"`
	Revision   int64           `json:"revision"`
}

// hash returns the hash of the secret, once the rest is known to be what a key has.
func (k *keyLine) hash() ([]byte, error) {
	hash, err := hex.DecodeString(k.SecretHash)
	if err != nil || len(hash) != sha256.Size {
		return nil, fmt.Errorf("the hash of key %.40q is not one of %d bytes", k.ID, sha256.Size)
	}
	for _, list := range []json.RawMessage{k.Scopes, k.Namespaces} {
		var texts []string
		if err := json.Unmarshal(list, &texts); err != nil {
			return nil, fmt.Errorf("the scopes and namespaces of key %.40q are not lists of texts", k.ID)
		}
	}
	return hash, nil
}

type eventLine struct {
	Number    int64         `json:"number"`
	At        moment        `json:"at"`
	Actor     string        `json:"actor"`
	Address   string        `json:"address"`
	RequestID string        `json:"request_id"`
	Action    Action        `json:"action"`
	SkillID   string        `json:"skill_id"`
	Version   string        `json:"version"`
	Status    access.Status `json:"status"`
	KeyID     string        `json:"key_id"`
	Code      string        `json:"code"`
	Requests  int64         `json:"requests"`
}

type endLine struct {
	Counts
	// SHA256 is over all bytes before the line, in hexadecimal digits.
	SHA256 string `json:"sha256"`
}

// Counts says how much there is in an export.
type Counts struct {
	Skills   int64 `json:"skills"`
	Versions int64 `json:"versions"`
	// Files counts the versions that have some.
	Files  int64 `json:"files"`
	Keys   int64 `json:"keys"`
	Events int64 `json:"events"`
}

// String says it in words.
func (c Counts) String() string {
	var words []string
	for _, kind := range []struct {
		n         int64
		one, many string
	}{
		{c.Skills, "skill", "skills"}, {c.Versions, "version", "versions"}, {c.Files, "of them with files", "of them with files"},
		{c.Keys, "key", "keys"}, {c.Events, "event", "events"},
	} {
		if kind.n != 1 {
			kind.one = kind.many
		}
		words = append(words, fmt.Sprint(kind.n, " ", kind.one))
	}
	return strings.Join(words, ", ")
}

// count counts a line in.
func (c *Counts) count(l line) {
	switch {
	case l.Skill != nil:
		c.Skills++
	case l.Version != nil:
		c.Versions++
	case l.Files != nil:
		c.Files++
	case l.Key != nil:
		c.Keys++
	case l.Event != nil:
		c.Events++
	}
}
