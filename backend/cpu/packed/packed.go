// Package packed multiplies by matrices that are stored in blocks, such as the
// quantised weights of GGUF files, without unpacking them as a whole: a row, or
// parts of some rows, at a time are unpacked into memory that fits the processor's cache.
//
// Arithmetic is in float32: a product is, bit for bit, what package gemm returns for
// the unpacked matrix. The other operand is quantised only in products of a matrix that
// Int8 returned.
//
// Memory beyond operands and result is at most a row for each task of a product
// with one vector; for more of them, the columns of a tile times 640 elements, and
// what package gemm takes.
//
// # Errors
//
// New returns QUANT_* for an encoding without blocks, or rows that are not whole
// blocks, and PACKED_SHAPE for a wrong number of bytes. Multiply returns PACKED_SHAPE
// for operands of inconsistent sizes; Int8 returns PACKED_INT8 for an encoding without
// integer products.
//
// # Determinism
//
// Results are the same bits for any number of workers; see package gemm for what
// they depend on.
//
// # Untrusted input
//
// Any bytes of the right length are a valid matrix, see package quant; New checks
// the length, and no allocation depends on the bytes.
package packed

import (
	"math"
	"sync"

	"github.com/skainet-dev/skainet-go/backend/cpu/gemm"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// CodeShape is the code of this package.
const CodeShape errs.Code = "PACKED_SHAPE" // sizes and data are inconsistent

// Matrix is a matrix [rows, cols] whose rows are whole blocks of an encoding, one
// row after another: a weight [out, in].
type Matrix struct {
	encoding    quant.Encoding
	block       quant.Block
	rows, cols  int
	data        []byte
	bytesOfARow int
	coder       coder // of Int8
}

// New returns the matrix that data holds. It keeps data, which must not change.
func New(e quant.Encoding, rows, cols int, data []byte) (*Matrix, error) {
	if rows < 0 || cols < 0 {
		return nil, errs.New(CodeShape, "a matrix [%d, %d]", rows, cols)
	}
	n, err := e.Size(int64(cols))
	if err != nil {
		return nil, err
	}
	b, ok := e.Block()
	if !ok {
		return nil, errs.New(CodeShape, "encoding %s has no blocks of its own", e)
	}
	if n > 0 && int64(rows) > math.MaxInt/n || int64(len(data)) != n*int64(rows) {
		return nil, errs.New(CodeShape, "a matrix [%d, %d] in %s, %d bytes per row, has %d bytes", rows, cols, e, n, len(data))
	}
	return &Matrix{encoding: e, block: b, rows: rows, cols: cols, data: data, bytesOfARow: int(n)}, nil
}

// Size returns the number of rows and columns.
func (m *Matrix) Size() (rows, cols int) { return m.rows, m.cols }

// vectorWork is the minimum number of elements of the matrix that a task unpacks.
const vectorWork = 1 << 16

var buffers = sync.Pool{New: func() any { return new([]float32) }}

func buffer(n int) *[]float32 {
	p := buffers.Get().(*[]float32)
	if cap(*p) < n {
		*p = make([]float32, n)
	}
	*p = (*p)[:n]
	return p
}

// Multiply computes c [n, rows] = a [n, cols] times the transpose of m, overwriting
// c: a linear layer for n vectors. c must not share memory with a.
func (m *Matrix) Multiply(c gemm.Result, a gemm.Operand, n int, run gemm.Runner) error {
	if m.coder.read != nil {
		return m.multiplyInt8(c, a, n, run)
	}
	s := gemm.Size{Batch: 1, M: n, N: m.rows, K: m.cols}
	if n == 1 && m.rows > 0 && m.cols > 0 {
		return m.vector(c, a, s, run)
	}
	if err := gemm.MultiplyPacked(c, a, m.pack, s, run); err != nil {
		return errs.Wrap(CodeShape, err, "operands of a product with a matrix [%d, %d]", m.rows, m.cols)
	}
	return nil
}

// vector multiplies one vector: rows are unpacked one by one.
func (m *Matrix) vector(c gemm.Result, a gemm.Operand, s gemm.Size, run gemm.Runner) error {
	if len(c.Data) < m.rows || len(a.Data) == 0 || a.Col < 0 || m.cols > 1 && a.Col > (len(a.Data)-1)/(m.cols-1) {
		return errs.New(CodeShape, "%d elements every %d of %d, a result of %d, for a matrix [%d, %d]",
			m.cols, a.Col, len(a.Data), len(c.Data), m.rows, m.cols)
	}
	x := a.Data[:min(len(a.Data), m.cols)]
	if a.Col != 1 && m.cols > 1 {
		x = make([]float32, m.cols)
		for i := range x {
			x[i] = a.Data[i*a.Col]
		}
	}
	each := max(1, vectorWork/m.cols)
	run((m.rows+each-1)/each, func(task int) {
		if m.fusedRows(fused, c.Data, x, task*each, min((task+1)*each, m.rows)) {
			return
		}
		row := buffer(m.cols)
		defer buffers.Put(row)
		for j := task * each; j < min((task+1)*each, m.rows); j++ {
			m.unpack(*row, m.data[j*m.bytesOfARow:][:m.bytesOfARow])
			c.Data[j] = gemm.Dot(*row, x)
		}
	})
	return nil
}

// pack is a gemm.Pack of the transpose of m: columns are rows of m, whose blocks with
// the depth elements starting at k are unpacked.
func (m *Matrix) pack(dst []float32, width, k, depth, j, cols int) {
	size := int(m.block.Elements)
	first, last := k/size, (k+depth+size-1)/size
	n := (last - first) * size
	part := buffer(cols * n)
	defer buffers.Put(part)
	for q := range cols {
		row := m.data[(j+q)*m.bytesOfARow:][:m.bytesOfARow]
		m.unpack((*part)[q*n:][:n], row[first*int(m.block.Bytes):last*int(m.block.Bytes)])
	}
	gemm.Turn(dst, width, (*part)[k-first*size:], cols, depth, n)
}

func (m *Matrix) unpack(dst []float32, src []byte) {
	if err := quant.Unpack(m.encoding, dst, src); err != nil {
		panic(err) // New has checked the lengths
	}
}
