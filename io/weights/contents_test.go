package weights

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

func TestContents(t *testing.T) {
	long := func(change int) tensor.Value {
		b := bytes.Repeat([]byte{1, 2, 3}, 10000)
		b[change] = 9
		return tensor.Value{Type: tensor.TypeOf(dtype.I8, 30000), Bytes: b}
	}
	short := tensor.Value{Type: tensor.TypeOf(dtype.I8, 2), Bytes: []byte{1, 2}}
	var b bytes.Buffer
	require.NoError(t, ctranslate2.Write(&b, ctranslate2.Model{
		Spec: "S",
		Variables: []ctranslate2.Variable{
			{Name: "a", Value: long(15000)}, {Name: "b", Value: long(15001)}, {Name: "c", Value: long(15000)}, {Name: "d", Value: long(1)},
			{Name: "e", Value: short}, {Name: "f", Value: short},
			{Name: "g", Value: tensor.Value{Type: tensor.TypeOf(dtype.I8, 1, 2), Bytes: short.Bytes}},
		},
		Aliases: []ctranslate2.Alias{{Name: "tied", Variable: "c"}},
	}))
	f, err := Open(write(t, b.Bytes()))
	require.NoError(t, err)
	of, err := f.Contents()
	require.NoError(t, err)
	groups := map[string]string{}
	for _, n := range []string{"a", "b", "c", "d", "e", "f", "g", "tied"} {
		require.NotEmpty(t, of[n], n)
		groups[of[n]] += n + " "
	}
	got := []string{}
	for _, names := range groups {
		got = append(got, names)
	}
	require.ElementsMatch(t, []string{"a c tied ", "b ", "d ", "e f ", "g "}, got)
	require.Empty(t, of["none"])

	require.NoError(t, f.Close())
	_, err = f.Contents()
	require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
}

// A splat is told apart by its pattern: its bytes may be more than there is memory.
func TestContentsOfSplats(t *testing.T) {
	spec := tensor.Spec{DType: dtype.F32, Shape: tensor.TypeOf(dtype.F32, 1<<40).Shape, Bytes: 1 << 42}
	metadata, err := irpa.Describe(spec)
	require.NoError(t, err)
	var items []irpa.Item
	for name, pattern := range map[string][]byte{"a": {0, 0, 128, 63}, "b": {0, 0, 128, 63}, "c": {0, 0, 0, 64}} {
		items = append(items, irpa.Item{Name: name, Length: 1 << 42, Pattern: pattern, Metadata: metadata})
	}
	var b bytes.Buffer
	require.NoError(t, irpa.Encode(&b, items))
	f, err := Open(write(t, b.Bytes()))
	require.NoError(t, err)
	defer f.Close()
	of, err := f.Contents()
	require.NoError(t, err)
	require.Equal(t, of["a"], of["b"])
	require.NotEqual(t, of["a"], of["c"])
}

func TestContentsOfAFileWithoutTypes(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, irpa.Encode(&b, []irpa.Item{irpa.Bytes("w", []byte("abc"))}))
	f, err := Open(write(t, b.Bytes()))
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Contents()
	require.Equal(t, CodeNoIndex, errs.CodeOf(err))
}
