package deploy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// binary is the command, which TestMain builds once.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "skillregistry-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "skillregistry")
		build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", binary, "./cmd/skillregistry")
		build.Dir, build.Env, build.Stderr = "../..", append(os.Environ(), "CGO_ENABLED=0"), os.Stderr // as make build does, which leaves most of it done
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "building the command:", err)
			return 1
		}
		return m.Run()
	}())
}
