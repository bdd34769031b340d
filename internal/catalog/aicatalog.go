package catalog

import (
	"crypto/sha256"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// ardRegistry is the media type of a registry of the Agentic Resource Discovery.
const ardRegistry = "application/ai-registry+json"

// aiCatalogLayout returns the layout of the AI Catalog (1.0), by which the Agentic Resource
// Discovery finds what a host has. Its first entry is the registry itself, which others may
// search.
func aiCatalogLayout(o Options, d *deflater) layout {
	type host struct {
		DisplayName string `json:"displayName"`
		Identifier  string `json:"identifier"`
	}
	type registry struct {
		Identifier  string `json:"identifier"`
		DisplayName string `json:"displayName"`
		Type        string `json:"type"`
		URL         string `json:"url"`
		Description string `json:"description"`
	}
	publisher := ardPublisher(o.BaseURL)
	head, err := protocol.AppendJSON(nil, struct {
		SpecVersion string     `json:"specVersion"`
		Host        host       `json:"host"`
		Entries     []struct{} `json:"entries"`
	}{"1.0", host{o.Provider.Name, publisher}, []struct{}{}})
	if err != nil {
		return layout{}
	}
	own, err := protocol.AppendJSON(nil, registry{
		Identifier: "urn:air:" + publisher + ":registry:skills", DisplayName: o.Provider.Name, Type: ardRegistry,
		URL: o.BaseURL + "/search", Description: "Finds the skills that are published here.",
	})
	if err != nil {
		return layout{}
	}
	middle := len(head) - len("]}")
	return layout{
		form: aiCatalogForm, head: d.piece(head[:middle]), between: d.piece([]byte(",")), tail: d.piece(head[middle:]),
		first: &rendered{piece: d.piece(own), hash: sha256.Sum256(own)},
	}
}

func (r *renderer) aiCatalogEntry(s *skill) []byte {
	text, err := protocol.AppendJSON(nil, r.ard(s))
	if err != nil {
		return nil // strings that were read as JSON can be written as JSON
	}
	return text
}
