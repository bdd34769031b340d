package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/skillregistry/skillregistry/internal/agentskills"
	"github.com/skillregistry/skillregistry/internal/protocol"
)

//go:embed templates
var templates embed.FS

// Site writes the pages of one registry. It is safe for concurrent use.
type Site struct {
	// Provider is whose registry it is.
	Provider protocol.Provider
	base     string // every absolute URL begins with it
	path     string // and every link
	assets   map[string]Asset
	home     *template.Template
	skill    *template.Template
	compare  *template.Template
	failure  *template.Template
}

// New returns the site of a registry whose absolute URLs begin with baseURL, which has no
// slash at its end.
func New(baseURL string, provider protocol.Provider) (*Site, error) {
	base, err := url.Parse(baseURL)
	if err != nil {
		return nil, fmt.Errorf("base URL: %w", err)
	}
	s := &Site{Provider: provider, base: baseURL, path: base.EscapedPath()}
	names, err := s.readAssets()
	if err != nil {
		return nil, err
	}
	functions := template.FuncMap{
		"asset": func(name string) string { return s.path + "/assets/" + names[name] },
		"root":  func() string { return s.path + "/" }, "path": func() string { return s.path },
		"provider": func() protocol.Provider { return s.Provider },
		"types":    protocol.CapabilityTypes, "levels": levels,
		"skillPath": s.skillPath, "versionPath": s.versionPath, "comparePath": s.comparePath, "tagged": s.tagged,
		"descriptorPath": s.descriptorPath, "filePath": s.filePath,
		"visible": visible, "external": external, "moment": moment, "agentName": agentskills.Name,
		"table": func(label string, rows []Row) any {
			return struct {
				Label string
				Rows  []Row
			}{label, rows}
		},
		"typeWord": typeWord, "levelWord": levelWord, "clip": clip,
	}
	for name, into := range map[string]**template.Template{
		"home": &s.home, "skill": &s.skill, "compare": &s.compare, "error": &s.failure,
	} {
		t := template.New("base.html").Funcs(functions)
		if *into, err = t.ParseFS(templates, "templates/base.html", "templates/parts.html", "templates/"+name+".html"); err != nil {
			return nil, fmt.Errorf("reading the templates: %w", err)
		}
	}
	return s, nil
}

// write returns the bytes of a page.
func write(t *template.Template, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("writing a page: %w", err)
	}
	return b.Bytes(), nil
}

func (s *Site) skillPath(id string) string { return s.path + "/skills/" + url.PathEscape(id) }

func (s *Site) versionPath(id, version string) string {
	return s.skillPath(id) + "/versions/" + url.PathEscape(version)
}

func (s *Site) comparePath(id, from, to string) string {
	return s.skillPath(id) + "/compare?" + url.Values{"from": {from}, "to": {to}}.Encode()
}

func (s *Site) tagged(tag string) string { return s.path + "/?" + url.Values{"tag": {tag}}.Encode() }

func (s *Site) descriptorPath(id, version string) string {
	return s.path + "/v1/skills/" + url.PathEscape(id) + "/versions/" + url.PathEscape(version)
}

// filePath is where a file of a skill's latest version is.
func (s *Site) filePath(id, name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return s.path + "/.well-known/skills/" + agentskills.Name(id) + "/" + strings.Join(parts, "/")
}

func levels() []protocol.Access {
	return []protocol.Access{protocol.Public, protocol.Restricted, protocol.Private}
}

// external reports whether a URL may be a link.
func external(address string) bool {
	u, err := url.Parse(address)
	return err == nil && slices.Contains([]string{"http", "https"}, strings.ToLower(u.Scheme)) && u.Host != ""
}

func moment(t time.Time) string { return t.UTC().Format("2 January 2006") }

func typeWord(t protocol.CapabilityType) string {
	return map[protocol.CapabilityType]string{
		protocol.Plugin: "Plugin", protocol.API: "API", protocol.Knowledge: "Knowledge", protocol.Task: "Task",
	}[t]
}

func levelWord(a protocol.Access) string {
	return map[protocol.Access]string{protocol.Public: "Public", protocol.Restricted: "Restricted", protocol.Private: "Private"}[a]
}

// clip returns a text on one line, and not more of it than a list has room for.
func clip(text string) string {
	const most = 240
	return cut(strings.Join(strings.Fields(text), " "), most)
}
