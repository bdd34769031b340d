package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/pprof"
	"strconv"
	"strings"
)

// heap is what a Go process says of its memory.
type heap struct {
	mallocs int64 // objects ever allocated
	inUse   int64 // bytes of objects that are alive
}

// readHeap asks the profiles of a Go process, after a collection where asked.
func readHeap(address string, collect bool) (heap, error) {
	url := "http://" + address + "/debug/pprof/heap?debug=1"
	if collect {
		url += "&gc=1"
	}
	response, err := http.Get(url)
	if err != nil {
		return heap{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return heap{}, err
	}
	var h heap
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "# ")), " = ")
		if !ok {
			continue
		}
		switch name {
		case "Mallocs":
			h.mallocs, err = strconv.ParseInt(value, 10, 64)
		case "HeapAlloc":
			h.inUse, err = strconv.ParseInt(value, 10, 64)
		}
		if err != nil {
			return heap{}, fmt.Errorf("%s: %w", url, err)
		}
	}
	return h, nil
}

// profiles serves what readHeap reads.
func profiles() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	return mux
}
