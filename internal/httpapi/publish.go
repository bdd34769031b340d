package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// publication is the answer to a publish and to its dry run.
type publication struct {
	ID            string `json:"id"`
	Version       string `json:"version"`
	Digest        string `json:"digest"`
	DescriptorURL string `json:"descriptor_url"`
	// PublishedAt is when it was first published; in a dry run of something new there is
	// no such time.
	PublishedAt string             `json:"published_at,omitempty"`
	Warnings    []protocol.Warning `json:"warnings"`
	DryRun      bool               `json:"dry_run,omitzero"`
}

// publish stores a version of a skill: 201 when it is new, 200 when the same content
// was there already. A dry run does all of it but storing.
func (s *server) publish(w http.ResponseWriter, r *http.Request) error {
	v, err := s.write(r)
	if err != nil {
		return err
	}
	if !v.caller.PublishesSomewhere() {
		return &permissionError{needs: "a key with the scope publish"}
	}
	asked, err := parsePublishQuery(r)
	if err != nil {
		return err
	}
	v, body, err := s.receive(w, r, contentType)
	if err != nil {
		return err
	}
	var doc *protocol.Document
	err = s.publishing.pass(r.Context(), func() (err error) {
		doc, err = s.Validator.Parse(body)
		return err
	})
	if err != nil {
		return err
	}
	d := doc.Descriptor
	x := exchangeOf(r)
	x.skill, x.version = d.ID, d.Version
	if !v.caller.MayPublish(d.ID) {
		return &permissionError{needs: "a key with the scope publish for a namespace that covers " + d.ID}
	}
	answer := publication{
		ID: d.ID, Version: d.Version, Digest: doc.Digest,
		DescriptorURL: catalog.DescriptorURL(s.BaseURL, d.ID, d.Version),
		Warnings:      append([]protocol.Warning{}, doc.Warnings...), DryRun: asked.dryRun,
	}
	if latest, ok := v.snapshot.LatestVersion(v.caller, d.ID); ok && protocol.CompareVersions(d.Version, latest) < 0 {
		answer.Warnings = append(answer.Warnings, protocol.Warning{
			Field: "/version", Message: fmt.Sprintf("%s is lower than %s, which stays the latest version", d.Version, latest),
		})
	}
	breaking, err := s.breaking(r.Context(), v, doc, asked.allowBreaking)
	if err != nil {
		return err
	}
	answer.Warnings = append(answer.Warnings, breaking...)
	x.breaking = len(breaking) > 0 && !asked.dryRun
	do := s.Store.Publish
	if asked.dryRun {
		do = s.Store.CheckPublish
	}
	published, err := do(writeContext(r), store.Publication{Document: doc, At: s.moment(), By: s.actor(r)})
	if err != nil {
		return err
	}
	if !asked.dryRun || !published.Created {
		answer.PublishedAt = published.PublishedAt.UTC().Format(time.RFC3339Nano)
	}
	status := http.StatusOK
	if !asked.dryRun {
		w.Header().Set("ETag", `"`+doc.Digest+`"`)
		w.Header().Set("Location", answer.DescriptorURL)
		x.publication = PublicationUnchanged
		if published.Created {
			status = http.StatusCreated
			x.publication = PublicationCreated
		}
	}
	return s.answer(w, r, status, answer)
}

// publishQuery is what a publication asks for beside the document.
type publishQuery struct{ dryRun, allowBreaking bool }

func parsePublishQuery(r *http.Request) (asked publishQuery, err error) {
	q, err := parseQuery(r)
	if err != nil {
		return publishQuery{}, err
	}
	// A misspelt dry_run must not publish for good.
	if err := q.only("dry_run", "allow_breaking"); err != nil {
		return publishQuery{}, err
	}
	for name, to := range map[string]*bool{"dry_run": &asked.dryRun, "allow_breaking": &asked.allowBreaking} {
		value, _, err := q.oneOf(name, "true", "false")
		if err != nil {
			return publishQuery{}, err
		}
		*to = value == "true"
	}
	return asked, nil
}

// moment is the present time, as exactly as both stores keep it.
func (s *server) moment() time.Time { return s.Now().UTC().Truncate(time.Microsecond) }

// writeContext lets a write come to its end even when the client goes away: broken off
// in the middle, it would cost the store a connection, and nobody would know what came
// of it. The store bounds its calls by itself.
func writeContext(r *http.Request) context.Context { return context.WithoutCancel(r.Context()) }
