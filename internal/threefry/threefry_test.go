package threefry

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The known answers that the authors publish with their library, Random123.
func TestKnownAnswers(t *testing.T) {
	for _, tt := range []struct{ counter, key, want [2]uint32 }{
		{[2]uint32{}, [2]uint32{}, [2]uint32{0x6b200159, 0x99ba4efe}},
		{[2]uint32{0xffffffff, 0xffffffff}, [2]uint32{0xffffffff, 0xffffffff}, [2]uint32{0x1cb996fc, 0xbb002be7}},
		{[2]uint32{0x243f6a88, 0x85a308d3}, [2]uint32{0x13198a2e, 0x03707344}, [2]uint32{0xc4923a9c, 0x483df7a0}},
	} {
		require.Equal(t, tt.want, Words(tt.key, tt.counter))
	}
	require.Equal(t, [2]uint32{2, 1}, Key(1<<32+2))
}
