package ireert

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// A contract may claim any size; memory is allocated once the program has returned that much.
func TestNoMemoryForAClaim(t *testing.T) {
	f32 := func(sizes ...int64) tensor.Type { return tensor.Type{DType: dtype.F32, Shape: shape.Of(sizes...)} }
	place := func(w Want) (tensor.Value, uint64) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		v, err := w.memory()
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		return v, after.TotalAlloc - before.TotalAlloc
	}
	for _, typ := range []tensor.Type{f32(1 << 40), f32(1<<20, 1<<20), f32(MaxUnseen/4 + 1), f32(1 << 30)} {
		v, bytes := place(Want{Type: typ})
		require.Nil(t, v.Bytes, "%s stays on the device at first", typ)
		require.Less(t, bytes, uint64(MaxUnseen))
	}
	v, _ := place(Want{Type: f32(MaxUnseen / 4)})
	require.Len(t, v.Bytes, MaxUnseen)
	v, _ = place(Want{Type: f32(0)})
	require.NotNil(t, v.Bytes, "an empty buffer is a buffer too")
	v, _ = place(Want{Type: f32(8), Keep: true})
	require.Nil(t, v.Bytes)
	v, _ = place(Want{Type: f32(shape.Dynamic, 2)})
	require.Nil(t, v.Bytes)

	into := make([]byte, 2*MaxUnseen)
	v, _ = place(Want{Type: f32(MaxUnseen / 2), Into: into})
	require.Equal(t, &into[0], &v.Bytes[0], "the caller's memory is used, whatever its size")
	v, _ = place(Want{Type: f32(2), Into: into})
	require.Len(t, v.Bytes, 8, "but not memory of another size")

	_, err := Want{Type: f32(1<<40, 1<<40)}.memory()
	require.NotEmpty(t, errs.CodeOf(err))
}
