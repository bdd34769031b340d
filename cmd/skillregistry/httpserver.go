package main

import (
	"log/slog"
	"net/http"
	"time"
)

const (
	headerTimeout = 10 * time.Second
	// bodyTimeout is how long the body of a request may take. A whole request gets
	// more, so that it is the handler that answers a slow body.
	bodyTimeout    = 30 * time.Second
	requestTimeout = headerTimeout + bodyTimeout + 20*time.Second
	// idleTimeout is how long a connection may wait for its next request.
	idleTimeout = 2 * time.Minute
	// maxHeader is what the headers of a request may weigh; net/http adds 4 KiB.
	maxHeader = 16 << 10
	// writePatience is how long a reader may take nothing; see impatient.
	writePatience = 30 * time.Second
)

// publicServer is the HTTP server of the public listener: HTTP/1.1, and HTTP/2 without
// TLS for proxies that speak it.
func publicServer(handler http.Handler, log *slog.Logger) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	return &http.Server{
		Handler:           impatient(handler, writePatience),
		Protocols:         protocols,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       requestTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		// OPTIONS * is a request as others are, and answered in the form of all errors.
		DisableGeneralOptionsHandler: true,
		// No WriteTimeout: it would cut off whoever reads a large index slowly. What
		// stalls is cut off by impatient and, where it is the connection, by these.
		HTTP2: &http.HTTP2Config{
			MaxConcurrentStreams: 100,
			SendPingTimeout:      30 * time.Second,
			PingTimeout:          15 * time.Second,
			WriteByteTimeout:     writePatience,
		},
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
}
