package quant

import (
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// CanPack says whether Pack can write the encoding, or PackRows where it needs
// the length of a row.
func CanPack(e Encoding) bool {
	b, ok := e.lookup()
	return ok && b.pack != nil || e.scalesRows()
}

// Pack writes the blocks of the elements src to dst, which is exactly as long
// as they are. Elements must be finite, and so must be the scales of their
// blocks; after an error dst holds anything. The slices must not overlap.
//
// The codes are those of ggml's reference, bit for bit, save where that divides
// by a scale whose reciprocal overflows: then every code is the one of zero. The
// stored scale is zero there, so the elements are zeros whatever the codes.
func Pack(e Encoding, dst []byte, src []float32) error {
	b, err := e.row()
	if err != nil {
		return err
	}
	if b.pack == nil {
		return errs.New(CodeNoPacker, "%s can be read but not written", e).Hint("use Q8_0, Q4_0 or Q4_K")
	}
	if err := b.fits(len(src), len(dst)); err != nil {
		return err
	}
	if err := finite(src); err != nil {
		return err
	}
	return b.pack(dst, src)
}

// finite checks that no element is an infinity or NaN.
func finite(src []float32) error {
	for i, v := range src {
		if math.Float32bits(v)&0x7f800000 == 0x7f800000 {
			return errs.New(CodeBadValue, "element %d is %g, and block encodings hold finite elements only", i, v).
				Hint("find where the tensor got it, or keep it in f32, f16 or bf16")
		}
	}
	return nil
}

// putScale stores a block's scale as f16. The block starts at element at.
func putScale(b []byte, d float32, at int) error {
	h := toHalf(d)
	if h&0x7c00 == 0x7c00 {
		return errs.New(CodeBadValue, "the scale of the block at element %d is %g, above the largest f16", at, d).
			Hint("scale the tensor down, or keep it in f32 or bf16")
	}
	b[0], b[1] = byte(h), byte(h>>8)
	return nil
}

// inverse returns 1/d, and 0 where that is not a finite number.
func inverse(d float32) float32 {
	if r := 1 / d; abs(r) <= math.MaxFloat32 {
		return r
	}
	return 0
}

func abs(f float32) float32 { return math.Float32frombits(math.Float32bits(f) &^ (1 << 31)) }

// largest returns the largest magnitude.
func largest(x []float32) float32 {
	var m float32
	for _, v := range x {
		m = max(m, abs(v))
	}
	return m
}

// awayFromZero rounds to an integer, halves away from zero. |f| is below 2^31.
func awayFromZero(f float32) int32 {
	n := int32(f)
	// f-n is exact, and its magnitude is below 1. f must not be fused with the
	// product that it may be in the caller.
	switch rest := float32(f) - float32(n); {
	case rest >= 0.5:
		return n + 1
	case rest <= -0.5:
		return n - 1
	}
	return n
}
