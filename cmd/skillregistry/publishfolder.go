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

// folder is the folder of --publish-dir.
type folder struct {
	// setting is by what it was given.
	setting, path string
	files         []string
}

// openFolder lists the files of a folder. An empty one has none.
func openFolder(setting, path string) (folder, error) {
	wrong := func(err error) error {
		return &exitError{status: statusUsage, err: fmt.Errorf("%s %q: expected a folder that can be read: %w", setting, path, err)}
	}
	info, err := os.Stat(path)
	if err != nil {
		return folder{}, wrong(withoutPath(err))
	}
	if !info.IsDir() {
		return folder{}, wrong(errors.New("this is not one"))
	}
	files, err := filesInside(path, func(string) bool { return false })
	if err != nil {
		return folder{}, wrong(err)
	}
	return folder{setting: setting, path: path, files: files}, nil
}

// refused is the error for so many files that were refused, and written to stderr.
func (f folder) refused(n int) error {
	return fmt.Errorf("%s %q: %d of %s refused, see above", f.setting, f.path, n, counted(len(f.files), "file"))
}

// check reads the files of a folder and asks whether they would be published, together.
// Each that is refused is written to stderr with its violations.
func (d door) check(ctx context.Context, from folder) ([]*protocol.Document, error) {
	documents := make([]*protocol.Document, len(from.files))
	digests := map[string]string{}
	refused := 0
	for i, file := range from.files {
		document, text, err := d.read(ctx, file)
		if err == nil {
			err = contradiction(digests, document)
		}
		if err != nil {
			if !isRefusal(err) {
				return nil, err
			}
			refused++
			o := refusal(file, err)
			o.locate("", text)
			o.write(d.program.stdout, d.program.stderr)
		}
		documents[i] = document
	}
	if refused > 0 {
		return nil, from.refused(refused)
	}
	return documents, nil
}

// contradiction reports whether an earlier document of the folder has other content under
// the same version.
func contradiction(digests map[string]string, document *protocol.Document) error {
	id, version := document.Descriptor.ID, document.Descriptor.Version
	at := id + " " + protocol.VersionWithoutBuild(version)
	if earlier, ok := digests[at]; ok && earlier != document.Digest {
		return &store.VersionExistsError{SkillID: id, Version: version}
	}
	digests[at] = document.Digest
	return nil
}

// read reads a file and asks whether it would be published. The text is there with an error,
// too, if it could be read.
func (d door) read(ctx context.Context, file string) (document *protocol.Document, text []byte, err error) {
	text, err = readDocument(file, d.program.stdin, d.maxBody)
	if err != nil {
		return nil, nil, &unreadableError{err}
	}
	document, err = d.validator.Parse(text)
	if err != nil {
		return nil, text, err
	}
	_, err = d.store.CheckPublish(ctx, d.publication(document))
	return document, text, err
}

// publish publishes the documents of a folder, which were checked.
func (d door) publish(ctx context.Context, from folder, documents []*protocol.Document, log *slog.Logger) error {
	created := 0
	for i, document := range documents {
		published, err := d.store.Publish(ctx, d.publication(document))
		if err != nil {
			if !isRefusal(err) {
				return err
			}
			// Another process published other content meanwhile.
			refusal(from.files[i], err).write(d.program.stdout, d.program.stderr)
			return from.refused(1)
		}
		if published.Created {
			created++
		}
		for _, w := range document.Warnings {
			log.Warn("a published descriptor has an oddity", "file", from.files[i], "field", w.Field, "message", w.Message)
		}
	}
	log.Info("published", "folder", from.path, "files", len(from.files), "new", created)
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
