package kernels

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The text has no product but those of bytes, and of the zero point with the sums of columns.
func TestByteProduct(t *testing.T) {
	for _, wide := range []bool{false, true} {
		f := Form{Indent: "  ", Wide: wide}
		text := ByteProduct{}.Text(f)
		require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
		require.Contains(t, text, "stream.executable private @"+ByteProduct{}.Symbol()+" ")
		require.NotContains(t, text, "vector.fma")
		require.NotContains(t, text, "arith.extsi", "bytes of a panel are those of W")
		tile := byteTile
		count := func(rows, vectors, steps int) int { return rows * vectors * steps }
		products := 0
		for _, vectors := range []int{tile.vectors, 1}[map[bool]int{true: 0, false: 1}[tile.vectors > 1]:] {
			// A panel's columns are summed twice: where it is whole, and where it is not.
			sums := vectors
			if vectors == 1 {
				sums = 2
			}
			products += sums + count(tile.height, vectors, tile.unroll+1) + count(4, vectors, 2+1) + count(2, vectors, 2+1) + count(1, vectors, 4+1)
		}
		require.Equal(t, products, strings.Count(text, byteDot), "wide: %v", wide)
	}
}

// With rows of W the panel is made of elements of four bytes as they lie, and summed once.
func TestByteProductOfRows(t *testing.T) {
	k := ByteProduct{Rows: true}
	text := k.Text(Form{Indent: "  ", Wide: true})
	require.Equal(t, strings.Count(text, "{"), strings.Count(text, "}"))
	require.Contains(t, text, "stream.executable private @"+k.Symbol()+" ")
	require.NotEqual(t, k.Symbol(), ByteProduct{}.Symbol())
	for _, no := range []string{"arith.extui", "arith.extsi", "arith.shli", "arith.ori"} {
		require.NotContains(t, text, no, "bytes are not put together")
		require.Contains(t, ByteProduct{}.Text(Form{Indent: "  ", Wide: true})+"arith.extsi", no)
	}
}
