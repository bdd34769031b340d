package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// stdinName is how standard input is asked for, and how it is called in reports.
const stdinName = "-"

// documentFiles returns the files that paths name: a file as it is, a folder's *.json
// files, those of its folders included, sorted. Hidden files and folders are left out:
// where Kubernetes mounts a folder, they hold the same files again.
func documentFiles(paths []string) ([]string, error) {
	return filesOf(paths, func(string) bool { return false })
}

// publishable is documentFiles with the folders of skills in the place of what is in them.
func publishable(paths []string) ([]string, error) { return filesOf(paths, isSkillFolder) }

func filesOf(paths []string, whole func(dir string) bool) ([]string, error) {
	var files []string
	for _, path := range paths {
		if path == stdinName {
			files = append(files, path)
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, withoutPath(err))
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		inside, err := filesInside(path, whole)
		if err != nil {
			return nil, err
		}
		if len(inside) == 0 {
			return nil, fmt.Errorf("%s: there is no *.json file in this folder", path)
		}
		files = append(files, inside...)
	}
	return files, nil
}

// filesInside lists the *.json files of a folder, and the folders in it that are a whole,
// or itself.
func filesInside(dir string, whole func(dir string) bool) ([]string, error) {
	// With a slash, since a folder that is a link is not walked otherwise.
	dir = strings.TrimRight(dir, string(filepath.Separator)) + string(filepath.Separator)
	var files []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := path != dir && strings.HasPrefix(entry.Name(), ".")
		if entry.IsDir() {
			if hidden {
				return filepath.SkipDir
			}
			if whole(path) {
				files = append(files, filepath.Clean(path))
				return filepath.SkipDir
			}
			return nil
		}
		if hidden || filepath.Ext(path) != ".json" {
			return nil
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Mode().IsRegular() {
			files = append(files, filepath.Clean(path))
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// readDocument reads a document of at most limit bytes, from stdin where it is called so.
func readDocument(name string, stdin io.Reader, limit int64) ([]byte, error) {
	if name == stdinName {
		return readAtMost(stdin, limit)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, withoutPath(err)
	}
	defer f.Close()
	data, err := readAtMost(f, limit)
	return data, withoutPath(err)
}
