package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// agentSkillsSchema names the version of the discovery index to those who read it.
const agentSkillsSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"

// agentSkillsLayouts returns the layouts of both generations of the index. They have the
// same entries, whose members are those of both: a reader ignores what it does not know.
func agentSkillsLayouts(d *deflater) (v2, v1 layout) {
	of := func(head string) layout {
		return layout{form: agentSkillForm, head: d.piece([]byte(head)), between: d.piece([]byte(",")), tail: d.piece([]byte("]}"))}
	}
	return of(`{"$schema":"` + agentSkillsSchema + `","skills":[`), of(`{"skills":[`)
}

// agentSkillEntry is what the index of Agent Skills says of one.
type agentSkillEntry struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	// Type, URL and Digest are of 0.2.0: one archive of all files.
	Type   string `json:"type"`
	URL    string `json:"url"`
	Digest string `json:"digest"`
	// Files are of 0.1.0: each is at its name below the skill's.
	Files []string `json:"files"`
	// Version follows the content, and is what clients of 0.1.0 find out by that there is
	// something new.
	Version string `json:"version"`
}

func (r *renderer) agentSkill(s *skill) []byte {
	digest := s.latest.archiveDigest()
	e := agentSkillEntry{
		Name: agentskills.Name(s.id), Type: "archive",
		URL: r.path + ArchivePath(s.id, s.latest.Version, digest), Digest: digestPrefix + digest,
		Version: protocol.VersionWithoutBuild(s.latest.Version) + "+" + digest[:8],
	}
	if own := s.latest.own; own != nil {
		e.Description, e.Files = own.Description, own.Names
	} else {
		e.Description, e.Files = agentskills.Description(s.latest.read().Description), []string{agentskills.SkillFile, agentskills.DescriptorFile}
	}
	text, err := protocol.AppendJSON(nil, e)
	if err != nil {
		return nil // strings that were read as JSON can be written as JSON
	}
	return text
}

const digestPrefix = "sha256:"

// ArchivePath returns the path at which the archive with the digest is, in hexadecimal
// digits, for as long as the version is.
func ArchivePath(id, version, digest string) string {
	return "/v1/skills/" + url.PathEscape(id) + "/versions/" + url.PathEscape(version) + "/files/" + digest + ".tar.gz"
}

// read returns the release's descriptor.
func (r *release) read() *protocol.Descriptor {
	var d protocol.Descriptor
	// It was read before it was stored, and in part when it was loaded.
	_ = json.Unmarshal(r.document, &d)
	return &d
}

// written returns the files of the release as they are written from its descriptor.
func (r *release) written() []agentskills.File { return agentskills.Folder(r.read(), r.document) }

// pack returns the files that are written from the descriptor in one archive.
func (r *release) pack() []byte {
	// All names are short.
	archive, _ := agentskills.Pack(r.written())
	return archive
}

// archiveDigest returns the SHA-256 of the release's archive, in hexadecimal digits.
func (r *release) archiveDigest() string {
	if r.own != nil {
		return strings.TrimPrefix(r.own.Digest, digestPrefix)
	}
	return r.writtenDigest()
}

// writtenDigest is the digest of what pack returns.
func (r *release) writtenDigest() string {
	return hex.EncodeToString(r.packed.get(func() *[sha256.Size]byte {
		digest := sha256.Sum256(r.pack())
		return &digest
	})[:])
}

// agentSkillKey is what a skill is found by under its name as an Agent Skill. Names of
// different skills are different, but for luck that nobody has; if they were not, the
// one whose id comes first would be found.
func agentSkillKey(id string) string { return agentskills.Name(id) + "\x00" + id }

// Folder is the folder of one version as an Agent Skill: the files that it brings, or those
// that are written from its descriptor.
type Folder struct {
	release *release
	own     *Files // nil for what is written
	r       *renderer
}

// AgentSkill returns the folder of the latest version of the skill that has the name as an
// Agent Skill, and reports whether there is one that the caller may see.
func (s *Snapshot) AgentSkill(c access.Caller, name string) (f Folder, ok bool) {
	s.agentSkills.Ascend(name+"\x00", func(key string, _ struct{}) bool {
		id, found := strings.CutPrefix(key, name+"\x00")
		if !found {
			return false
		}
		var r *release
		if r, ok = s.latest(c, id); ok {
			f = s.folder(c, id, r)
		}
		return !ok
	})
	return f, ok
}

func (s *Snapshot) folder(c access.Caller, id string, r *release) Folder {
	f := Folder{release: r, r: s.renderer}
	if own, ok := s.Files(c, id, r.Version); ok {
		f.own = &own
	}
	return f
}

// Packed returns the folder of a version whose archive has the digest, in hexadecimal
// digits, and reports whether there is one that the caller may see. What was written from
// the descriptor stays when the version brings files after all.
func (s *Snapshot) Packed(c access.Caller, id, version, digest string) (Folder, bool) {
	skill, ok := s.skills.Get(id)
	if !ok {
		return Folder{}, false
	}
	r, ok := skill.release(version)
	if !ok || !c.Sees(id, skill.access, r.Access) {
		return Folder{}, false
	}
	switch digest {
	case r.archiveDigest():
		return s.folder(c, id, r), true
	case r.writtenDigest():
		return Folder{release: r, r: s.renderer}, true
	}
	return Folder{}, false
}

// File gives use one file of a folder, which is nil where there is none. The error is that
// of Archive, or of use.
func (c *Catalog) File(ctx context.Context, f Folder, name string, use func(*Entity) error) error {
	var files []agentskills.File
	switch {
	case f.own == nil:
		files = f.release.written()
	case slices.Contains(f.own.Names, name):
		archive, release, err := c.Archive(ctx, *f.own)
		if err != nil {
			return err
		}
		defer release()
		files = archive.Files
	}
	for _, file := range files {
		if file.Name == name {
			return use(single(f.r.piece(file.Content), protocol.Digest(file.Content)))
		}
	}
	return use(nil)
}

// Pack gives use a folder in one archive. The error is that of Archive, or of use.
func (c *Catalog) Pack(ctx context.Context, f Folder, use func(*Entity) error) error {
	if f.own == nil {
		return use(single(f.r.piece(f.release.pack()), digestPrefix+f.release.writtenDigest()))
	}
	archive, release, err := c.Archive(ctx, *f.own)
	if err != nil {
		return err
	}
	defer release()
	return use(single(f.r.piece(archive.Packed), f.own.Digest))
}
