package quant

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func random(n int64) []byte {
	b := make([]byte, n)
	r := rand.New(rand.NewPCG(4, uint64(n)))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// The fields of the table are those of ggml's structs: they tile the block.
func TestPlanesTileTheirBlock(t *testing.T) {
	for base, fields := range planar {
		block, ok := base.Block()
		require.True(t, ok, base)
		covered := make([]int, block.Bytes)
		for _, f := range fields {
			for i := f.Offset; i < f.Offset+f.Bytes; i++ {
				covered[i]++
			}
		}
		require.Equal(t, bytes.Repeat([]byte{1}, len(covered)), toBytes(covered), base)
		e, ok := base.Planar()
		require.True(t, ok)
		got, err := Parse(string(e))
		require.NoError(t, err)
		require.Equal(t, e, got)
	}
}

func toBytes(list []int) []byte {
	b := make([]byte, len(list))
	for i, v := range list {
		b[i] = byte(v)
	}
	return b
}

// Two rows of two blocks of Q4_0 and of Q6_K, laid out by hand: byte b of field
// f of block n in row r is told by its place in the source.
func TestSplitByHand(t *testing.T) {
	source := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i)
		}
		return b
	}
	src := source(4 * 18)
	var want []byte
	for _, row := range [][]byte{src[:36], src[36:]} {
		want = append(want, row[0], row[1], row[18], row[19]) // d
		want = append(want, row[2:18]...)
		want = append(want, row[20:36]...)
	}
	dst := make([]byte, len(src))
	require.NoError(t, Split("Q4_0/planar", 64, dst, src))
	require.Equal(t, want, dst)

	src = random(2 * 210)
	want = nil
	for _, f := range [][2]int{{208, 210}, {192, 208}, {0, 128}, {128, 192}} { // d, scales, ql, qh
		want = append(append(want, src[f[0]:f[1]]...), src[210+f[0]:210+f[1]]...)
	}
	dst = make([]byte, len(src))
	require.NoError(t, Split("Q6_K/planar", 512, dst, src))
	require.Equal(t, want, dst)
}

// The scales of Q4_K against the formula of ggml's get_scale_min_k4, and their
// place: d, dmin, eight scales, eight minima, codes.
func TestSplitScales(t *testing.T) {
	src := random(144)
	dst := make([]byte, 148)
	require.NoError(t, Split("Q4_K/planar", 256, dst, src))
	q := src[4:16]
	for j := range 8 {
		sc, mn := q[j]&63, byte(0)
		if j < 4 {
			mn = q[j+4] & 63
		} else {
			sc = q[j+4]&0xf | (q[j-4]>>6)<<4
			mn = q[j+4]>>4 | (q[j]>>6)<<4
		}
		require.Equal(t, sc, dst[4+j], "scale %d", j)
		require.Equal(t, mn, dst[12+j], "minimum %d", j)
	}
	require.Equal(t, src[:4], dst[:4])
	require.Equal(t, src[16:], dst[20:])
}

func TestJoinIsTheInverse(t *testing.T) {
	for base := range planar {
		e, _ := base.Planar()
		columns := int64(768)
		rows, err := base.Size(3 * columns)
		require.NoError(t, err)
		planes, err := e.Size(3 * columns)
		require.NoError(t, err)
		stored := int64(0)
		for _, p := range e.Planes() {
			stored += p.Stored
		}
		block, _ := base.Block()
		require.Equal(t, 3*columns/block.Elements*stored, planes)
		src, mid, back := random(rows), make([]byte, planes), make([]byte, rows)
		require.NoError(t, Split(e, columns, mid, src))
		require.NoError(t, Join(e, columns, back, mid))
		require.Equal(t, src, back, e)
		require.NoError(t, Split(e, columns, nil, nil))
	}
}

func TestPlanarRefuses(t *testing.T) {
	row, planes := make([]byte, 144), make([]byte, 148)
	tests := []struct {
		name string
		err  error
		code errs.Code
	}{
		{"no planes", Split("Q2_K", 256, planes, row), CodeUnknown},
		{"columns", Split("Q4_K/planar", 100, planes, row), CodeBadLength},
		{"no columns", Split("Q4_K/planar", 0, planes, row), CodeBadLength},
		{"lengths", Split("Q4_K/planar", 256, planes[:147], row), CodeBadLength},
		{"rows", Join("Q4_K/planar", 512, row, planes), CodeBadLength},
		{"unpack", Unpack("Q4_K/planar", make([]float32, 256), planes), CodePlanar},
		{"pack", Pack("Q4_K/planar", planes, make([]float32, 256)), CodePlanar},
	}
	for i := range 16 {
		bad := make([]byte, 148)
		bad[4+i] = 64
		tests = append(tests, struct {
			name string
			err  error
			code errs.Code
		}{"seven bits", Join("Q4_K/planar", 256, row, bad), CodeBadValue})
	}
	for _, tt := range tests {
		require.Equal(t, tt.code, errs.CodeOf(tt.err), tt.name)
	}
	_, err := Encoding("Q4_K/planar").Size(100)
	require.Equal(t, CodeBadLength, errs.CodeOf(err))
	_, ok := Encoding("Q2_K").Planar()
	require.False(t, ok)
	require.Nil(t, Encoding("Q4_K").Planes())
	_, err = Parse("Q2_K/planar")
	require.Equal(t, CodeUnknown, errs.CodeOf(err))
}
