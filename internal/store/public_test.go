package store_test

import (
	"fmt"
	"testing"

	"github.com/skillregistry/skillregistry/internal/protocol"
	"github.com/skillregistry/skillregistry/internal/store"
	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestPublicRevisionMovesOnlyWithWhatEveryoneSees(t *testing.T) {
	t.Parallel()
	type step struct {
		version string
		access  protocol.Access
		moves   bool
	}
	for name, steps := range map[string][]step{
		"a public skill appears":                        {{"1.0.0", protocol.Public, true}},
		"a restricted one, too":                         {{"1.0.0", protocol.Restricted, true}},
		"a private one does not":                        {{"1.0.0", protocol.Private, false}, {"2.0.0", protocol.Private, false}},
		"a lower public version appears in the list":    {{"1.0.0", protocol.Public, true}, {"0.9.0", protocol.Public, true}},
		"a private head hides the skill":                {{"1.0.0", protocol.Public, true}, {"2.0.0", protocol.Private, true}},
		"a hidden skill stays hidden":                   {{"1.0.0", protocol.Public, true}, {"2.0.0", protocol.Private, true}, {"1.5.0", protocol.Public, false}},
		"a hidden skill gets another private head":      {{"1.0.0", protocol.Public, true}, {"2.0.0", protocol.Private, true}, {"3.0.0", protocol.Private, false}},
		"a public head shows it again":                  {{"1.0.0", protocol.Public, true}, {"2.0.0", protocol.Private, true}, {"3.0.0", protocol.Public, true}},
		"a private version below the head":              {{"1.0.0", protocol.Public, true}, {"0.9.0", protocol.Private, false}},
		"a private pre-release above the head":          {{"1.0.0", protocol.Public, true}, {"2.0.0-rc.1", protocol.Private, false}},
		"a public pre-release above the head":           {{"1.0.0", protocol.Public, true}, {"2.0.0-rc.1", protocol.Public, true}},
		"a public pre-release above a private head":     {{"1.0.0", protocol.Private, false}, {"2.0.0-rc.1", protocol.Public, false}},
		"a public release above a private pre-release":  {{"1.0.0-rc.1", protocol.Private, false}, {"0.1.0", protocol.Public, true}},
		"a private release below a public pre-release":  {{"1.0.0-rc.1", protocol.Public, true}, {"0.1.0", protocol.Private, true}},
		"versions whose numbers are longer than 64 bit": {{"99999999999999999999.0.0", protocol.Public, true}, {"100000000000000000000.0.0", protocol.Private, true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, url string) {
				s := open(t, url)
				publish(t, s, publication("com.example.other", "1.0.0", protocol.Public, ""))
				registry, skill := int64(1), int64(0)
				for i, st := range steps {
					_, before := changes(t, s, 0)
					publish(t, s, publication("com.example.a", st.version, st.access, ""))
					if st.moves {
						registry++
						skill = registry
					}
					all, mark := changes(t, s, before.Revision)
					want := store.Mark{Revision: int64(i) + 2, PublicRevision: registry}
					if mark != want || len(all) != 1 || all[0].PublicRevision != skill {
						t.Errorf("step %d, %s %s: got the mark %+v and %s, want %+v and the skill's public revision %d",
							i+1, st.version, st.access, mark, describe(all), want, skill)
					}
				}
				all, _ := changes(t, s, 0)
				for _, c := range all[1:] {
					if c.PublicRevision != skill {
						t.Errorf("%s %s has the public revision %d, want its skill's, %d", c.Version.SkillID, c.Version.Version, c.PublicRevision, skill)
					}
				}
				if all[0].PublicRevision != 1 {
					t.Errorf("another skill's public revision became %d", all[0].PublicRevision)
				}
			})
		})
	}
}

func describe(all []store.Change) string {
	text := ""
	for i, name := range names(all) {
		text += fmt.Sprintf("[%s public %d]", name, all[i].PublicRevision)
	}
	return text
}
