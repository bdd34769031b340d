package httpapi

import (
	"net/http"
	"path"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/skillregistry/skillregistry/internal/catalog"
)

const (
	agentSkillsPath      = "/.well-known/agent-skills/"
	agentSkillsFilesPath = "/.well-known/skills/"
	aiCatalogPath        = "/.well-known/ai-catalog.json"
	ardPath              = "/.well-known/ard.json"
	apiCatalogPath       = "/.well-known/api-catalog"
	llmsPath             = "/llms.txt"
	agentSkillsIndex     = "index.json"
)

// discovery is the Link header that leads to everything that says what is here, in the
// conventions of others (RFC 8288; RFC 9727 for api-catalog).
func discovery(base string) string {
	var links []string
	for _, l := range [][3]string{
		{agentSkillsPath + agentSkillsIndex, "alternate", contentType},
		{agentSkillsFilesPath + agentSkillsIndex, "alternate", contentType},
		{aiCatalogPath, "ai-catalog", contentType},
		{ardPath, "ard", contentType},
		{apiCatalogPath, "api-catalog", linksetType},
		{llmsPath, "describedby", "text/plain"},
		{"/openapi.json", "service-desc", contentType},
	} {
		links = append(links, "<"+base+l[0]+`>; rel="`+l[1]+`"; type="`+l[2]+`"`)
	}
	return strings.Join(links, ", ")
}

// getSurface answers with everything that the caller sees, in the form of a convention.
func (s *server) getSurface(surface catalog.Surface, mediaType string) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		v, err := s.read(w, r)
		if err != nil {
			return err
		}
		return s.serveAs(w, r, v.snapshot.Surface(v.caller, surface), mediaType)
	}
}

// getAgentFile answers with one file of a skill, by the skill's name as an Agent Skill.
func (s *server) getAgentFile(w http.ResponseWriter, r *http.Request) error {
	v, err := s.read(w, r)
	if err != nil {
		return err
	}
	name, named := pathValue(r, "name")
	file, ok := pathValue(r, "*")
	if !named || !ok {
		return &skillNotFoundError{}
	}
	folder, ok := v.snapshot.AgentSkill(v.caller, name)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.Catalog.File(r.Context(), folder, file, func(e *catalog.Entity) error {
		if e == nil {
			return &skillNotFoundError{}
		}
		return s.serveAs(w, r, e, fileType(file))
	})
}

// fileType returns the media type of a skill's file. Publishers write these files, so a
// browser must never take one for a page of the registry's.
func fileType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md":
		return "text/markdown; charset=utf-8"
	case ".json":
		return contentType
	case ".txt":
		return plainText
	default:
		return "application/octet-stream"
	}
}

const (
	plainText   = "text/plain; charset=utf-8"
	archiveType = "application/gzip"
)

// getArchive answers with a version's files in one, at the address that names their digest.
func (s *server) getArchive(w http.ResponseWriter, r *http.Request) error {
	v, id, version, err := s.readVersion(w, r)
	if err != nil {
		return err
	}
	digest, ok := strings.CutSuffix(chi.URLParam(r, "archive"), ".tar.gz")
	if !ok {
		return &skillNotFoundError{}
	}
	folder, ok := v.snapshot.Packed(v.caller, id, version, digest)
	if !ok {
		return &skillNotFoundError{}
	}
	return s.Catalog.Pack(r.Context(), folder, func(e *catalog.Entity) error {
		return s.serveAs(w, r, e, archiveType)
	})
}
