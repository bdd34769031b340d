package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/skillregistry/skillregistry/internal/access"
	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/protocol/protocoltest"
	"github.com/skillregistry/skillregistry/internal/search"
)

// answer is what a search says.
type answer struct {
	ids   []string
	total int
	next  catalog.Rank
}

func searchFor(t fataler, s *catalog.Snapshot, c access.Caller, q catalog.SearchQuery) answer {
	t.Helper()
	e, next, err := s.Search(context.Background(), c, q)
	if err != nil {
		t.Fatalf("searching: %v", err)
	}
	var page struct {
		Skills []protocol.IndexEntry `json:"skills"`
		Total  int                   `json:"total"`
	}
	if err := json.Unmarshal(body(t, e), &page); err != nil {
		t.Fatalf("the answer is not JSON: %v", err)
	}
	a := answer{total: page.Total, next: next}
	for _, s := range page.Skills {
		a.ids = append(a.ids, s.ID)
	}
	return a
}

// model is every version that was published, by skill.
type model map[string][]skillVersion

// ranked returns what a search has to find: a look at each skill that the caller sees.
func (m model) ranked(c access.Caller, q catalog.SearchQuery) (ranks []catalog.Rank) {
	for id, versions := range m {
		releases := make([]access.Release, len(versions))
		for i, v := range versions {
			releases[i] = access.Release{Version: v.version, Status: v.status, Access: v.access}
		}
		i := access.Latest(releases)
		if i < 0 || !c.Sees(id, access.SkillAccess(releases), versions[i].access) {
			continue
		}
		d := versions[i].descriptor()
		score := q.Match.Score(search.NewDocument(search.Text{
			ID: d.ID, Name: d.Name, Provider: d.Provider.Name, Description: d.Description, Tags: d.Tags,
		}))
		wanted, _ := catalog.Types(0).With(d.CapabilityType)
		if score > 0 && (q.Types == 0 || q.Types&wanted != 0) {
			ranks = append(ranks, catalog.Rank{Score: score, ID: id})
		}
	}
	slices.SortFunc(ranks, func(a, b catalog.Rank) int {
		if a.Score != b.Score {
			return b.Score - a.Score
		}
		return strings.Compare(a.ID, b.ID)
	})
	return ranks
}

// moment is a snapshot, and what had been published.
type moment struct {
	snapshot *catalog.Snapshot
	model    model
}

// TestSearchFindsWhatALookAtEachSkillDoes publishes, hides and shows skills, and searches
// meanwhile, the present state and earlier ones: whatever was indexed when, the answer is
// that of the obvious search among what the caller sees, page by page.
func TestSearchFindsWhatALookAtEachSkillDoes(t *testing.T) {
	t.Parallel()
	matches, pages, volumes := 0, 0, 0
	protocoltest.Check(t, func(t *rapid.T) {
		s := &shelfSource{}
		o := options()
		o.Loose = rapid.IntRange(1, 3).Draw(t, "loose")
		c, err := catalog.Open(t.Context(), s, o)
		if err != nil {
			t.Fatalf("opening: %v", err)
		}
		published := model{}
		var moments []moment
		for range rapid.IntRange(1, 8).Draw(t, "moments") {
			writes := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(0, 40)).Draw(t, "writes")
			for range writes {
				v := drawFindable(t)
				versions := published[v.id]
				if i := slices.IndexFunc(versions, func(o skillVersion) bool { return o.version == v.version }); i >= 0 {
					v2 := versions[i] // comes again, with another status
					v2.status = v.status
					versions = slices.Delete(slices.Clone(versions), i, i+1)
					v = v2
				}
				published[v.id] = append(slices.Clone(versions), v)
				s.publish(t, v)
			}
			now, _, err := c.Snapshot(t.Context())
			if err != nil {
				t.Fatalf("taking a snapshot: %v", err)
			}
			moments = append(moments, moment{now, maps.Clone(published)})
			if rapid.Bool().Draw(t, "indexed") {
				catalog.IndexNow(now)
				volumes = max(volumes, catalog.Volumes(now))
			}
			for range 3 {
				m := rapid.SampledFrom(moments).Draw(t, "moment")
				caller := rapid.SampledFrom([]access.Caller{
					{}, reader("com"), reader("com.s1", "com.s2"), reader("*"), {KeyID: "k", Scopes: []access.Scope{access.Admin}},
				}).Draw(t, "caller")
				q := drawSearch(t)
				want := m.model.ranked(caller, q)
				matches += len(want)
				for rest := want; ; pages++ {
					got := searchFor(t, m.snapshot, caller, q)
					page := rest[:min(q.Limit, len(rest))]
					rest = rest[len(page):]
					next := catalog.Rank{}
					if len(rest) > 0 {
						next = page[len(page)-1]
					}
					var ids []string
					for _, r := range page {
						ids = append(ids, r.ID)
					}
					if !slices.Equal(got.ids, ids) || got.total != len(want) || got.next != next {
						t.Fatalf("the page after %+v is %+v, want %v of %d, next %+v", q.After, got, ids, len(want), next)
					}
					if q.After = next; next == (catalog.Rank{}) {
						break
					}
				}
			}
		}
	})
	t.Logf("%d matches on %d pages, in %d volumes at most", matches, pages, volumes)
	if matches < 1000 || volumes < 2 {
		t.Errorf("there were %d matches in all, in %d volumes at most, want enough to compare", matches, volumes)
	}
}

func drawFindable(t *rapid.T) skillVersion {
	v := version(
		fmt.Sprintf("com.s%d.x", rapid.IntRange(0, 40).Draw(t, "id")),
		rapid.SampledFrom([]string{"1.0.0", "1.1.0", "2.0.0"}).Draw(t, "version"),
	)
	v.access = rapid.SampledFrom([]protocol.Access{protocol.Public, protocol.Public, protocol.Restricted, protocol.Private}).Draw(t, "access")
	v.kind = rapid.SampledFrom(protocol.CapabilityTypes()).Draw(t, "type")
	v.status = rapid.SampledFrom([]access.Status{access.Active, access.Active, access.Active, access.Deprecated, access.Yanked}).Draw(t, "status")
	v.name = rapid.SampledFrom([]string{"Weather", "Weather forecast", "Feathers", "Mail", "mailBox", "天気予報", "Würfel"}).Draw(t, "name")
	v.tags = rapid.SampledFrom([][]string{nil, {"fast"}, {"fast", "new"}, {"weather"}}).Draw(t, "tags")
	return v
}

func drawSearch(t *rapid.T) catalog.SearchQuery {
	text := rapid.SampledFrom([]string{"", "weather", "w", "wether fast", "mail", "box", "天気", "wurfel", "com", "com.s1.x", "s2", "says what", "nothing"}).Draw(t, "text")
	q := catalog.SearchQuery{Match: search.Words(text), Limit: rapid.IntRange(1, 8).Draw(t, "limit")}
	if rapid.IntRange(0, 3).Draw(t, "sentence") == 0 {
		q.Match = search.Need("find me " + text + " and weather")
	}
	if rapid.IntRange(0, 3).Draw(t, "tagged") == 0 {
		q.Match.Tagged(rapid.SampledFrom([]string{"fast", "new", "none"}).Draw(t, "tag"))
	}
	for _, k := range rapid.SliceOfNDistinct(rapid.SampledFrom(protocol.CapabilityTypes()), 0, 2, rapid.ID).Draw(t, "types") {
		q.Types, _ = q.Types.With(k)
	}
	return q
}

// Whoever does not search pays nothing, and whoever gives up waiting for the index is let go.
func TestASearchThatIsGivenUpEnds(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	for i := range 200 {
		s.publish(t, version(skillID(i), "1.0.0"))
	}
	o := options()
	o.Loose = 1
	view := snapshot(t, open(t, s, o))
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := view.Search(gone, access.Caller{}, catalog.SearchQuery{Match: search.Words(""), Limit: 1}); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want no error or the context's", err)
	}
	if got := searchFor(t, view, access.Caller{}, catalog.SearchQuery{Match: search.Words("skill"), Limit: 1}); got.total != 200 {
		t.Errorf("the next search finds %d, want 200", got.total)
	}
}

// Searches and publications go on at once.
func TestSearchesAndPublicationsDoNotMindEachOther(t *testing.T) {
	t.Parallel()
	s := &shelfSource{}
	o := options()
	o.Loose = 2
	c := open(t, s, o)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 300 {
			s.publish(t, version(skillID(i%60), fmt.Sprintf("1.%d.0", i)))
		}
	}()
	for searching := true; searching; {
		select {
		case <-done:
			searching = false
		default:
		}
		view := snapshot(t, c)
		e, _ := view.Index(access.Caller{}, catalog.IndexQuery{})
		want := ids(t, e)
		if got := searchFor(t, view, access.Caller{}, catalog.SearchQuery{Match: search.Words("skill"), Limit: 100}); !slices.Equal(got.ids, want) && len(want) > 0 {
			t.Fatalf("the search finds %v, want %v", got.ids, want)
		}
	}
}
