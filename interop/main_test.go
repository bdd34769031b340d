package interop

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binaryVariable names the registry that the tests start to those that start it.
const binaryVariable = "INTEROP_REGISTRY"

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "interop")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary := filepath.Join(dir, "skillregistry")
		build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "./cmd/skillregistry")
		build.Dir = ".."
		if output, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the registry: %v\n%s", err, output)
			return 1
		}
		os.Setenv(binaryVariable, binary)
		return m.Run()
	}())
}
