package page

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
)

//go:embed assets
var assets embed.FS

// Asset is a file that all pages need.
type Asset struct {
	Content   []byte
	MediaType string
}

// readAssets reads them, and returns the name that each is served by, which has a part of
// its hash: what is at a name never changes.
func (s *Site) readAssets() (names map[string]string, err error) {
	s.assets, names = make(map[string]Asset), make(map[string]string)
	for name, mediaType := range map[string]string{
		"style.css": "text/css; charset=utf-8", "script.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml",
	} {
		content, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, fmt.Errorf("reading the assets: %w", err)
		}
		hash := sha256.Sum256(content)
		extension := path.Ext(name)
		names[name] = strings.TrimSuffix(name, extension) + "-" + hex.EncodeToString(hash[:8]) + extension
		s.assets[names[name]] = Asset{content, mediaType}
	}
	return names, nil
}

// Assets returns all assets by the names that pages have them under, below /assets/.
func (s *Site) Assets() map[string]Asset { return s.assets }
