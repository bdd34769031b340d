package main

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/skillregistry/skillregistry/internal/store/storetest"
)

func TestTheRegistrySpeaksHTTP2WithoutTLS(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t), "--publish-dir", "../../examples")
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Get(r.url + "/.well-known/skills")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.ProtoMajor != 2 || answer.StatusCode != http.StatusOK {
		t.Errorf("got %s, status %d and error %v, want HTTP/2 and 200", answer.Proto, answer.StatusCode, err)
	}
	// The open connection must not keep the registry from stopping.
	if status := r.stop(); status != statusOK {
		t.Errorf("got exit status %d, want 0", status)
	}
}

func TestAReaderThatStandsStillIsCutOffAndASlowOneIsNot(t *testing.T) {
	t.Parallel()
	const patience = 300 * time.Millisecond
	answer := bytes.Repeat([]byte("x"), 8<<20) // more than the buffers between the two hold
	wrote := make(chan error, 2)
	server := httptest.NewServer(impatient(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write(answer)
		wrote <- err
	}), patience))
	defer server.Close()

	dial := func() net.Conn {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.(*net.TCPConn).SetReadBuffer(64 << 10); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		return c
	}
	still := dial()
	defer still.Close()
	select {
	case err := <-wrote:
		if err == nil {
			t.Error("all of it was written to a reader that takes nothing: the test proves nothing")
		}
	case <-time.After(20 * patience):
		t.Fatal("a reader that takes nothing still holds the answer")
	}

	slow := dial()
	defer slow.Close()
	begun, read := time.Now(), 0
	buffer := make([]byte, 512<<10)
	for {
		n, err := io.ReadFull(slow, buffer)
		read += n
		if err != nil {
			break
		}
		time.Sleep(patience / 6)
	}
	if took := time.Since(begun); read < len(answer) || took < 2*patience {
		t.Errorf("a slow reader got %d bytes in %v, want all %d in much more than %v", read, took, len(answer), patience)
	}
	if err := <-wrote; err != nil {
		t.Errorf("writing to a slow reader: %v", err)
	}
}

// What net/http answers itself comes before any handler, and is as SECURITY.md says.
func TestRequestsThatNoHandlerSeesAreAnsweredInShort(t *testing.T) {
	t.Parallel()
	r := bootOn(t, storetest.SQLite(t))
	for _, c := range []struct {
		request string
		status  int
		body    string
	}{
		{"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400, "400 Bad Request"},
		{"GET / HTTP/1.1\r\n\r\n", 400, "400 Bad Request: missing required Host header"},
		{"GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 64<<10) + "\r\n\r\n", 431, "431 Request Header Fields Too Large"},
		{"POST / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nContent-Length: 0\r\n\r\n", 417, ""},
		{"GET / HTTP/9.9\r\nHost: a\r\n\r\n", 505, "505 HTTP Version Not Supported: unsupported protocol version"},
		{"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: wonders\r\n\r\n", 501, "Unsupported transfer encoding"},
		{"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 404, `"code":"NOT_FOUND"`},
	} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		go func() { _, _ = io.WriteString(conn, c.request) }()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("%.60q: %v", c.request, err)
			continue
		}
		body, _ := io.ReadAll(answer.Body)
		if answer.StatusCode != c.status || !strings.Contains(string(body), c.body) {
			t.Errorf("%.60q: got status %d and %.200q, want %d and %q", c.request, answer.StatusCode, body, c.status, c.body)
		}
	}
}
