package catalog

import (
	"bufio"
	"bytes"
	"compress/flate"
	"hash/crc32"
	"io"
	"sync"
)

// piece is a run of bytes that answers are put together from.
type piece struct {
	plain    []byte
	deflater *deflater
	packed   lazy[packed]
}

// packed is a piece in compressed form.
type packed struct {
	// blocks holds the bytes as whole deflate blocks (RFC 1951), none of them final, that
	// end on a byte boundary and refer to nothing before them: any pieces in a row, with a
	// final block behind them, are one valid stream.
	blocks []byte
	crc    uint32
	// shift is what crcAppend needs to know of the length of the plain bytes.
	shift uint32
}

func (p *piece) pack() *packed {
	return p.packed.get(func() *packed {
		return &packed{
			blocks: p.deflater.deflate(p.plain),
			crc:    crc32.ChecksumIEEE(p.plain),
			shift:  crcShift(len(p.plain)),
		}
	})
}

// deflater makes pieces, and has what they are compressed and written with. It may be used
// from many goroutines.
type deflater struct {
	pool    sync.Pool // of *flate.Writer, each of them large
	buffers sync.Pool // of *bufio.Writer
}

func (d *deflater) piece(plain []byte) *piece { return &piece{plain: plain, deflater: d} }

func (d *deflater) deflate(plain []byte) []byte {
	var b bytes.Buffer
	w, _ := d.pool.Get().(*flate.Writer)
	if w == nil {
		// The level is valid, so there is no error; and a bytes.Buffer never fails.
		w, _ = flate.NewWriter(nil, flate.BestSpeed)
	}
	w.Reset(&b)
	_, _ = w.Write(plain)
	_ = w.Flush()
	d.pool.Put(w)
	return bytes.Clone(b.Bytes())
}

// buffer returns a buffer in front of w: to write many small pieces one by one would take a
// call of the system for each.
func (d *deflater) buffer(w io.Writer) *bufio.Writer {
	b, _ := d.buffers.Get().(*bufio.Writer)
	if b == nil {
		return bufio.NewWriterSize(w, 64<<10)
	}
	b.Reset(w)
	return b
}

func (d *deflater) release(b *bufio.Writer) {
	b.Reset(nil)
	d.buffers.Put(b)
}

// crcAppend returns the CRC-32 of a text of checksum a followed by a piece of
// checksum b and the given shift, without a look at either's bytes: in the field of
// polynomials over two elements, appending n bytes multiplies by x^8n.
func crcAppend(a, b, shift uint32) uint32 { return crcMultiply(a, shift) ^ b }

// crcShift returns x^8n modulo the polynomial of CRC-32.
func crcShift(n int) uint32 {
	result, square := uint32(1<<31), uint32(1<<23) // x^0 and x^8, reflected
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = crcMultiply(result, square)
		}
		square = crcMultiply(square, square)
	}
	return result
}

// crcMultiply returns a times b modulo the polynomial of CRC-32, reflected.
func crcMultiply(a, b uint32) uint32 {
	var product uint32
	for bit := uint32(1 << 31); a != 0; bit >>= 1 {
		if a&bit != 0 {
			product ^= b
			a ^= bit
		}
		b = b>>1 ^ crc32.IEEE&-(b&1)
	}
	return product
}
