//go:build screenshots

package browser

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// The pictures of docs/images, of the skills in examples/.
func TestScreenshots(t *testing.T) {
	r := startRegistry(t, forecast("https://api.example.com/v1/forecast", "1.0.0", nil), forecast("https://api.example.com/v1/forecast", "1.1.0", map[string]any{
		"name": "Weather and air forecast", "auth": map[string]any{"type": "none"}, "tags": []string{"weather", "air", "maps"},
		"inputs": []any{map[string]any{"name": "place", "type": "string", "required": true}},
	}))
	files, err := filepath.Glob("../examples/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no examples (error %v)", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		r.send(t, "POST", "/v1/skills", json.RawMessage(text))
	}
	for name, shot := range map[string]struct {
		path, scheme  string
		width, height int64
	}{
		"home":       {"/", "light", 1100, 820},
		"home-phone": {"/?q=weather", "dark", 360, 720},
		"skill":      {"/skills/com.example.weather.forecast/versions/1.0.0", "light", 1100, 1000},
		"skill-dark": {"/skills/com.example.weather.forecast/versions/1.0.0", "dark", 1100, 820},
		"compare":    {"/skills/com.example.weather.forecast/compare?from=1.0.0&to=1.1.0", "light", 1100, 820},
	} {
		w := r.open(t, shot.path, window(shot.width, shot.height, shot.width < 500), scheme(shot.scheme))
		picture := get(w, func(ctx context.Context, target *chromedp.Target) ([]byte, error) {
			shown, err := cdp.Call(ctx, target, page.CaptureScreenshot, page.CaptureScreenshotParams{})
			return shown.Data, err
		})
		if err := os.WriteFile(filepath.Join("../docs/images", name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
