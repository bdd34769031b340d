package main

import (
	"errors"
	"net/http"
	"time"
)

// stretch is how many bytes a reader has to take within the patience of impatient.
const stretch = 64 << 10

// impatient cuts off clients that stop reading: each stretch of an answer has to be
// taken within the patience. A slow reader gets as long as an answer needs, one that
// stands still holds nothing for ever.
func impatient(next http.Handler, patience time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&impatientWriter{
			ResponseWriter: w,
			connection:     *http.NewResponseController(w),
			patience:       patience,
		}, r)
	})
}

type impatientWriter struct {
	http.ResponseWriter
	connection http.ResponseController
	patience   time.Duration
}

func (w *impatientWriter) Write(p []byte) (written int, err error) {
	for {
		part := p[:min(len(p), stretch)]
		if err := w.connection.SetWriteDeadline(time.Now().Add(w.patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return written, err
		}
		n, err := w.ResponseWriter.Write(part)
		written += n
		if p = p[n:]; err != nil || len(p) == 0 {
			return written, err
		}
	}
}

// Unwrap is for http.ResponseController.
func (w *impatientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
