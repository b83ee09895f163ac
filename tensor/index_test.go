package tensor

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestIndexRoundTrip(t *testing.T) {
	x := &Index{
		Format: "test", Metadata: map[string]string{"k": "v"}, Scalars: map[string]int64{"n": 1 << 62}, Aliases: map[string]string{"b": "a"},
		Tensors: []Spec{{Name: "a", DType: dtype.F32, Shape: shape.Of(2, 3), Bytes: 24}, {Name: "s", DType: dtype.I8, Shape: shape.Of(), Bytes: 1}},
	}
	b, err := x.Marshal()
	require.NoError(t, err)
	again, err := ParseIndex(b)
	require.NoError(t, err)
	require.Equal(t, x, again)
	s, err := again.Lookup("b")
	require.NoError(t, err)
	require.Equal(t, x.Tensors[0], s)
	_, err = again.Lookup("c")
	require.Equal(t, CodeIndexMissing, errs.CodeOf(err))
}

// What is not there is said with what is like it, whatever parts the names.
func TestNearestNames(t *testing.T) {
	x := &Index{}
	for _, name := range []string{
		"fc2.weight", "fc1.weight", "fc1.bias", "norm.weight", "norm.bias", "model.embed.weight",
		"x/a1", "x/a2", "x/a3", "x/a4", strings.Repeat("fc1.weight", 1000), "norm." + strings.Repeat("x", 1000),
	} {
		x.Tensors = append(x.Tensors, Spec{Name: name, DType: dtype.F32, Shape: shape.Of(1), Bytes: 4})
	}
	for name, want := range map[string]string{
		"fc1/weight":   `keys are written as in the file, which has "fc1.weight", "fc2.weight", "fc1.bias"; skainet inspect FILE lists all`,
		"norm/gamma":   `which has "norm.bias", "norm.weight"; `,
		"embed/weight": `which has "model.embed.weight"; `,
		"x.a5":         `which has "x/a1", "x/a2", "x/a3"; `,
		"blk.0.attn_q": "check that the weight file belongs to this model: skainet inspect FILE lists its names",
		"nothing like": "check that the weight file belongs to this model: ",
	} {
		_, err := x.Lookup(name)
		require.Equal(t, CodeIndexMissing, errs.CodeOf(err))
		require.ErrorContains(t, err, "the weights hold no tensor of this name (12 others); ")
		require.ErrorContains(t, err, want)
	}
	_, err := (&Index{}).Lookup("fc1/weight")
	require.ErrorContains(t, err, "(0 others); check")
}

func TestBadIndexes(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":       "",
		"another type":  `{"tensors": 1}`,
		"negative size": `{"tensors": [{"name": "a", "dtype": "f32", "shape": "1", "bytes": -1}]}`,
		"no type":       `{"tensors": [{"name": "a", "shape": "1", "bytes": 4}]}`,
		"one name twice": `{"tensors": [{"name": "a", "dtype": "f32", "shape": "1", "bytes": 4},
			{"name": "a", "dtype": "f32", "shape": "1", "bytes": 4}]}`,
	} {
		_, err := ParseIndex([]byte(text))
		require.Equal(t, CodeIndexBad, errs.CodeOf(err), name)
	}
}

// Values of two bytes each, of which each would be a hundred in memory.
func TestIndexOfTooMuch(t *testing.T) {
	for _, doc := range []string{
		`{"tensors":[` + strings.Repeat("{},", MaxIndexValues) + `{}]}`,
		`{"tensors":[{"shape":[` + strings.Repeat("1,", MaxIndexValues) + `1]}]}`,
		`{"tensors":[{"shape":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}]}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := ParseIndex([]byte(doc))
		runtime.ReadMemStats(&after)
		require.Equal(t, CodeIndexBad, errs.CodeOf(err))
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(2*len(doc)+1<<20))
	}
}
