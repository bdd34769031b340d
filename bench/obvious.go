package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// createObvious makes the table of the obvious design, from what the registry's tables
// have.
const createObvious = `
	create table obvious as
		select skill_id as id, convert_from(document, 'UTF8')::json->>'capability_type' as capability_type,
			convert_from(document, 'UTF8') as document
		from versions;
	alter table obvious add primary key (id);
	create index on obvious (capability_type, id)`

// obvious is the design that comes to mind first: each request asks the database, and
// decodes and encodes what it gets. It checks no keys, writes no log, and knows no
// versions.
type obvious struct {
	db      *pgxpool.Pool
	baseURL string
}

func serveObvious(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("obvious", flag.ContinueOnError)
	database := flags.String("database", "", "the database's URL")
	baseURL := flags.String("base-url", "", "what every address begins with")
	addr := flags.String("addr", "", "where to listen")
	metrics := flags.String("metrics", "", "where to listen for profiles")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config, err := pgxpool.ParseConfig(*database)
	if err != nil {
		return err
	}
	config.MaxConns = 16
	db, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer db.Close()
	o := &obvious{db: db, baseURL: *baseURL}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/skills/{id}", o.descriptor)
	mux.HandleFunc("GET /.well-known/skills", o.index)
	return listenAndServe(ctx, *addr, *metrics, mux)
}

func (o *obvious) descriptor(w http.ResponseWriter, r *http.Request) {
	var text string
	err := o.db.QueryRow(r.Context(), `select document from obvious where id = $1`, r.PathValue("id")).Scan(&text)
	if err != nil {
		http.Error(w, "no such skill", http.StatusNotFound)
		return
	}
	var document map[string]any
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	o.answer(w, r, document)
}

func (o *obvious) index(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	var after string
	if cursor := q.Get("cursor"); cursor != "" {
		after = afterOf(cursor)
	}
	limit := 1 << 30
	if text := q.Get("limit"); text != "" {
		limit, _ = strconv.Atoi(text)
	}
	query, arguments := `select document from obvious where id > $1 order by id limit $2`, []any{after, limit}
	if kind := q.Get("capability_type"); kind != "" {
		query = `select document from obvious where id > $1 and capability_type = $3 order by id limit $2`
		arguments = append(arguments, kind)
	}
	rows, err := o.db.Query(r.Context(), query, arguments...)
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	entries, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (entry protocol.IndexEntry, err error) {
		var text string
		if err := row.Scan(&text); err != nil {
			return entry, err
		}
		err = json.Unmarshal([]byte(text), &entry)
		entry.DescriptorURL = fmt.Sprintf("%s/v1/skills/%s/versions/%s", o.baseURL, entry.ID, entry.Version)
		return entry, err
	})
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	var index obviousIndex
	index.Protocol.Version, index.Provider.Name, index.Skills = protocol.Version, "skillregistry", entries
	o.answer(w, r, index)
}

type obviousIndex struct {
	Protocol struct {
		Version string `json:"version"`
	} `json:"protocol"`
	Provider struct {
		Name string `json:"name"`
	} `json:"provider"`
	Skills []protocol.IndexEntry `json:"skills"`
}

// answer encodes, and compresses where asked; the tag is over what was encoded.
func (o *obvious) answer(w http.ResponseWriter, r *http.Request, v any) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	body.Truncate(body.Len() - 1) // the end of the line
	h := w.Header()
	sum := sha256.Sum256(body.Bytes())
	h.Set("ETag", fmt.Sprintf(`"%x"`, sum[:16]))
	if r.Header.Get("If-None-Match") == h.Get("ETag") {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/json")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		_, _ = z.Write(body.Bytes())
		_ = z.Close()
		return
	}
	h.Set("Content-Length", strconv.Itoa(body.Len()))
	_, _ = w.Write(body.Bytes())
}
