package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// found reads the inputs that "go test -fuzz" keeps in files below the folders. One of
// bytes alone is taken for a descriptor; a number before them says which kind it is.
func found(folders []string) (documents []document, err error) {
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			document, err := readFound(text)
			if err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			documents = append(documents, document)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return documents, nil
}

// foundInput is the file of one input, in the encoding of package testing.
var foundInput = regexp.MustCompile(`^go test fuzz v1\n(?:int\((-?\d+)\)\n)?\[\]byte\((".*")\)\n?$`)

func readFound(text []byte) (document, error) {
	m := foundInput.FindSubmatch(text)
	if m == nil {
		return document{}, fmt.Errorf("this is no input of bytes that fuzzing found: %.60q", text)
	}
	content, err := strconv.Unquote(string(m[2]))
	if err != nil {
		return document{}, err
	}
	kinds, kind := protocol.Kinds(), protocol.KindDescriptor
	if len(m[1]) > 0 {
		n, err := strconv.Atoi(string(m[1]))
		if err != nil {
			return document{}, err
		}
		kind = kinds[uint(n)%uint(len(kinds))]
	}
	return document{Kind: kind, Bytes: []byte(content)}, nil
}
