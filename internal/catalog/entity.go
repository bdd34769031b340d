package catalog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"sync/atomic"
)

// Entity is the body of one answer, in both its encodings. It is put together from
// pieces while it is written and never stands in memory as a whole.
type Entity struct {
	tag    string   // in quotes
	size   int64    // of the plain bytes
	pieces []*piece // one at least
	packed atomic.Int64
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
		return e.tag[:len(e.tag)-1] + `-gzip"`
	}
	return e.tag
}

// Len returns how many bytes WriteTo writes in the given encoding.
func (e *Entity) Len(gzip bool) int64 {
	if !gzip {
		return e.size
	}
	size := e.packed.Load()
	if size == 0 {
		size = int64(gzipOverhead)
		for _, p := range e.pieces {
			size += int64(len(p.pack().blocks))
		}
		e.packed.Store(size)
	}
	return size
}

// WriteTo writes the bytes, as one gzip member where asked, and returns the first
// error of w.
func (e *Entity) WriteTo(w io.Writer, gzip bool) error {
	if !gzip && len(e.pieces) == 1 {
		_, err := w.Write(e.pieces[0].plain)
		return err
	}
	d := e.pieces[0].deflater
	buffer := d.buffer(w)
	defer d.release(buffer)
	if !gzip {
		for _, p := range e.pieces {
			if _, err := buffer.Write(p.plain); err != nil {
				return err
			}
		}
		return buffer.Flush()
	}
	_, _ = buffer.WriteString(gzipHeader)
	var crc uint32
	for _, p := range e.pieces {
		k := p.pack()
		if _, err := buffer.Write(k.blocks); err != nil {
			return err
		}
		crc = crcAppend(crc, k.crc, k.shift)
	}
	_, _ = buffer.WriteString(finalBlock)
	trailer := binary.LittleEndian.AppendUint32(buffer.AvailableBuffer(), crc)
	_, _ = buffer.Write(binary.LittleEndian.AppendUint32(trailer, uint32(e.size)))
	return buffer.Flush()
}

// single returns the entity of one piece. An empty name stands for the hash of the bytes.
func single(p *piece, name string) *Entity {
	tag := `"` + name + `"`
	if name == "" {
		hash := sha256.Sum256(p.plain)
		tag = newTag(hash[:])
	}
	return &Entity{tag: tag, size: int64(len(p.plain)), pieces: []*piece{p}}
}

// newTag returns the tag that half of a hash makes.
func newTag(hash []byte) string { return `"` + hex.EncodeToString(hash[:sha256.Size/2]) + `"` }
