package catalog

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"iter"
	"slices"
	"sync"
)

// Entity is the body of one answer, in both its encodings. It is put together from
// pieces while it is written and never stands in memory as a whole.
type Entity struct {
	tag     string
	size    int64 // of the plain bytes
	pieces  iter.Seq[*piece]
	buffers *sync.Pool // of *bufio.Writer; nil for an entity of one piece
}

// A gzip member (RFC 1952) of no name and no time; its last block, empty; and the
// lengths of the two and of the trailer behind them.
const (
	gzipHeader   = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
	finalBlock   = "\x03\x00"
	gzipOverhead = len(gzipHeader) + len(finalBlock) + 8
)

// ETag returns the strong entity tag of the bytes in the given encoding, in quotes.
func (e *Entity) ETag(gzip bool) string {
	if gzip {
		return `"` + e.tag + `-gzip"`
	}
	return `"` + e.tag + `"`
}

// Len returns how many bytes WriteTo writes in the given encoding.
func (e *Entity) Len(gzip bool) int64 {
	if !gzip {
		return e.size
	}
	size := int64(gzipOverhead)
	for p := range e.pieces {
		size += int64(len(p.pack().blocks))
	}
	return size
}

// WriteTo writes the bytes, as one gzip member where asked, and returns the first
// error of w.
func (e *Entity) WriteTo(w io.Writer, gzip bool) error {
	if e.buffers != nil {
		buffer, _ := e.buffers.Get().(*bufio.Writer)
		if buffer == nil {
			buffer = bufio.NewWriterSize(nil, 64<<10)
		}
		buffer.Reset(w)
		defer func() {
			buffer.Reset(nil)
			e.buffers.Put(buffer)
		}()
		if err := e.write(buffer, gzip); err != nil {
			return err
		}
		return buffer.Flush()
	}
	return e.write(w, gzip)
}

func (e *Entity) write(w io.Writer, gzip bool) error {
	if !gzip {
		for p := range e.pieces {
			if _, err := w.Write(p.plain); err != nil {
				return err
			}
		}
		return nil
	}
	if _, err := io.WriteString(w, gzipHeader); err != nil {
		return err
	}
	var crc uint32
	for p := range e.pieces {
		k := p.pack()
		if _, err := w.Write(k.blocks); err != nil {
			return err
		}
		crc = crcAppend(crc, k.crc, k.shift)
	}
	trailer := append(make([]byte, 0, len(finalBlock)+8), finalBlock...)
	trailer = binary.LittleEndian.AppendUint32(trailer, crc)
	trailer = binary.LittleEndian.AppendUint32(trailer, uint32(e.size))
	_, err := w.Write(trailer)
	return err
}

// single returns the entity of one piece. An empty tag stands for the hash of the bytes.
func single(p *piece, tag string) *Entity {
	if tag == "" {
		hash := sha256.Sum256(p.plain)
		tag = hex.EncodeToString(hash[:16])
	}
	return &Entity{tag: tag, size: int64(len(p.plain)), pieces: slices.Values([]*piece{p})}
}
