package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	"github.com/skillregistry/skillregistry/internal/protocol"
)

// lineWriter writes the lines of an export.
type lineWriter struct {
	out    *bufio.Writer
	sum    hash.Hash
	counts Counts
}

func newLineWriter(w io.Writer) *lineWriter {
	return &lineWriter{out: bufio.NewWriterSize(w, 64<<10), sum: sha256.New()}
}

func (w *lineWriter) write(l line) error {
	text, err := protocol.AppendJSON(nil, l)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	w.sum.Write(text)
	w.counts.count(l)
	_, err = w.out.Write(text)
	return err
}

// end writes the last line.
func (w *lineWriter) end() error {
	return w.write(line{End: &endLine{w.counts, hex.EncodeToString(w.sum.Sum(nil))}})
}

// longestLine has room for the largest document that the registry takes, escaped.
const longestLine = 256 << 20

// lineReader reads the lines of an export.
type lineReader struct {
	in     *bufio.Scanner
	sum    hash.Hash
	counts Counts
	// number is of the line that was read last, from 1, and size its length in bytes.
	number, size int
}

func newLineReader(r io.Reader) *lineReader {
	in := bufio.NewScanner(r)
	in.Buffer(nil, longestLine)
	in.Split(wholeLines)
	return &lineReader{in: in, sum: sha256.New()}
}

// wholeLines gives each line with its end, so that one without is seen to have none.
func wholeLines(data []byte, atEOF bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i+1], nil
	}
	if atEOF && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// lineError is what is wrong with a line of an export.
type lineError struct {
	// number is the line's, from 1.
	number int
	err    error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.number, e.err) }

func (e *lineError) Unwrap() error { return e.err }

var errCutOff = errors.New("the file was cut off: its last line, or a part of it, is missing")

// read returns the next line. When it returns the last one, everything is known to be as
// it was written. Its error is a *lineError.
func (r *lineReader) read() (l line, err error) {
	r.number++
	if l, err = r.next(); err != nil {
		return line{}, &lineError{r.number, err}
	}
	return l, nil
}

func (r *lineReader) next() (l line, err error) {
	if !r.in.Scan() {
		switch err := r.in.Err(); {
		case err == nil:
			return line{}, errCutOff
		case errors.Is(err, bufio.ErrTooLong):
			return line{}, fmt.Errorf("it is longer than %d MiB", longestLine>>20)
		default:
			return line{}, err
		}
	}
	text := r.in.Bytes()
	if r.size = len(text); text[r.size-1] != '\n' {
		return line{}, errCutOff
	}
	if err := protocol.DecodeStrict(text, 0, &l); err != nil {
		return line{}, err
	}
	switch {
	case r.number == 1 && l.Registry == nil:
		return line{}, errNoExport
	case l.kinds() != 1 || r.number > 1 && l.Registry != nil:
		return line{}, errors.New("this is none of the lines that an export has")
	case l.End != nil:
		return l, r.end(*l.End)
	case l.Registry != nil:
		err = l.Registry.check()
	}
	r.sum.Write(text)
	r.counts.count(l)
	return l, err
}

// end compares the last line with those before it.
func (r *lineReader) end(end endLine) error {
	if end.Counts != r.counts {
		return fmt.Errorf("the file has %v, where it says that it has %v", r.counts, end.Counts)
	}
	if end.SHA256 != hex.EncodeToString(r.sum.Sum(nil)) {
		return errors.New("the file is not as it was written: its SHA-256 is another")
	}
	if r.in.Scan() {
		return errors.New("something stands behind what has to be the last line")
	}
	return r.in.Err()
}
