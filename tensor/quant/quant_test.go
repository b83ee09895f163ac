package quant_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

func TestTableHasNoHole(t *testing.T) {
	names, numbers := map[quant.Encoding]bool{}, map[uint32]bool{}
	for _, b := range quant.All() {
		require.False(t, names[b.Encoding], "%s is listed twice", b.Encoding)
		names[b.Encoding] = true
		require.Positive(t, b.Elements, b.Encoding)
		require.Positive(t, b.Bytes, b.Encoding)
		require.NotEmpty(t, b.Doc, b.Encoding)
		require.NotEmpty(t, b.Source, b.Encoding)
		found, ok := b.Encoding.Block()
		require.True(t, ok, b.Encoding)
		require.Equal(t, b.GGML, found.GGML)
		if b.GGML != quant.NoGGML {
			require.False(t, numbers[b.GGML], "type %d is listed twice", b.GGML)
			numbers[b.GGML] = true
			found, ok = quant.ByGGML(b.GGML)
			require.True(t, ok, b.Encoding)
			require.Equal(t, b.Encoding, found.Encoding)
		}
	}
	for number := range uint32(64) {
		_, ok := quant.ByGGML(number)
		require.Equal(t, numbers[number], ok, "type %d", number)
	}
	_, ok := quant.ByGGML(quant.NoGGML)
	require.False(t, ok)
}

// The numbers are those of gguf 0.19, GGMLQuantizationType and
// GGML_QUANT_SIZES; Q8_1 is ggml's block (libgguf 0.2.2).
func TestTableIsThatOfGGUF(t *testing.T) {
	for _, tt := range []struct {
		name            quant.Encoding
		number          uint32
		elements, bytes int64
	}{
		{"Q4_0", 2, 32, 18}, {"Q4_1", 3, 32, 20}, {"Q5_0", 6, 32, 22}, {"Q5_1", 7, 32, 24}, {"Q8_0", 8, 32, 34}, {"Q8_1", 9, 32, 36},
		{"Q2_K", 10, 256, 84}, {"Q3_K", 11, 256, 110}, {"Q4_K", 12, 256, 144}, {"Q5_K", 13, 256, 176}, {"Q6_K", 14, 256, 210},
		{"Q8_K", 15, 256, 292}, {"IQ2_XXS", 16, 256, 66}, {"IQ2_XS", 17, 256, 74}, {"IQ3_XXS", 18, 256, 98}, {"IQ1_S", 19, 256, 50},
		{"IQ4_NL", 20, 32, 18}, {"IQ3_S", 21, 256, 110}, {"IQ2_S", 22, 256, 82}, {"IQ4_XS", 23, 256, 136}, {"IQ1_M", 29, 256, 56},
		{"TQ1_0", 34, 256, 54}, {"TQ2_0", 35, 256, 66}, {"MXFP4", 39, 32, 17}, {"NVFP4", 40, 64, 36}, {"Q1_0", 41, 128, 18},
	} {
		b, ok := quant.ByGGML(tt.number)
		require.True(t, ok, tt.name)
		require.Equal(t, tt.name, b.Encoding)
		require.Equal(t, tt.elements, b.Elements, tt.name)
		require.Equal(t, tt.bytes, b.Bytes, tt.name)
	}
}

func TestNames(t *testing.T) {
	want := map[string]quant.Encoding{
		"": quant.NotCarried, "dense": quant.Dense, "opaque/IQ9_Z": quant.Opaque("IQ9_Z"), "opaque/type 77": quant.Opaque("type 77"),
	}
	for _, b := range quant.All() {
		want[string(b.Encoding)] = b.Encoding
	}
	for name, e := range want {
		got, err := quant.Parse(name)
		require.NoError(t, err)
		require.Equal(t, e, got)
		raw, err := json.Marshal(got)
		require.NoError(t, err)
		var back quant.Encoding
		require.NoError(t, json.Unmarshal(raw, &back))
		require.Equal(t, e, back)
		require.Equal(t, strings.HasPrefix(name, "opaque/"), e.IsOpaque())
	}
	require.Equal(t, "dense", quant.Dense.String())
	require.Equal(t, "opaque/unnamed", quant.Opaque("").String(), "so that the name parses again")
	for _, name := range []string{"Q9", "q4_0", "Q4_K ", "opaque", "opaque/", "Opaque/x", "Dense"} {
		_, err := quant.Parse(name)
		require.Equal(t, quant.CodeUnknown, errs.CodeOf(err), name)
		require.Contains(t, err.Error(), "Q4_K", "the message lists what there is")
		var e quant.Encoding
		require.Equal(t, quant.CodeUnknown, errs.CodeOf(e.UnmarshalText([]byte(name))), name)
	}
}

func TestSize(t *testing.T) {
	for _, tt := range []struct {
		e        quant.Encoding
		elements int64
		want     int64
		code     errs.Code
	}{
		{"Q4_K", 256, 144, ""},
		{"Q4_K", 0, 0, ""},
		{"Q8_0", 1 << 40, 34 << 35, ""},
		{"Q4_K", 100, 0, quant.CodeBadLength},
		{"Q4_K", 896, 0, quant.CodeBadLength}, // rows that made llama.cpp's quantiser abort
		{"Q6_K", 14464, 0, quant.CodeBadLength},
		{"Q4_K", -256, 0, quant.CodeBadLength},
		{"Q8_K", math.MaxInt64 / 256 * 256, 0, quant.CodeBadLength},
		{"Q8_K", math.MaxInt64 / 292 * 256, math.MaxInt64 / 292 * 292, ""},
		{"Q8_K", math.MaxInt64/292*256 + 256, 0, quant.CodeBadLength},
		{quant.Dense, 4, 0, quant.CodeDense},
		{quant.Opaque("x"), 4, 0, quant.CodeOpaque},
		{"Q9", 4, 0, quant.CodeUnknown},
	} {
		got, err := tt.e.Size(tt.elements)
		require.Equal(t, tt.code, errs.CodeOf(err), "%s of %d", tt.e, tt.elements)
		require.Equal(t, tt.want, got, "%s of %d", tt.e, tt.elements)
	}
}

func TestLengthsMustBelongTogether(t *testing.T) {
	for _, tt := range []struct {
		e               quant.Encoding
		elements, bytes int
		code            errs.Code
	}{
		{"Q4_0", 64, 36, ""},
		{"Q4_0", 0, 0, ""},
		{"Q4_0", 64, 35, quant.CodeBadLength},
		{"Q4_0", 64, 37, quant.CodeBadLength},
		{"Q4_0", 64, 18, quant.CodeBadLength},
		{"Q4_0", 63, 36, quant.CodeBadLength},
		{"Q4_0", 0, 1, quant.CodeBadLength},
		{quant.Dense, 1, 4, quant.CodeDense},
		{quant.Opaque("x"), 1, 4, quant.CodeOpaque},
		{"Q9", 1, 4, quant.CodeUnknown},
	} {
		err := quant.Unpack(tt.e, make([]float32, tt.elements), make([]byte, tt.bytes))
		require.Equal(t, tt.code, errs.CodeOf(err), "unpack %s %d %d", tt.e, tt.elements, tt.bytes)
		err = quant.Pack(tt.e, make([]byte, tt.bytes), make([]float32, tt.elements))
		require.Equal(t, tt.code, errs.CodeOf(err), "pack %s %d %d", tt.e, tt.elements, tt.bytes)
	}
	require.False(t, quant.CanPack("IQ2_XS"))
	require.False(t, quant.CanPack(quant.Dense))
	err := quant.Pack("IQ2_XS", make([]byte, 74), make([]float32, 256))
	require.Equal(t, quant.CodeNoPacker, errs.CodeOf(err))
}

// What gguf leaves to chance: values that have no code, and scales that vanish.
func TestPackRefusesWhatItCannotHold(t *testing.T) {
	big := float32(math.MaxFloat32)
	for _, b := range quant.All() {
		if !quant.CanPack(b.Encoding) {
			continue
		}
		n := 2 * b.Elements
		size, err := b.Encoding.Size(n)
		require.NoError(t, err)
		dst := make([]byte, size)
		for name, v := range map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)} {
			x := make([]float32, n)
			x[b.Elements+3] = float32(v)
			err := quant.Pack(b.Encoding, dst, x)
			require.Equal(t, quant.CodeBadValue, errs.CodeOf(err), "%s %s", b.Encoding, name)
		}
		if b.GGML == quant.NoGGML || b.Encoding == "MXFP4" {
			continue // scales that are not f16
		}
		x := make([]float32, n)
		x[b.Elements+3], x[b.Elements+4] = big, -big
		err = quant.Pack(b.Encoding, dst, x)
		require.Equal(t, quant.CodeBadValue, errs.CodeOf(err), "%s", b.Encoding)
	}
}

// A scale whose reciprocal overflows makes gguf divide by zero, and a small
// exponent makes its MXFP4 wrap around; here both give (almost) zeros.
func TestPackOfVanishingElements(t *testing.T) {
	for _, tiny := range []float32{0, math.SmallestNonzeroFloat32, 0x1p-130, 0x1p-126} {
		x, y := make([]float32, 256), make([]float32, 256)
		for i := range x {
			x[i] = tiny * float32(i%3-1)
		}
		for _, e := range []quant.Encoding{"Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "TQ1_0", "TQ2_0"} {
			size, err := e.Size(256)
			require.NoError(t, err)
			dst := make([]byte, size)
			require.NoError(t, quant.Pack(e, dst, x))
			require.NoError(t, quant.Unpack(e, y, dst))
			for _, v := range y {
				require.Zero(t, v, "%s %g", e, tiny)
			}
		}
		dst := make([]byte, 8*17)
		require.NoError(t, quant.Pack("MXFP4", dst, x))
		require.NoError(t, quant.Unpack("MXFP4", y, dst))
		for i, v := range y {
			// Half of the smallest step, which is 2^-128.
			require.InDelta(t, x[i], v, 0x1p-129, "MXFP4 %g", tiny)
		}
	}
	dst := make([]byte, 18)
	x := make([]float32, 32)
	x[7] = 0x1p-130
	require.NoError(t, quant.Pack("Q4_0", dst, x))
	require.Equal(t, append([]byte{0, 0x80}, bytes.Repeat([]byte{0x88}, 16)...), dst, "every code is that of zero")
}

func TestUnpackAllocatesNothing(t *testing.T) {
	for _, b := range quant.All() {
		size, err := b.Encoding.Size(2 * b.Elements)
		require.NoError(t, err)
		src, dst := make([]byte, size), make([]float32, 2*b.Elements)
		n := testing.AllocsPerRun(10, func() {
			if err := quant.Unpack(b.Encoding, dst, src); err != nil {
				t.Error(err)
			}
		})
		require.Zero(t, n, b.Encoding)
	}
}
