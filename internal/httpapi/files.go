package httpapi

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// unpackedTimes is how many times the largest body an archive may be when it is unpacked.
const unpackedTimes = 16

// attachment is the answer to files that were attached.
type attachment struct {
	ID       string             `json:"id"`
	Version  string             `json:"version"`
	Digest   string             `json:"digest"`
	Files    []string           `json:"files"`
	Warnings []protocol.Warning `json:"warnings"`
}

// attachFiles stores the files that a version brings: 201 when they are new, 200 when the
// same were there already.
func (s *server) attachFiles(w http.ResponseWriter, r *http.Request) error {
	id, version, body, err := s.receiveForVersion(w, r, archiveType)
	if err != nil {
		return err
	}
	a := store.Attachment{SkillID: id, Version: version, At: s.moment(), By: s.actor(r)}
	answer := attachment{ID: id, Version: version, Warnings: []protocol.Warning{}}
	err = s.publishing.pass(r.Context(), func() error {
		files, err := agentskills.Unpack(body, min(unpackedTimes*s.MaxBody, agentskills.MaxUnpacked))
		if err != nil {
			return err
		}
		front, err := agentskills.ParseFrontMatter(files[0].Content)
		if err != nil {
			return err
		}
		// The same files have the same digest, however they came.
		if a.Archive, err = agentskills.Pack(files); err != nil {
			return err
		}
		a.Files = store.Files{Digest: protocol.Digest(a.Archive), Names: namesOf(files), Description: front.Description}
		if name := agentskills.Name(id); front.Name != name && !strings.HasSuffix(id, "."+front.Name) {
			answer.Warnings = append(answer.Warnings, protocol.Warning{
				Field:   "/" + agentskills.SkillFile + "/name",
				Message: fmt.Sprintf("it says that its name is %s, and is listed as %s, by the id: agents that go by its own may take it for another", front.Name, name),
			})
		}
		return nil
	})
	if err != nil {
		return err
	}
	created, err := s.Store.AttachFiles(writeContext(r), a)
	if err != nil {
		return err
	}
	answer.Digest, answer.Files = a.Files.Digest, a.Files.Names
	w.Header().Set("ETag", `"`+answer.Digest+`"`)
	w.Header().Set("Location", catalog.FilesURL(s.BaseURL, id, version))
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	return s.answer(w, r, status, answer)
}

// namesOf lists the names of files.
func namesOf(files []agentskills.File) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	return names
}

// getFiles answers with the files that a version brings, in one archive.
func (s *server) getFiles(w http.ResponseWriter, r *http.Request) error {
	v, id, version, err := s.readVersion(w, r)
	if err != nil {
		return err
	}
	files, ok := v.snapshot.Files(v.caller, id, version)
	if !ok {
		return &skillNotFoundError{}
	}
	archive, release, err := s.Catalog.Archive(r.Context(), files)
	if err != nil {
		return err
	}
	defer release()
	tellStatus(w, files.Status, files.StatusAt)
	return s.serveAs(w, r, &document{plain: archive.Packed, digest: files.Digest}, archiveType)
}
