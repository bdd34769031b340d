package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/client"
)

const (
	// watchPause is how often files are looked at. It works wherever files are, also where a
	// system tells nothing of changes; and what an editor writes in several steps, or renames
	// into place, has come to rest when two looks see the same.
	watchPause = 500 * time.Millisecond
	// unreachablePause is how long a registry that could not be reached is left alone.
	unreachablePause = 10 * time.Second
)

// follow publishes what paths name, and again what changes, until ctx ends.
func (v *publish) follow(ctx context.Context, c *client.Client, paths []string) error {
	known := seen{}
	var done, last string
	var retry time.Time
	for first := true; ctx.Err() == nil; first = false {
		now := look(paths)
		due := now != done || !retry.IsZero() && !v.p.now().Before(retry)
		if due && (first || now == last) {
			done, retry = now, time.Time{}
			if !v.publishChanged(ctx, c, paths, known) {
				retry = v.p.now().Add(unreachablePause)
			}
		}
		last = now
		select {
		case <-ctx.Done():
		case <-time.After(watchPause):
		}
	}
	return nil
}

// publishChanged publishes what is not known, and reports whether all of it was dealt with.
func (v *publish) publishChanged(ctx context.Context, c *client.Client, paths []string, known seen) bool {
	files, err := publishable(paths)
	if err == nil {
		err = v.publishAll(ctx, c, files, known)
	}
	var exit *exitError
	if err != nil && !(errors.As(err, &exit) && exit.err == nil) {
		fmt.Fprintf(v.p.stderr, "skillregistry: %s\n", plainLine(printable(oneLine(err.Error()))))
	}
	return exit == nil || exit.status != statusUnreachable
}

// look returns what tells of changes below paths: names, sizes and times of what is not
// hidden. What can't be looked at is a change as well.
func look(paths []string) string {
	var b strings.Builder
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path += string(filepath.Separator) // a link is not walked otherwise
		}
		_ = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && name != path && strings.HasPrefix(entry.Name(), ".") {
				if entry.IsDir() {
					return filepath.SkipDir
				}
				return nil
			}
			info, statErr := os.Stat(name)
			switch {
			case errors.Join(err, statErr) != nil:
				fmt.Fprintf(&b, "%q %v\n", name, errors.Join(err, statErr))
			case info.IsDir():
				fmt.Fprintf(&b, "%q\n", name)
			default:
				fmt.Fprintf(&b, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return b.String()
}
