package quant_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// oracle is testdata/oracle.json: sums of what gguf and libgguf, which are not
// ours, make of inputs that this file makes again. testdata/oracle.py wrote it.
type oracle struct {
	Elements                               int
	Unpack, Special, Pack, Grids, Versions map[string]json.RawMessage
	Halves                                 json.RawMessage
}

func (o *oracle) sum(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var s struct {
		By     []string
		SHA256 string
	}
	require.NoError(t, json.Unmarshal(raw, &s))
	require.NotEmpty(t, s.By)
	return s.SHA256
}

func readOracle(t *testing.T) *oracle {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "oracle.json"))
	require.NoError(t, err)
	var o oracle
	require.NoError(t, json.Unmarshal(raw, &o))
	return &o
}

// highBytes are the offsets of the high bytes of a block's f16 scales (of Q8_K,
// of its f32).
var highBytes = map[quant.Encoding][]int{
	"Q4_0": {1}, "Q4_1": {1, 3}, "Q5_0": {1}, "Q5_1": {1, 3}, "Q8_0": {1}, "Q8_1": {1, 3}, "Q1_0": {1},
	"Q2_K": {81, 83}, "Q3_K": {109}, "Q4_K": {1, 3}, "Q5_K": {1, 3}, "Q6_K": {209}, "Q8_K": {3},
	"IQ1_S": {1}, "IQ1_M": {55}, "IQ2_XXS": {1}, "IQ2_XS": {1}, "IQ2_S": {1}, "IQ3_XXS": {1}, "IQ3_S": {1},
	"IQ4_NL": {1}, "IQ4_XS": {1}, "TQ1_0": {53}, "TQ2_0": {65}, "MXFP4": {}, "NVFP4": {},
}

// splitmix is the generator that oracle.py has.
type splitmix uint64

func (s *splitmix) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *splitmix) fill(b []byte) []byte {
	for i := 0; i < len(b); i += 8 {
		var w [8]byte
		binary.LittleEndian.PutUint64(w[:], s.next())
		copy(b[i:], w[:])
	}
	return b
}

func finiteBlocks(b quant.Block, elements int64) []byte {
	seed := splitmix(b.GGML)
	src := seed.fill(make([]byte, elements/b.Elements*b.Bytes))
	for at := 0; at < len(src); at += int(b.Bytes) {
		for _, high := range highBytes[b.Encoding] {
			src[at+high] &= 0xbf
		}
	}
	return src
}

func specialBlocks(b quant.Block) []byte {
	seed := splitmix(1000 + b.GGML)
	src := seed.fill(make([]byte, 64*b.Bytes))
	for i := range 64 {
		for _, high := range highBytes[b.Encoding] {
			block := src[i*int(b.Bytes):]
			block[high], block[high-1] = byte(4*i+3), []byte{0, 255}[i%2]
		}
	}
	return src
}

// digest returns the SHA-256 of floats, with one pattern for every NaN.
func digest(y []float32) string {
	raw := make([]byte, 0, 4*len(y))
	for _, v := range y {
		bits := math.Float32bits(v)
		if v != v {
			bits = 0x7fc00000
		}
		raw = binary.LittleEndian.AppendUint32(raw, bits)
	}
	return digestBytes(raw)
}

func digestBytes(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// ggmlBlocks lists the block types of GGUF, which are those of the oracle.
func ggmlBlocks() []quant.Block {
	return slices.DeleteFunc(quant.All(), func(b quant.Block) bool { return b.GGML == quant.NoGGML })
}

func TestUnpackAgainstOracle(t *testing.T) {
	o := readOracle(t)
	require.Len(t, o.Unpack, len(ggmlBlocks()))
	require.Len(t, o.Special, len(ggmlBlocks()))
	require.Equal(t, 1<<20, o.Elements)
	for _, b := range ggmlBlocks() {
		t.Run(string(b.Encoding), func(t *testing.T) {
			src := finiteBlocks(b, int64(o.Elements))
			dst := make([]float32, o.Elements)
			require.NoError(t, quant.Unpack(b.Encoding, dst, src))
			require.Equal(t, o.sum(t, o.Unpack[string(b.Encoding)]), digest(dst), "finite scales")

			src = specialBlocks(b)
			dst = make([]float32, 64*b.Elements)
			require.NoError(t, quant.Unpack(b.Encoding, dst, src))
			require.Equal(t, o.sum(t, o.Special[string(b.Encoding)]), digest(dst), "any scales")
		})
	}
}

// oracleElements makes the elements that oracle.py packs.
func oracleElements(n int) []float32 {
	x := make([]float32, n)
	u, e := splitmix(1), splitmix(2)
	for at := 0; at < n; at += 256 {
		scale := math.Ldexp(1, int(e.next()%25)-12)
		for i := range 256 {
			r := u.next()
			uniform := float64(r>>40)/(1<<23) - 1
			var v float64
			switch at / 256 % 4 {
			case 0:
				v = uniform
			case 1:
				v = (float64(r%33) - 16) / 4
			case 2:
				if r%8 == 0 {
					v = uniform
				}
			case 3:
				v = float64(int64(r&0xffff+r>>16&0xffff+r>>32&0xffff+r>>48)-131070) / (1 << 17)
			}
			x[at+i] = float32(v * scale)
		}
	}
	clear(x[:256])
	return x
}

func TestPackAgainstOracle(t *testing.T) {
	o := readOracle(t)
	x := oracleElements(o.Elements)
	for _, name := range []quant.Encoding{"Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "TQ1_0", "TQ2_0", "MXFP4"} {
		t.Run(string(name), func(t *testing.T) {
			n, err := name.Size(int64(len(x)))
			require.NoError(t, err)
			dst := make([]byte, n)
			require.True(t, quant.CanPack(name))
			require.NoError(t, quant.Pack(name, dst, x))
			require.Equal(t, o.sum(t, o.Pack[string(name)]), digestBytes(dst))
		})
	}
	t.Run("MXFP4 edges", func(t *testing.T) {
		x := make([]float32, 253*8*32)
		for i := range 253 * 8 {
			x[32*i+5] = math.Float32frombits(uint32(i/8+2)<<23 - uint32(i%8))
		}
		dst := make([]byte, len(x)/32*17)
		require.NoError(t, quant.Pack("MXFP4", dst, x))
		require.Equal(t, o.sum(t, o.Pack["MXFP4 edges"]), digestBytes(dst))
	})
}

// TestNarrowAgainstOracle is about the dense halves of GGUF, whose conversions
// are in tensor: every finite pattern of a made sequence.
func TestNarrowAgainstOracle(t *testing.T) {
	o := readOracle(t)
	seed := splitmix(3)
	raw := seed.fill(make([]byte, 4*o.Elements))
	var f16, bf16 []byte
	for i := 0; i < len(raw); i += 4 {
		bits := binary.LittleEndian.Uint32(raw[i:])
		if v := math.Float32frombits(bits); bits&0x7f800000 != 0x7f800000 {
			f16 = binary.LittleEndian.AppendUint16(f16, tensor.F32ToF16(v))
			bf16 = binary.LittleEndian.AppendUint16(bf16, tensor.F32ToBF16(v))
		}
	}
	require.Equal(t, o.sum(t, o.Pack["F16"]), digestBytes(f16))
	require.Equal(t, o.sum(t, o.Pack["BF16"]), digestBytes(bf16))

	halves := make([]float32, 65536)
	for h := range halves {
		halves[h] = tensor.F16ToF32(uint16(h))
	}
	require.Equal(t, o.sum(t, o.Halves), digest(halves))
}
