package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
)

// door is what a descriptor passes to be published: the checks of the HTTP interface,
// and the store.
type door struct {
	program   *program
	validator *protocol.Validator
	store     *store.Store
	maxBody   int64
}

// publishFiles lists the files of SKILLREGISTRY_PUBLISH_DIR. An empty folder is none.
func publishFiles(dir string) ([]string, error) {
	wrong := func(err error) error {
		return &exitError{status: statusUsage, err: fmt.Errorf("SKILLREGISTRY_PUBLISH_DIR %q: expected a folder that can be read: %w", dir, err)}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return nil, wrong(withoutPath(err))
	}
	if !info.IsDir() {
		return nil, wrong(errors.New("this is not one"))
	}
	files, err := filesInside(dir)
	if err != nil {
		return nil, wrong(err)
	}
	return files, nil
}

// publish publishes the files of a folder. All are read and checked before the first is
// stored; if one is refused, each refused file is written to stderr with its
// violations, and the error says how many there were.
func (d door) publish(ctx context.Context, dir string, files []string, log *slog.Logger) error {
	documents := make([]*protocol.Document, len(files))
	refused := 0
	for i, file := range files {
		document, err := d.read(ctx, file)
		if err != nil {
			if !isRefusal(err) {
				return err
			}
			refused++
			refusal(file, err).write(d.program.stdout, d.program.stderr)
			continue
		}
		documents[i] = document
	}
	if refused == 0 {
		return d.publishAll(ctx, dir, files, documents, log)
	}
	return refusedFiles(dir, refused, len(files))
}

func refusedFiles(dir string, refused, total int) error {
	return fmt.Errorf("SKILLREGISTRY_PUBLISH_DIR %q: %d of %s refused, see above", dir, refused, counted(total, "file"))
}

// read reads a file and asks whether it would be published.
func (d door) read(ctx context.Context, file string) (*protocol.Document, error) {
	data, err := readDocument(file, d.program.stdin, d.maxBody)
	if err != nil {
		return nil, &unreadableError{err}
	}
	document, err := d.validator.Parse(data)
	if err != nil {
		return nil, err
	}
	_, err = d.store.CheckPublish(ctx, d.publication(document))
	return document, err
}

func (d door) publishAll(ctx context.Context, dir string, files []string, documents []*protocol.Document, log *slog.Logger) error {
	created := 0
	for i, document := range documents {
		published, err := d.store.Publish(ctx, d.publication(document))
		if err != nil {
			if !isRefusal(err) {
				return err
			}
			// Two files of the folder contradict each other.
			refusal(files[i], err).write(d.program.stdout, d.program.stderr)
			return refusedFiles(dir, 1, len(files))
		}
		if published.Created {
			created++
		}
		for _, w := range document.Warnings {
			log.Warn("a published descriptor has an oddity", "file", files[i], "field", w.Field, "message", w.Message)
		}
	}
	log.Info("published", "folder", dir, "files", len(files), "new", created)
	return nil
}

func (d door) publication(document *protocol.Document) store.Publication {
	return store.Publication{Document: document, At: d.program.now().UTC().Truncate(time.Microsecond), By: store.Actor{KeyID: store.Server}}
}

// unreadableError says that a file can't be read.
type unreadableError struct{ err error }

func (e *unreadableError) Error() string { return e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

// isRefusal tells a fault of a document from one of the store.
func isRefusal(err error) bool {
	var unreadable *unreadableError
	return errors.As(err, &unreadable) || refusal("", err).Error.Code != ""
}
