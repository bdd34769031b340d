package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

var errFileExists = errors.New("there is such a file already; --force replaces it")

// writeNewFile has a file written that nobody else may read, and that has its name once
// it is whole. One that is there already is kept unless replace is set, and even then
// where it is no plain file.
func writeNewFile(name string, replace bool, write func(io.Writer) error) error {
	info, err := os.Lstat(name)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s: this is not a file", name)
	case err == nil && !replace:
		return fmt.Errorf("%s: %w", name, errFileExists)
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return fmt.Errorf("%s: %w", name, withoutPath(err))
	}
	defer os.Remove(f.Name()) // which is not there any more where all went well
	err = write(f)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if !replace {
		if err := takeName(name); err != nil {
			return err
		}
	}
	return os.Rename(f.Name(), name)
}

// takeName makes an empty file, since renaming another to its name would replace in silence
// what came there meanwhile.
func takeName(name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s: %w", name, errFileExists)
	}
	if err != nil {
		return err
	}
	return f.Close()
}
