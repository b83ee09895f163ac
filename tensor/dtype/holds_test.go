package dtype

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The types that hold every value of another, by the standards that define them.
func TestHolds(t *testing.T) {
	want := map[DType][]DType{
		Bool: {Bool},
		I8:   {Bool, I4, I8, U4},
		I16:  {Bool, I4, I8, I16, U4, U8},
		I32:  {Bool, I4, I8, I16, I32, U4, U8, U16},
		U8:   {Bool, U4, U8},
		U32:  {Bool, U4, U8, U16, U32},
		// 2048 is the first integer beside which 2049 is missing.
		F16:  {Bool, I4, I8, U4, U8, F16, F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ},
		BF16: {Bool, I4, I8, U4, U8, BF16, F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU},
		F32: {Bool, I4, I8, I16, U4, U8, U16, F16, BF16, F32,
			F4E2M1FN, F6E2M3FN, F6E3M2FN, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F8E8M0FNU},
		C64: {C64},
	}
	for d, list := range want {
		var got []DType
		for _, b := range append(All(), storage()...) {
			if d.Holds(b) {
				got = append(got, b)
			}
		}
		require.Equal(t, list, got, d)
	}
	require.Equal(t, []int{11, 8, 24, 53, 0}, []int{F16.Significand(), BF16.Significand(), F32.Significand(), F64.Significand(), I32.Significand()})
}
