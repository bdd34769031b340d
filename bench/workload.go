package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// workload is one kind of request, at a catalog of some size.
type workload struct {
	// name is that of the answer's file; title is for the table.
	name, title string
	path        string
	gzip        bool
	// known says that the caller has the answer already, so that it gets a 304.
	known bool
}

// workloads returns the kinds of requests. What is in the middle of the catalog stands
// for everything that is not at its beginning.
func workloads(skills int) []workload {
	const index = "/.well-known/skills"
	middle := skillID(skills / 2)
	deep := index + "?limit=100&cursor=" + cursorAfter(skillID(skills/2-100))
	return []workload{
		{name: "descriptor", title: "descriptor", path: "/v1/skills/" + middle},
		{name: "page", title: "page of 100", path: index + "?limit=100"},
		{name: "deep", title: "page of 100, from the middle", path: deep},
		{name: "filtered", title: "page of 100 of one type", path: index + "?limit=100&capability_type=knowledge"},
		{name: "packed-page", title: "page of 100, gzip", path: index + "?limit=100", gzip: true},
		{name: "known", title: "whole index, 304", path: index, known: true},
		{name: "whole", title: "whole index", path: index},
		{name: "packed", title: "whole index, gzip", path: index, gzip: true},
	}
}

// isWhole reports whether the answer is made of the whole index.
func (w workload) isWhole() bool {
	return !strings.Contains(w.path, "limit=") && w.name != "descriptor"
}

// cursorAfter is the registry's cursor of the page behind an id, and afterOf the id.
func cursorAfter(id string) string { return base64.RawURLEncoding.EncodeToString([]byte("1:" + id)) }

func afterOf(cursor string) string {
	text, _ := base64.RawURLEncoding.DecodeString(cursor)
	return strings.TrimPrefix(string(text), "1:")
}

// ask sends the request of a workload once, over a connection that wrk might have.
func ask(ctx context.Context, url string, w workload, etag string) (status int, a answer, err error) {
	client := &http.Client{Timeout: 2 * time.Minute, Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, answer{}, err
	}
	for name, value := range w.headers(etag) {
		r.Header.Set(name, value)
	}
	response, err := client.Do(r)
	if err != nil {
		return 0, answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, answer{
		body: body, etag: response.Header.Get("ETag"), gzip: response.Header.Get("Content-Encoding") == "gzip",
	}, err
}

func (w workload) headers(etag string) map[string]string {
	h := make(map[string]string)
	if w.gzip {
		h["Accept-Encoding"] = "gzip"
	}
	if etag != "" {
		h["If-None-Match"] = etag
	}
	return h
}

// plain returns the body as it is without compression.
func (a answer) plain() ([]byte, error) {
	if !a.gzip {
		return a.body, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(a.body))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// rehearse finds out whether a contender answers a workload as it is expected to, and
// with which tag it answers when the caller has to know one.
func rehearse(ctx context.Context, url string, w workload, want []byte) (etag string, err error) {
	status, a, err := ask(ctx, url, w, "")
	if err != nil {
		return "", err
	}
	got, err := a.plain()
	if err != nil {
		return "", err
	}
	if status != http.StatusOK || a.gzip != w.gzip || !bytes.Equal(got, want) {
		return "", fmt.Errorf("%s: status %d, gzip %t, %d bytes; want 200, %t and the %d bytes of the registry: %.200q", url, status, a.gzip, len(got), w.gzip, len(want), got)
	}
	if !w.known {
		return "", nil
	}
	status, _, err = ask(ctx, url, w, a.etag)
	if err == nil && status != http.StatusNotModified {
		err = fmt.Errorf("%s: status %d for what is known, want 304", url, status)
	}
	return a.etag, err
}
