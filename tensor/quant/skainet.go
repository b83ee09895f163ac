package quant

import (
	"encoding/binary"
	"math"

	"github.com/skainet-dev/skainet-go/errs"
)

// SKaiNET's own encodings. SKaiNET defines them by its sources (engine 0.54:
// TensorEncoding, TernaryCodec, I8Absmax and the package turboquant, all in
// skainet-lang-core) and not by a file format, so where the sources leave bytes
// open or contradict themselves, the layouts here say what was decided. The
// names are those of the sources, not of their reports ("BitNet-b1.58").
const (
	// TernaryPacked stores -1, 0 and +1; their scale is kept elsewhere.
	TernaryPacked Encoding = "TernaryPacked"
	// BitNetB158 stores -1, 0 and +1 times one scale of the tensor.
	BitNetB158 Encoding = "BITNET_B1_58"
	// BitNetPlanes stores eight ternary digits an element and a scale a row.
	// It needs the length of a row: see UnpackRows.
	BitNetPlanes Encoding = "BITNET_PLANES"
	// DenseI8AbsMax stores a byte an element and a scale a row. It needs the
	// length of a row: see UnpackRows.
	DenseI8AbsMax Encoding = "DENSE_I8_ABSMAX"
)

const skainetSource = "SKaiNET 0.54, skainet-lang-core, sk.ainet.lang."

var skainetBlocks = []Block{
	{
		Encoding: TernaryPacked, GGML: NoGGML, Elements: 4, Bytes: 1, short: true, unpack: unpackTernary, pack: packTernary,
		Doc: "0: code of element i in bits 2*i and 2*i+1. Value code-1: -1, 0, +1. The scale is not in the bytes. " +
			"The last byte may hold fewer elements; its other bits are written 0 and not read. " +
			"Decided here: code 3, which nobody writes, is +2; the source's comment says +1, its code +2.",
		Source: skainetSource + "tensor.data.Ternary2BitTensorData",
	},
	{
		Encoding: BitNetB158, GGML: NoGGML, Elements: 4, Bytes: 1, short: true, tail: 4, unpack: unpackBitNet, pack: packBitNet,
		Doc: "Codes of the whole tensor as in TernaryPacked, then the scale s of the tensor, f32, at the next byte, aligned or not. Value (code-1)*s. " +
			"Written with s the mean magnitude, summed in f64, and codes x*(1/s) rounded to nearest even and clamped. " +
			"Decided here: where 1/s is infinite every code is that of 0.",
		Source: skainetSource + "memory.TernaryCodec (encodeBitNet, decodeBitNet)",
	},
}

// NeedsWholeTensor reports whether a tensor in this encoding must be unpacked and packed at
// once, because something is stored for all of it; others can be streamed in
// pieces of whole blocks.
func (e Encoding) NeedsWholeTensor() bool {
	b, ok := e.lookup()
	return ok && b.tail > 0 || e.scalesRows()
}

// trit returns the value of element i.
func trit(src []byte, i int) float32 { return float32(src[i/4]>>(i%4*2)&3) - 1 }

func unpackTernary(dst []float32, src []byte) error {
	for i := range dst {
		dst[i] = trit(src, i)
	}
	return nil
}

func packTernary(dst []byte, src []float32) error {
	clear(dst)
	for i, v := range src {
		if v != -1 && v != 0 && v != 1 {
			return errs.New(CodeBadValue, "element %d is %v, and %s holds only -1, 0 and 1", i, v, TernaryPacked).
				Hint("divide by the scale first, or use %s, which has one", BitNetB158)
		}
		dst[i/4] |= uint8(int8(v)+1) << (i % 4 * 2)
	}
	return nil
}

func unpackBitNet(dst []float32, src []byte) error {
	s := math.Float32frombits(binary.LittleEndian.Uint32(src[len(src)-4:]))
	for i := range dst {
		dst[i] = trit(src, i) * s
	}
	return nil
}

func packBitNet(dst []byte, src []float32) error {
	var sum float64
	for _, v := range src {
		sum += float64(abs(v))
	}
	var s float32
	if len(src) > 0 {
		s = float32(sum / float64(len(src)))
	}
	clear(dst)
	inv := inverse(s)
	for i, v := range src {
		dst[i/4] |= uint8(clampRound(float32(v*inv), 1)+1) << (i % 4 * 2)
	}
	binary.LittleEndian.PutUint32(dst[len(dst)-4:], math.Float32bits(s))
	return nil
}

// clampRound rounds to nearest even and limits the result to -top..top. Large f,
// infinities included, are limited too; f is no NaN.
func clampRound(f float32, top int32) int32 {
	switch {
	case f >= float32(top):
		return top
	case f <= float32(-top):
		return -top
	}
	return nearest(f)
}
