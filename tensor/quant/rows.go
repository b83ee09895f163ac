package quant

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeNeedsRows is the size or the elements of an encoding that stores
// something for each row, asked for without the length of a row.
const CodeNeedsRows errs.Code = "QUANT_NEEDS_ROWS"

// rowLayout is an encoding whose scales belong to rows and lie behind the codes
// of the whole matrix, so neither elements nor rows are whole blocks of bytes.
//
// BITNET_PLANES of [R, C], C a multiple of 4:
//
//	p*R*C/4 + r*C/4 + c/4   digit p of element [r, c] in bits 2*(c%4) and up, p 0..7
//	8*R*C/4 + 2*r           scale s of row r, f16
//
// Value s * sum over p of (digit-1)*w(p), summed from p = 0, where w(0) is 1 and
// w(p+1) = w(p)/3 in f32. Written with s the row's largest magnitude, rounded to
// f16; then, of v = x*(1/s), digit by digit, t is the sign of v where |v| > 0.5
// and else 0, and v becomes (v-t)*3. Defined by TernaryCodec.encodeBitNetPlanes.
// Decided here: where 1/s is infinite all digits are 0; a scale above the
// largest f16 is refused.
//
// DENSE_I8_ABSMAX of [R, C]:
//
//	r*C + c                 code of element [r, c], i8
//	R*C + 4*r               scale s of row r, f32, aligned or not
//
// Value code*s. Written with s the row's largest magnitude by 127, and codes
// x*(1/s) rounded to nearest, halves up, and clamped to -127..127. Defined by
// I8Absmax.requantize. Decided here: where 1/s is infinite every code is 0.
type rowLayout struct {
	multiple int64 // of elements that a row must be
	size     func(rows, cols uint64) (lo, hi uint64)
	unpack   func(dst []float32, src []byte, rows, cols int)
	pack     func(dst []byte, src []float32, rows, cols int) error
}

var rowLayouts = map[Encoding]*rowLayout{
	BitNetPlanes: {
		multiple: 4,
		size:     func(rows, cols uint64) (uint64, uint64) { return mulHi(rows, planes*(cols/4)+2) },
		unpack:   unpackPlanes, pack: packPlanes,
	},
	DenseI8AbsMax: {
		multiple: 1,
		size:     func(rows, cols uint64) (uint64, uint64) { return mulHi(rows, cols+4) },
		unpack:   unpackI8, pack: packI8,
	},
}

func mulHi(a, b uint64) (lo, hi uint64) { hi, lo = bits.Mul64(a, b); return lo, hi }

// scalesRows says whether the encoding needs the length of a row.
func (e Encoding) scalesRows() bool { _, ok := rowLayouts[e]; return ok }

// needsRows is the error of a function that does not have it.
func (e Encoding) needsRows() error {
	return errs.New(CodeNeedsRows, "%s stores a scale for each row, and the length of a row is not given", e).
		Hint("use SizeRows, UnpackRows or PackRows")
}

// SizeRows returns the stored bytes of a [rows, cols] tensor: of more dimensions,
// cols is the last one. It knows every encoding that Size knows and those that
// store something for each row. Errors as of Size.
func (e Encoding) SizeRows(rows, cols int64) (int64, error) {
	l, ok := rowLayouts[e]
	if rows < 0 || cols < 0 || ok && cols%l.multiple != 0 {
		return 0, errs.New(CodeBadLength, "%d rows of %d elements cannot be stored in %s", rows, cols, e).
			Hint("use an encoding whose block divides the row")
	}
	if !ok {
		return e.sizeOfRows(rows, cols)
	}
	lo, hi := l.size(uint64(rows), uint64(cols))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, errs.New(CodeBadLength, "%d rows of %d elements in %s take more than 2^63 bytes", rows, cols, e)
	}
	return int64(lo), nil
}

// sizeOfRows is SizeRows of an encoding of blocks: rows are whole blocks, unless
// a byte may hold the end of one row and the start of the next.
func (e Encoding) sizeOfRows(rows, cols int64) (int64, error) {
	if b, ok := e.lookup(); !ok || !b.short {
		if _, err := e.Size(cols); err != nil {
			return 0, err
		}
	}
	hi, lo := bits.Mul64(uint64(rows), uint64(cols))
	if hi != 0 || lo > math.MaxInt64 {
		return 0, errs.New(CodeBadLength, "%d rows of %d elements are more than 2^63", rows, cols)
	}
	return e.Size(int64(lo))
}

// UnpackRows is Unpack of whole rows of cols elements: dst holds them one after
// the other, src all bytes of these rows. It knows the encodings that store
// something for each row too; of those src is the whole tensor.
func UnpackRows(e Encoding, dst []float32, src []byte, cols int) error {
	rows, err := e.fitRows(len(dst), len(src), cols)
	if err != nil {
		return err
	}
	if l, ok := rowLayouts[e]; ok {
		l.unpack(dst, src, rows, cols)
		return nil
	}
	return Unpack(e, dst, src)
}

// PackRows is Pack of whole rows of cols elements, as UnpackRows is Unpack.
func PackRows(e Encoding, dst []byte, src []float32, cols int) error {
	rows, err := e.fitRows(len(src), len(dst), cols)
	if err != nil {
		return err
	}
	l, ok := rowLayouts[e]
	if !ok {
		return Pack(e, dst, src)
	}
	if err := finite(src); err != nil {
		return err
	}
	return l.pack(dst, src, rows, cols)
}

func (e Encoding) fitRows(elements, bytes, cols int) (rows int, err error) {
	if cols < 1 || elements%cols != 0 {
		return 0, errs.New(CodeBadLength, "%d elements are not a multiple of the row length %d", elements, cols)
	}
	rows = elements / cols
	want, err := e.SizeRows(int64(rows), int64(cols))
	if err != nil {
		return 0, err
	}
	if want != int64(bytes) {
		return 0, errs.New(CodeBadLength, "%d rows of %d elements in %s take %d bytes, not %d", rows, cols, e, want, bytes)
	}
	return rows, nil
}

// planes is the number of digits of BITNET_PLANES.
const planes = 8

// planeWeights are 1, 1/3, ... as repeated division gives them.
var planeWeights = func() (w [planes]float32) {
	w[0] = 1
	for p := 1; p < planes; p++ {
		w[p] = w[p-1] / 3
	}
	return w
}()

func unpackPlanes(dst []float32, src []byte, rows, cols int) {
	plane := rows * (cols / 4)
	for i := range dst {
		var sum float32
		for p, w := range planeWeights {
			// A row is whole bytes, so element i is at i/4 of each plane.
			sum += float32(trit(src[p*plane:], i) * w)
		}
		r := planes*plane + 2*(i/cols)
		dst[i] = sum * half(src[r], src[r+1])
	}
}

func packPlanes(dst []byte, src []float32, rows, cols int) error {
	plane := rows * (cols / 4)
	clear(dst)
	for r := range rows {
		at := dst[planes*plane+2*r:]
		row := src[r*cols : r*cols+cols]
		if err := putScale(at, largest(row), r*cols); err != nil {
			return err
		}
		inv := inverse(half(at[0], at[1]))
		for c, x := range row {
			v := float32(x * inv)
			for p := range planes {
				var t float32
				if v > 0.5 {
					t = 1
				} else if v < -0.5 {
					t = -1
				}
				dst[p*plane+r*(cols/4)+c/4] |= uint8(int8(t)+1) << (c % 4 * 2)
				v = (v - t) * 3
			}
		}
	}
	return nil
}

func unpackI8(dst []float32, src []byte, _, cols int) {
	for i := range dst {
		s := binary.LittleEndian.Uint32(src[len(dst)+4*(i/cols):])
		dst[i] = float32(int8(src[i])) * math.Float32frombits(s)
	}
}

func packI8(dst []byte, src []float32, rows, cols int) error {
	for r := range rows {
		row := src[r*cols : r*cols+cols]
		s := largest(row) / 127
		inv := inverse(s)
		for c, x := range row {
			code := math.Floor(float64(float32(x*inv)) + 0.5) // exact in float64
			dst[r*cols+c] = uint8(int8(max(-127, min(127, code))))
		}
		binary.LittleEndian.PutUint32(dst[len(src)+4*r:], math.Float32bits(s))
	}
	return nil
}
