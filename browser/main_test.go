package browser

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// machine is what all tests share: the registry's binary and one browser.
type machine struct {
	binary string
	// browser is the context of the browser, of which each test has a part of its own.
	browser context.Context
}

var shared machine

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "browser")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		shared.binary = filepath.Join(dir, "skillregistry")
		build := exec.Command("go", "build", "-buildvcs=false", "-o", shared.binary, "./cmd/skillregistry")
		build.Dir = ".."
		if output, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building the registry: %v\n%s", err, output)
			return 1
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(filepath.Join(dir, "profile")),
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
			chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"))
		allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
		defer stop()
		browser, end := chromedp.NewContext(allocator)
		defer end()
		if err := chromedp.Do(browser); err != nil {
			fmt.Fprintf(os.Stderr, "starting the browser: %v\n", err)
			return 1
		}
		shared.browser = browser
		return m.Run()
	}())
}
