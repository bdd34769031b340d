package browser

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// axe is the check of accessibility.
//
//go:embed node_modules/axe-core/axe.min.js
var axe string

// patience bounds one step of a test.
const patience = 20 * time.Second

// tab is a window of a person of its own: nothing is shared with other tabs.
type tab struct {
	t   *testing.T
	ctx context.Context
	at  string // of the registry

	mu sync.Mutex
	// complaints are what the console said, requests what was asked for.
	complaints, requests []string
	// refusals are statuses that a test provokes; the console may tell of them.
	refusals []string
}

// open opens a page of a registry in a new tab.
func (r *registry) open(t *testing.T, path string, before ...step) *tab {
	t.Helper()
	ctx, end := chromedp.NewContext(shared.browser, chromedp.WithNewBrowserContext())
	t.Cleanup(end)
	w := &tab{t: t, ctx: ctx, at: r.url}
	// The first action starts the tab, which ends with the action's context.
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, w.listen); err != nil {
		t.Fatal(err)
	}
	w.do(send(log.Enable, cdp.Empty{}), send(network.Enable, network.EnableParams{}), window(1280, 900, false))
	w.do(before...)
	w.visit(path)
	t.Cleanup(w.judge)
	return w
}

func (w *tab) listen(event any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		w.complaints = append(w.complaints, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			w.complaints = append(w.complaints, string(e.Type)+": "+string(a.Value))
		}
	case *runtime.EventExceptionThrown:
		w.complaints = append(w.complaints, e.ExceptionDetails.Text)
	case *network.EventRequestWillBeSent:
		w.requests = append(w.requests, e.Request.URL)
	}
}

// judge fails the test where the page complained, asked elsewhere, or told the key.
func (w *tab) judge() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.complaints {
		provoked := false
		for _, status := range w.refusals {
			provoked = provoked || strings.Contains(c, "status of "+status)
		}
		if !provoked {
			w.t.Errorf("the console says: %s", c)
		}
	}
	for _, r := range w.requests {
		if !strings.HasPrefix(r, w.at+"/") && r != "about:blank" {
			w.t.Errorf("the page asked for %s", r)
		}
		if strings.Contains(r, "skr_") || strings.Contains(r, adminKey) {
			w.t.Errorf("there is a key in the address %s", r)
		}
	}
}

// do does things, and fails the test where that can't be done.
func (w *tab) do(actions ...step) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		w.t.Fatalf("%v\nat %s", err, w.at)
	}
}

func (w *tab) visit(path string) {
	w.t.Helper()
	w.do(chromedp.Navigate(w.at + path))
}

// value returns what an expression of JavaScript is.
func value[T any](w *tab, expression string) T {
	w.t.Helper()
	return get(w, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits for an expression of JavaScript to be true.
func (w *tab) until(expression string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	for {
		// While the page is on its way to another there is nothing to ask.
		done, err := chromedp.Run(ctx, chromedp.Evaluate[bool](expression))
		if err == nil && done {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			w.t.Fatalf("it never came to be that %s (%v); the page is\n%.3000s", expression, err, w.text("body"))
		}
	}
}

// text returns what stands in the first element that a selector finds.
func (w *tab) text(selector string) string {
	w.t.Helper()
	return get(w, chromedp.Text(chromedp.CSS(selector)))
}

// skills lists the names of the skills that the page lists.
const skills = `[...document.querySelectorAll("#results h3")].map(e => e.textContent).join(", ")`

// press presses keys, one after the other.
func (w *tab) press(keys ...string) {
	w.t.Helper()
	for _, key := range keys {
		w.do(chromedp.KeyEvent(key))
	}
}

// without turns scripts off.
func without() step {
	return send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// window sets the size of the window.
func window(width, height int64, phone bool) step {
	return send(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1, Mobile: phone})
}

// scheme sets what colours the person likes: light or dark ones.
func scheme(name string) step {
	return send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

// step is something that is done in a tab.
type step = chromedp.Action[chromedp.Void]

// send sends the browser a command.
func send[P, R any](c cdp.Command[P, R], parameters P) step {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, parameters)
		return err
	})
}

// get does something and returns what comes of it.
func get[T any](w *tab, action chromedp.Action[T]) T {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		w.t.Fatalf("%v\nat %s", err, w.at)
	}
	return v
}

// accessible fails the test with what the check of accessibility finds.
func (w *tab) accessible(what string) {
	w.t.Helper()
	// The policy of the page forbids scripts of others: this one comes by the debugger.
	w.do(chromedp.Evaluate[chromedp.Void](axe))
	found := value[[]json.RawMessage](w, `axe.run(document, {resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]})
		.then(r => r.violations.map(v => ({id: v.id, help: v.help, nodes: v.nodes.slice(0, 3).map(n => n.html.slice(0, 200) + " " + n.failureSummary)})))`)
	for _, violation := range found {
		w.t.Errorf("%s: %s", what, violation)
	}
}

// fits fails the test where the page is wider than the window.
func (w *tab) fits(what string) {
	w.t.Helper()
	if sizes := value[[]int](w, `[document.documentElement.scrollWidth, innerWidth]`); sizes[0] > sizes[1] {
		w.t.Errorf("%s is %d wide in a window of %d", what, sizes[0], sizes[1])
	}
}
