package agentskills_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
)

// validName is what installers accept.
var validName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

func TestNames(t *testing.T) {
	t.Parallel()
	long := "com.example." + strings.Repeat("a", 52)
	tests := map[string]struct{ id, want string }{
		"parts of letters and digits keep their order": {"com.example.translate", "com-example-translate"},
		"an id without a dot is its own name":          {"abc", "abc"},
		"as long as a name may be":                     {long, strings.ReplaceAll(long, ".", "-")},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := agentskills.Name(tt.id); got != tt.want {
				t.Errorf("Name(%q) = %q, want %q", tt.id, got, tt.want)
			}
		})
	}
}

func TestIdsThatAreAlikeHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a.", 40)
	ids := []string{
		"a.b", "a-b", "a_b", "com.example.a-b", "com.example.a_b", "com.example.a.b", "com-example-a-b",
		long + "b", long + "c", long + "bb", strings.Repeat("a", 64), strings.Repeat("a", 65),
	}
	// Ids that look as if they were the names of the others.
	for _, id := range ids {
		if name := agentskills.Name(id); name != id {
			ids = append(ids, name, strings.ReplaceAll(name, "-", "."))
		}
	}
	names := make(map[string]string)
	for _, id := range ids {
		name := agentskills.Name(id)
		if before, taken := names[name]; taken && before != id {
			t.Errorf("%q and %q both have the name %q", before, id, name)
		}
		names[name] = id
	}
}

func TestEveryIdHasAValidName(t *testing.T) {
	t.Parallel()
	protocoltest.Check(t, func(t *rapid.T) {
		id := rapid.StringMatching(`[a-z0-9]+([._-][a-z0-9]+)*`).Filter(protocol.ValidID).Draw(t, "id")
		name := agentskills.Name(id)
		if len(name) > 64 || !validName.MatchString(name) {
			t.Errorf("Name(%q) = %q, which installers refuse", id, name)
		}
		if again := agentskills.Name(id); again != name {
			t.Errorf("Name(%q) = %q, and then %q", id, name, again)
		}
	})
}
