package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/describe"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// descriptorFile is the descriptor of a skill's folder. It is none of the skill's files.
const descriptorFile = "descriptor.json"

// isSkillFolder reports whether a folder is that of one skill.
func isSkillFolder(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, agentskills.SkillFile))
	return err == nil && info.Mode().IsRegular()
}

// skillFolder is what is in the folder of one skill.
type skillFolder struct {
	files []agentskills.File
	// descriptor is that of descriptor.json; nil where there is none.
	descriptor []byte
	// notes say what was left out.
	notes []string
}

// maxFolder bounds what is read of a folder, in bytes.
const maxFolder = agentskills.MaxUnpacked

// readSkillFolder reads the folder of one skill. What is hidden is left out; a link is
// followed to a file in the folder, and is an error otherwise.
func readSkillFolder(dir string) (*skillFolder, error) {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, withoutPath(err)
	}
	var f skillFolder
	left := int64(maxFolder)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(relative)
		if strings.HasPrefix(entry.Name(), ".") {
			f.notes = append(f.notes, name+" is hidden and left out")
			if entry.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.IsDir() {
			return nil
		}
		data, err := readInside(root, path, left)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		left -= int64(len(data))
		if name == descriptorFile {
			f.descriptor = data
		} else {
			f.files = append(f.files, agentskills.File{Name: name, Content: data})
		}
		return nil
	})
	return &f, err
}

// readInside reads a regular file, or the one in the folder that a link leads to.
func readInside(root, path string, limit int64) ([]byte, error) {
	target, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, withoutPath(err)
	}
	if target != path && !strings.HasPrefix(target, root+string(filepath.Separator)) {
		return nil, errors.New("this is a link out of the folder")
	}
	info, err := os.Stat(target)
	if err != nil {
		return nil, withoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("this is no file, nor a link to one")
	}
	return readDocument(target, nil, limit)
}

// pack returns the files as an archive that is small to send, with the digest that the
// registry gives them, once they are known to pass. Its error is a *protocol.ValidationError
// where they don't.
func (f *skillFolder) pack() (archive []byte, digest string, err error) {
	packed, err := agentskills.Pack(f.files)
	if err != nil {
		return nil, "", err
	}
	if _, err := agentskills.Unpack(packed, maxFolder); err != nil {
		return nil, "", err
	}
	plain, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, "", err
	}
	var small bytes.Buffer
	z := gzip.NewWriter(&small)
	if _, err := io.Copy(z, plain); err != nil {
		return nil, "", err
	}
	if err := z.Close(); err != nil {
		return nil, "", err
	}
	return small.Bytes(), protocol.Digest(packed), nil
}

// describe returns the descriptor of a folder whose SKILL.md is right: its own, or one made
// of that.
func (v *publish) describe(f *skillFolder, registryURL string) ([]byte, error) {
	i := slices.IndexFunc(f.files, func(file agentskills.File) bool { return file.Name == agentskills.SkillFile })
	if i < 0 {
		return nil, errors.New("there is no " + agentskills.SkillFile)
	}
	front, err := agentskills.ParseFrontMatter(f.files[i].Content)
	if err != nil || f.descriptor != nil {
		return f.descriptor, err
	}
	if v.access != string(protocol.Public) && v.access != string(protocol.Restricted) && v.access != string(protocol.Private) {
		return nil, fmt.Errorf("--access %q: expected public, restricted or private", v.access)
	}
	descriptor, err := describe.SkillFolder(front, describe.FolderOptions{
		Namespace: v.namespace, Version: v.skillVersion, Access: protocol.Access(v.access), RegistryURL: registryURL,
	})
	if err == nil && len(front.Others) > 0 {
		f.notes = append(f.notes, "the descriptor does not say what "+agentskills.SkillFile+" says as "+strings.Join(front.Others, ", "))
	}
	return descriptor, withFlag(err)
}

// readFolder reads the folder of one skill, and tells what was left out of it.
func (v *publish) readFolder(dir, registryURL string) (*submission, error) {
	f, err := readSkillFolder(dir)
	if err != nil {
		return nil, &unreadableError{err}
	}
	s := &submission{file: dir}
	s.descriptor, err = v.describe(f, registryURL)
	if f.descriptor != nil {
		s.source, s.written = filepath.Join(dir, descriptorFile), true
	}
	if err == nil {
		s.archive, s.filesDigest, err = f.pack()
	}
	for _, note := range f.notes {
		fmt.Fprintf(v.p.stderr, "%s: note: %s\n", printable(dir), printable(note))
	}
	return s, err
}
