package page

import (
	"net/url"
	"slices"

	"github.com/skillregistry/skillregistry/internal/catalog"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

// Search is what somebody looks for on the home page.
type Search struct {
	Text   string
	Types  catalog.Types
	Access []protocol.Access
	Tags   []string
	// Later reports whether it is a page after the first.
	Later bool
}

// HasType reports whether a type is wanted.
func (s Search) HasType(t protocol.CapabilityType) bool {
	for each := range s.Types.All() {
		if each == t {
			return true
		}
	}
	return false
}

// HasLevel reports whether an access level is wanted.
func (s Search) HasLevel(a protocol.Access) bool { return slices.Contains(s.Access, a) }

// Narrow reports whether anything is asked for but all.
func (s Search) Narrow() bool {
	return s.Text != "" || s.Types != 0 || len(s.Access) > 0 || len(s.Tags) > 0
}

// link returns the query of a link to the search.
func (s Search) link() url.Values {
	v := url.Values{}
	if s.Text != "" {
		v.Set("q", s.Text)
	}
	for t := range s.Types.All() {
		v.Add("capability_type", string(t))
	}
	for _, a := range s.Access {
		v.Add("access", string(a))
	}
	for _, tag := range s.Tags {
		v.Add("tag", tag)
	}
	return v
}

// Home returns the page with what was found. The cursor leads to the next page; empty is the
// end.
func (s *Site) Home(asked Search, found catalog.Views, cursor string) ([]byte, error) {
	data := struct {
		Title, Next, First string
		Search             Search
		Found              catalog.Views
	}{Search: asked, Found: found}
	if asked.Text != "" {
		data.Title = asked.Text
	}
	link := asked.link()
	data.First = s.path + "/"
	if len(link) > 0 {
		data.First += "?" + link.Encode()
	}
	if cursor != "" {
		link.Set("cursor", cursor)
		data.Next = s.path + "/?" + link.Encode()
	}
	return write(s.home, data)
}
