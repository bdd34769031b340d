package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
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
		return layout{agentSkillForm, d.piece([]byte(head)), d.piece([]byte(",")), d.piece([]byte("]}"))}
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
	d := s.latest.read()
	digest := s.latest.archiveDigest()
	const digits = 8
	text, err := protocol.AppendJSON(nil, agentSkillEntry{
		Name: agentskills.Name(s.id), Description: agentskills.Description(d.Description),
		Type: "archive", URL: r.path + ArchivePath(s.id, s.latest.Version, digest), Digest: "sha256:" + digest,
		Files:   []string{agentskills.SkillFile, agentskills.DescriptorFile},
		Version: protocol.VersionWithoutBuild(s.latest.Version) + "+" + digest[:digits],
	})
	if err != nil {
		return nil // strings that were read as JSON can be written as JSON
	}
	return text
}

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

// files returns the files of the release as an Agent Skill.
func (r *release) files() []agentskills.File { return agentskills.Folder(r.read(), r.document) }

// archive returns the release as an Agent Skill in one file.
func (r *release) archive() []byte {
	// All names are short.
	archive, _ := agentskills.Pack(r.files())
	return archive
}

// archiveDigest returns the SHA-256 of the release's archive, in hexadecimal digits.
func (r *release) archiveDigest() string {
	return hex.EncodeToString(r.packed.get(func() *[sha256.Size]byte {
		digest := sha256.Sum256(r.archive())
		return &digest
	})[:])
}

// agentSkillKey is what a skill is found by under its name as an Agent Skill. Names of
// different skills are different, but for luck that nobody has; if they were not, the
// one whose id comes first would be found.
func agentSkillKey(id string) string { return agentskills.Name(id) + "\x00" + id }

// AgentFile returns a file of the latest version of the skill that has the name as an Agent
// Skill, and reports whether there is one that the caller may see.
func (s *Snapshot) AgentFile(c access.Caller, name, file string) (e *Entity, ok bool) {
	s.agentSkills.Ascend(name+"\x00", func(key string, _ struct{}) bool {
		id, found := strings.CutPrefix(key, name+"\x00")
		if !found {
			return false
		}
		r, found := s.latest(c, id)
		if !found {
			return true
		}
		for _, f := range r.files() {
			if f.Name == file {
				e, ok = single(s.renderer.piece(f.Content), protocol.Digest(f.Content)), true
			}
		}
		return false
	})
	return e, ok
}

// Archive returns the archive of a version that has the digest, in hexadecimal digits, and
// reports whether there is one that the caller may see.
func (s *Snapshot) Archive(c access.Caller, id, version, digest string) (*Entity, bool) {
	skill, ok := s.skills.Get(id)
	if !ok {
		return nil, false
	}
	r, ok := skill.release(version)
	if !ok || !c.Sees(id, skill.access, r.Access) || r.archiveDigest() != digest {
		return nil, false
	}
	return single(s.renderer.piece(r.archive()), "sha256:"+digest), true
}
