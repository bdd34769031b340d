package deploy_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"runtime"
	"testing"
)

// release returns the archive of a release 1.2.3 for this machine, its name and its SHA-256.
func release(t *testing.T) (name, archive, sum string) {
	t.Helper()
	command, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	folder := "skillregistry_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH
	var b bytes.Buffer
	packed, err := gzip.NewWriterLevel(&b, gzip.NoCompression)
	if err != nil {
		t.Fatal(err)
	}
	files := tar.NewWriter(packed)
	if err := files.WriteHeader(&tar.Header{Name: folder + "/skillregistry", Mode: 0o755, Size: int64(len(command))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(command); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	hash := sha256.Sum256(b.Bytes())
	return folder + ".tar.gz", b.String(), hex.EncodeToString(hash[:])
}
