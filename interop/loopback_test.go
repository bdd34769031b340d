package interop

import (
	"os"
	"strings"
	"testing"
)

// All that the tests say of connections to elsewhere is worth no more than this.
func TestWhatWouldLeaveThisMachineIsNoticed(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"fetch":       `fetch("https://example.com/").catch(() => {})`,
		"https":       `require("https").get("https://example.com/").on("error", () => {})`,
		"net":         `require("net").connect({ host: "example.com", port: 1 }).on("error", () => {})`,
		"the proxies": `fetch(process.env.HTTPS_PROXY, { headers: { Host: "example.com" } })`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			_, _ = h.try(t, "node", "--eval", script)
			hosts, err := os.ReadFile(h.outside)
			if err != nil || !strings.Contains(string(hosts), "example.com") && name != "the proxies" {
				t.Errorf("%s left %q and the error %v, want the host written down", script, hosts, err)
			}
		})
	}
}
