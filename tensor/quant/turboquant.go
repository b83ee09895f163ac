package quant

import (
	"fmt"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
)

// turbo is a TurboQuant encoding (TurboQuant, arXiv 2504.19874; QJL, arXiv
// 2406.03482). Its name holds its parameters, in this spelling only:
// "TurboQuantPolar(bits=4,block=128)" or
// "TurboQuantPolarQjl(bits=4,residual=1,block=128)".
//
// A block of n elements, n = block, b = bits, r = residual, g = n/32 groups:
//
//	0                    seed, i32
//	4                    scale of each group, f16
//	4+2*g                codes, b bits each, from the low bit of the first byte up
//	4+2*g+n*b/8          residuals, r bits each, likewise      (Qjl only)
//	4+2*g+n*(b+r)/8      scale of the residuals, f32           (Qjl only)
//
// A code q is stored as q+2^(b-1), or as i8 where b is 8; a residual of more
// than one bit likewise.
//
// Reading: the rotated element is q*scale of its group. In Qjl it grows by
// residual*scale of the residuals; where r is 1, by plus this scale if the bit
// equals that of the stream of seed+1, and by minus it if not. Then the rotation
// is undone: a Walsh-Hadamard transform, every element times 1/sqrt(n) in f32,
// and a minus wherever the stream of seed has 1. rotation.go has both.
//
// Writing: minus signs, transform, then for each group the scale, its largest
// magnitude by m = 2^(b-1)-1, and codes x*(1/scale) rounded to nearest even and
// clamped to -m..m. The residuals of what is then left: of more than one bit,
// codes by scales of their groups, of which only the mean is stored; of one bit,
// a 1 where what is left, negated where the stream of seed+1 has 0, is not
// negative, and the root mean square as the scale.
//
// The fields, their order, the rotation and the arithmetic are of the source
// (TensorEncoding, TurboQuantCodec, RandomRotation, ScalarQuantizer, BitPacker,
// QjlResidual). But it never writes a block to bytes, and its two formulas of
// the size contradict each other. Decided here: fields are little-endian; scales
// are f16 as in TensorEncoding, where the codec in memory holds f32, so they are
// rounded before codes are chosen; the scale of the residuals is stored as f32,
// as the codec's formula has it and TensorEncoding's forgets, so a Qjl block is
// 4 bytes longer than the latter says; block is at least 32, since the source
// gives a shorter one no scale, and at most 4096; elements are whole blocks; Pack
// takes seed 0, the source's default, and PackTurboQuant any.
type turbo struct {
	bits, residual int // residual is 0 without Qjl
	block          int
}

const (
	turboMinBlock, turboMaxBlock = 32, 4096
	turboGroup                   = 32
)

// TurboQuantPolar returns the encoding with codes of 2, 3, 4 or 8 bits and blocks
// of this many elements, a power of two from 32 to 4096. Others are
// ENCODING_UNKNOWN.
func TurboQuantPolar(bits, block int) (Encoding, error) { return turbo{bits, 0, block}.encoding() }

// TurboQuantPolarQjl is TurboQuantPolar with residuals of 1 to 4 bits.
func TurboQuantPolarQjl(bits, residualBits, block int) (Encoding, error) {
	if residualBits == 0 {
		residualBits = -1
	}
	return turbo{bits, residualBits, block}.encoding()
}

func (t turbo) encoding() (Encoding, error) {
	if !t.valid() {
		return NotCarried, errs.New(CodeUnknown, "there is no encoding %s", t.name()).
			Hint("bits is 2, 3, 4 or 8, residual 1 to 4, and block a power of two from %d to %d", turboMinBlock, turboMaxBlock)
	}
	return t.name(), nil
}

func (t turbo) valid() bool {
	bits := t.bits == 2 || t.bits == 3 || t.bits == 4 || t.bits == 8
	block := t.block >= turboMinBlock && t.block <= turboMaxBlock && t.block&(t.block-1) == 0
	return bits && block && t.residual >= 0 && t.residual <= 4
}

func (t turbo) name() Encoding {
	if t.residual == 0 {
		return Encoding(fmt.Sprintf("TurboQuantPolar(bits=%d,block=%d)", t.bits, t.block))
	}
	return Encoding(fmt.Sprintf("TurboQuantPolarQjl(bits=%d,residual=%d,block=%d)", t.bits, t.residual, t.block))
}

func (t turbo) bytes() int {
	n := 4 + 2*(t.block/turboGroup) + t.block*(t.bits+t.residual)/8
	if t.residual > 0 {
		n += 4
	}
	return n
}

// parseTurbo reads a name. Other spellings of a number, and anything behind the
// name, are refused by writing it again.
func parseTurbo(e Encoding) (t turbo, ok bool) {
	if len(e) > 64 {
		return t, false
	}
	if _, err := fmt.Sscanf(string(e), "TurboQuantPolar(bits=%d,block=%d)", &t.bits, &t.block); err != nil {
		_, err = fmt.Sscanf(string(e), "TurboQuantPolarQjl(bits=%d,residual=%d,block=%d)", &t.bits, &t.residual, &t.block)
		if err != nil || t.residual == 0 {
			return t, false
		}
	}
	return t, t.valid() && t.name() == e
}

// turboRows are the rows of the encodings that were asked for; there are 160.
var turboRows sync.Map // of Encoding to *Block

// turboRow returns the row of a TurboQuant encoding.
func turboRow(e Encoding) (*Block, bool) {
	if b, ok := turboRows.Load(e); ok {
		return b.(*Block), true
	}
	t, ok := parseTurbo(e)
	if !ok {
		return nil, false
	}
	b, _ := turboRows.LoadOrStore(e, &Block{
		Encoding: e, GGML: NoGGML, Elements: int64(t.block), Bytes: int64(t.bytes()),
		Doc: fmt.Sprintf("0: seed, i32. 4: %d scales, f16. %d: %d codes of %d bits. Then, with residuals, %d of %d bits each and their scale, f32. "+
			"Value: code times scale, rotated back by the signs of the seed and a Walsh-Hadamard transform.",
			t.block/turboGroup, 4+2*(t.block/turboGroup), t.block, t.bits, t.block, t.residual),
		Source: skainetSource + "tensor.ops.turboquant; the bytes are of this package",
		unpack: t.unpack,
		pack:   func(dst []byte, src []float32) error { return t.pack(dst, src, func(int) int32 { return 0 }) },
	})
	return b.(*Block), true
}

// PackTurboQuant is Pack with a seed for each block, counted from 0. A cache of
// keys takes TurboSeed.
func PackTurboQuant(e Encoding, dst []byte, src []float32, seed func(block int) int32) error {
	t, ok := parseTurbo(e)
	if !ok {
		return errs.New(CodeUnknown, "%s is not a TurboQuant encoding", e)
	}
	b, _ := turboRow(e)
	if err := b.fits(len(src), len(dst)); err != nil {
		return err
	}
	if err := finite(src); err != nil {
		return err
	}
	return t.pack(dst, src, seed)
}
