package hlo

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// parse reads a float literal like the compiler: hexadecimal is the bits of
// the element type, a decimal is read as a double and then rounded.
func parse(t *testing.T, d dtype.DType, text string) uint64 {
	t.Helper()
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		require.Len(t, digits, d.Bits()/4, text)
		bits, err := strconv.ParseUint(digits, 16, 64)
		require.NoError(t, err)
		return bits
	}
	require.Contains(t, text, ".", "a float literal without a decimal point is an integer")
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	switch d {
	case dtype.F64:
		return math.Float64bits(v)
	case dtype.F32:
		return uint64(math.Float32bits(float32(v)))
	case dtype.F16:
		return uint64(tensor.F32ToF16(float32(v)))
	}
	return uint64(tensor.F32ToBF16(float32(v)))
}

func TestFloatLiteralsAreExact(t *testing.T) {
	check := func(d dtype.DType, bits uint64, v float64) {
		t.Helper()
		text := element(d, binary.LittleEndian.AppendUint64(nil, bits)[:d.Bits()/8])
		back := parse(t, d, text)
		if v != v {
			require.True(t, strings.HasPrefix(text, "0x"), "NaN has no decimal form: %s", text)
		}
		require.Equal(t, bits, back, "%s of %s", d, text)
	}
	for h := range uint64(1 << 16) {
		check(dtype.F16, h, float64(tensor.F16ToF32(uint16(h))))
		check(dtype.BF16, h, float64(tensor.BF16ToF32(uint16(h))))
	}
	r := rand.New(rand.NewPCG(1, 2))
	singles := []uint32{0, 1 << 31, 1, 1<<31 | 1, 0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x00800000, 0x3DCCCCCD}
	doubles := []uint64{0, 1 << 63, 1, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000}
	for range 20000 {
		singles, doubles = append(singles, r.Uint32()), append(doubles, r.Uint64())
	}
	for _, b := range singles {
		check(dtype.F32, uint64(b), float64(math.Float32frombits(b)))
	}
	for _, b := range doubles {
		check(dtype.F64, b, math.Float64frombits(b))
	}
}

func TestLiteralTexts(t *testing.T) {
	for _, tt := range []struct {
		d    dtype.DType
		v    float64
		want string
	}{
		{dtype.F32, 0, "0.0"}, {dtype.F32, math.Copysign(0, -1), "-0.0"}, {dtype.F32, 2, "2.0"}, {dtype.F32, float64(float32(0.1)), "0.1"},
		{dtype.F32, 1e7, "1.0e+07"}, {dtype.F32, float64(float32(1.5e-30)), "1.5e-30"},
		{dtype.F32, math.Inf(1), "0x7F800000"}, {dtype.F32, math.Inf(-1), "0xFF800000"}, {dtype.F32, math.NaN(), "0x7FC00000"},
		{dtype.F16, math.Inf(-1), "0xFC00"}, {dtype.BF16, math.Inf(1), "0x7F80"}, {dtype.F64, math.Inf(1), "0x7FF0000000000000"},
		{dtype.F64, 0.1, "0.1"},
		{dtype.Bool, 1, "true"}, {dtype.Bool, 0, "false"},
		{dtype.I8, -128, "-128"}, {dtype.U8, 255, "255"}, {dtype.I64, math.MinInt64, "-9223372036854775808"},
		// The initial values of reductions: these integers are not doubles.
		{dtype.I64, Greatest(dtype.I64), "9223372036854775807"}, {dtype.U64, Greatest(dtype.U64), "18446744073709551615"},
		{dtype.U64, 1 << 63, "9223372036854775808"},
	} {
		require.Equal(t, tt.want, splat(tt.d, tt.v), "%s %v", tt.d, tt.v)
	}
}

func TestIntegerElements(t *testing.T) {
	for _, d := range []dtype.DType{dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64} {
		width := d.Bits()
		for _, bits := range []uint64{0, 1, 1<<(width-1) - 1, 1 << (width - 1), 1<<width - 1} {
			text := element(d, binary.LittleEndian.AppendUint64(nil, bits)[:width/8])
			if d.IsUnsigned() {
				back, err := strconv.ParseUint(text, 10, width)
				require.NoError(t, err)
				require.Equal(t, bits&(1<<width-1), back, d)
				continue
			}
			back, err := strconv.ParseInt(text, 10, width)
			require.NoError(t, err)
			require.Equal(t, bits&(1<<width-1), uint64(back)&(1<<width-1), d)
		}
	}
}

func TestDense(t *testing.T) {
	of := func(sizes ...int64) tensor.Value {
		n := int64(1)
		for _, s := range sizes {
			n *= s
		}
		data := make([]int16, n)
		for i := range data {
			data[i] = int16(i - 1)
		}
		v, err := tensor.Of(data, sizes...)
		require.NoError(t, err)
		return v
	}
	p := newPrinter(nil, Plain())
	require.Equal(t, "-1", p.dense(of()))
	require.Equal(t, "[[-1, 0, 1], [2, 3, 4]]", p.dense(of(2, 3)))
	require.Empty(t, p.dense(of(2, 0)))
	require.True(t, strings.HasPrefix(p.dense(of(maxListed)), "[-1, "))
	// The bytes as stored, little-endian.
	require.Equal(t, `"0xFFFF00000100`, p.dense(of(maxListed + 1))[:15])
	bools := make([]bool, maxListed+1)
	bools[maxListed] = true
	long, err := tensor.Of(bools, maxListed+1)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(p.dense(long), "[false, "), "bools have no hexadecimal form with one byte each")
	require.NoError(t, p.err)
}

// Equal elements are spelled once, whether a constant has a name or not, in every type:
// NaN with its bits, and integers that no double holds.
func TestUniformConstants(t *testing.T) {
	constants := map[dtype.DType]struct {
		of   []byte
		want string
	}{
		dtype.Bool: {[]byte{1}, "true"},
		dtype.I8:   {[]byte{0x80}, "-128"}, dtype.U8: {[]byte{0xFF}, "255"},
		dtype.I16: {[]byte{0, 0x80}, "-32768"}, dtype.U16: {[]byte{0xFF, 0xFF}, "65535"},
		dtype.I32: {[]byte{1, 0, 0, 0x80}, "-2147483647"}, dtype.U32: {[]byte{1, 0, 0, 0x80}, "2147483649"},
		dtype.I64: {[]byte{1, 0, 0, 0, 0, 0, 0x20, 0}, "9007199254740993"},
		dtype.U64: {[]byte{1, 0, 0, 0, 0, 0, 0, 0x80}, "9223372036854775809"},
		dtype.F16: {[]byte{0x01, 0x7C}, "0x7C01"}, dtype.BF16: {[]byte{0xA1, 0xFF}, "0xFFA1"},
		dtype.F32: {[]byte{1, 0, 0xA0, 0x7F}, "0x7FA00001"}, dtype.F64: {[]byte{0, 0, 0, 0, 0, 0, 0xF0, 0x3F}, "1.0"},
	}
	for _, d := range dtype.All() {
		if d.IsStorageOnly() || d.Bits() < 8 {
			continue
		}
		c, ok := constants[d]
		require.True(t, ok, "%s", d)
		for _, n := range []int64{1, 3, 2 * maxListed} {
			v := tensor.Value{Type: tensor.TypeOf(d, n), Bytes: bytes.Repeat(c.of, int(n))}
			require.Equal(t, c.want, newPrinter(nil, Plain()).dense(v), "%s", v.Type)
			for _, name := range []string{"", "w"} {
				b := &dag.Block{}
				c0, err := b.Add("constant", "c", op.Attrs{"value": v, "name": name})
				require.NoError(t, err)
				b.Results = c0.Outputs
				g := &dag.Graph{Name: "m", Funcs: []*dag.Func{{Name: "f", Entry: true, Body: b, Results: []string{"y"}}}}
				m, err := Emit(g, Options{})
				require.NoError(t, err)
				require.Contains(t, string(m.Text), " = stablehlo.constant dense<"+c.want+"> : tensor<", "%s %q", v.Type, name)
			}
		}
	}
}

func TestSymbols(t *testing.T) {
	for name, want := range map[string]string{
		"w": "@w", "_a1": "@_a1", "blk.0.attn_q": `@"blk.0.attn_q"`, "a/b": `@"a/b"`, "1x": `@"1x"`,
		`q"\`: `@"q\22\5C"`, "ä\n": `@"\C3\A4\0A"`,
	} {
		require.Equal(t, want, Symbol(name))
	}
	require.Equal(t, `"a\22b"`, Quote(`a"b`))
}
