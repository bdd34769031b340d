package httpapi

import (
	"net/http"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// linksetType is the media type of a set of links in JSON (RFC 9264).
const linksetType = "application/linkset+json"

// apiCatalog returns the catalog of APIs of this host (RFC 9727): the registry's own, and
// where each kind of reader learns about it.
func apiCatalog(base string) (*document, error) {
	type link struct {
		Href string `json:"href"`
		Type string `json:"type,omitzero"`
	}
	type context struct {
		Anchor      string `json:"anchor"`
		Item        []link `json:"item,omitzero"`
		ServiceDesc []link `json:"service-desc,omitzero"`
		ServiceDoc  []link `json:"service-doc,omitzero"`
		ServiceMeta []link `json:"service-meta,omitzero"`
		Status      []link `json:"status,omitzero"`
	}
	text, err := protocol.AppendJSON(nil, struct {
		Linkset []context `json:"linkset"`
	}{[]context{
		{Anchor: base + apiCatalogPath, Item: []link{{Href: base + "/"}}},
		{
			Anchor:      base + "/",
			ServiceDesc: []link{{base + "/openapi.json", contentType}},
			ServiceDoc:  []link{{base + llmsPath, "text/plain"}},
			ServiceMeta: []link{{base + indexPaths()[0], contentType}, {base + agentSkillsPath + agentSkillsIndex, contentType}},
			Status:      []link{{base + "/readyz", contentType}},
		},
	}})
	if err != nil {
		return nil, err
	}
	return newDocument(text)
}

// getAPICatalog answers with the catalog of APIs. It is no secret and does not change.
func (s *server) getAPICatalog(w http.ResponseWriter, r *http.Request) error {
	exchangeOf(r).setHeader("Link", s.discovery)
	return s.serveAs(w, r, s.apiCatalog, linksetType+`; profile="https://www.rfc-editor.org/info/rfc9727"`)
}
