package dtype

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/small.json
var oracle []byte

// The values of all codes and the rounding of four million numbers are what
// ml_dtypes says; testdata/small.py says which numbers.
func TestSmallFloatsAgainstMLDtypes(t *testing.T) {
	var want map[string]struct{ Values, Codes string }
	require.NoError(t, json.Unmarshal(oracle, &want))
	n := 0
	for _, d := range storage() {
		s, ok := d.Small()
		require.Equal(t, d != C64, ok, d.String())
		if !ok {
			continue
		}
		n++
		var values bytes.Buffer
		for code := range 1 << d.Bits() {
			bits := math.Float32bits(s.F32(uint8(code)))
			if bits&0x7fffffff > 0x7f800000 {
				bits = 0x7fc00000
			}
			require.NoError(t, binary.Write(&values, binary.LittleEndian, bits))
		}
		sum := sha256.Sum256(values.Bytes())
		require.Equal(t, want[d.String()].Values, hex.EncodeToString(sum[:]), "values of %s", d)

		codes := make([]byte, 0, 4<<20)
		for high := range uint32(1 << 20) {
			for _, low := range [...]uint32{0, 1, 0x800, 0xfff} {
				bits := high<<12 | low
				if m := bits & 0x7fffffff; d == F8E8M0FNU && m > 0 && m < 0x00800000 {
					continue
				}
				codes = append(codes, s.Code(math.Float32frombits(bits)))
			}
		}
		sum = sha256.Sum256(codes)
		require.Equal(t, want[d.String()].Codes, hex.EncodeToString(sum[:]), "codes of %s", d)
	}
	require.Len(t, want, n)
}

// Every code that is a number rounds to itself, and high bits are ignored.
func TestSmallFloatsRoundTrip(t *testing.T) {
	for _, d := range storage() {
		s, ok := d.Small()
		if !ok {
			continue
		}
		for code := range 256 {
			f := s.F32(uint8(code))
			require.Equal(t, math.Float32bits(s.F32(uint8(code&(1<<d.Bits()-1)))), math.Float32bits(f), d.String())
			require.Equal(t, math.Float32bits(s.Table()[code]), math.Float32bits(f), d.String())
			if f == f {
				require.EqualValues(t, code&(1<<d.Bits()-1), s.Code(f), "%s %#x", d, code)
			}
		}
	}
}

// What the types do at their ends.
func TestSmallFloatsAtTheEnds(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, tt := range []struct {
		d    DType
		f    float32
		want uint8
	}{
		{F8E4M3FN, 448, 0x7e}, {F8E4M3FN, 464, 0x7e}, {F8E4M3FN, 465, 0x7f}, {F8E4M3FN, -inf, 0xff}, {F8E4M3FN, nan, 0x7f},
		{F8E5M2, 57344, 0x7b}, {F8E5M2, 61440, 0x7c}, {F8E5M2, -inf, 0xfc}, {F8E5M2, nan, 0x7e},
		{F8E4M3FNUZ, 240, 0x7f}, {F8E4M3FNUZ, 256, 0x80}, {F8E4M3FNUZ, float32(math.Copysign(0, -1)), 0}, {F8E4M3FNUZ, -1e-9, 0},
		{F4E2M1FN, 100, 7}, {F4E2M1FN, -inf, 0xf}, {F4E2M1FN, nan, 8},
		{F8E8M0FNU, 1, 127}, {F8E8M0FNU, 1.5, 128}, {F8E8M0FNU, 0x1.4p-127, 0}, {F8E8M0FNU, 0x1.8p-127, 1}, {F8E8M0FNU, 0x1p-149, 0},
		{F8E8M0FNU, 0x1.6p127, 0xfe}, {F8E8M0FNU, 0x1.8p127, 0xff}, {F8E8M0FNU, 0, 0xff}, {F8E8M0FNU, -1, 0xff}, {F8E8M0FNU, inf, 0xff},
	} {
		s, ok := tt.d.Small()
		require.True(t, ok)
		require.Equal(t, tt.want, s.Code(tt.f), "%s of %g", tt.d, tt.f)
	}
}
