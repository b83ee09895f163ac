package weights

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/badfiles"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

// What an ONNX model is beside its tensors is shown as settings; only the pairs that its
// writer gave it are metadata of the index.
func TestONNX(t *testing.T) {
	f, err := Open(write(t, Message(badfiles.ONNXGood(), Field(14, Message(Field(1, "author"), Field(2, "me"))), Field(8, Message(Field(1, "com.x"), Field(2, int64(1)))),
		Field(25, Message(Field(10, "com.x"), Field(1, "f"), Field(7, Node("Neg", "a", nil)))))))
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, "onnx", f.Format())
	require.True(t, f.HasTypedSettings())
	require.NotNil(t, f.ONNX())
	require.Nil(t, f.GGUF())
	var got []string
	for _, s := range f.Settings() {
		values, err := s.First(3)
		require.NoError(t, err)
		require.EqualValues(t, -1, s.Count)
		got = append(got, fmt.Sprintf("%s %s %v", s.Key, s.Type, values[0]))
	}
	require.Empty(t, cmp.Diff([]string{
		"ir_version i64 9", "producer string badfiles", "opset i64 18", "opset.com.x i64 1", "input.x string f32[batch?x2]",
		"output.y string f32[scalar]", "operator.Neg i64 2", "operator.Constant i64 1", "operator.Sum i64 1", "function.com.x.f i64 1", "author string me",
	}, got))
	require.Equal(t, []string{"author"}, f.Extras())
	x, err := f.Index()
	require.NoError(t, err)
	names := []string{}
	for _, s := range x.Tensors {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"w", "v", "c"}, names)
	require.Equal(t, map[string]string{"author": "me"}, x.Metadata)
	contents, err := f.Contents()
	require.NoError(t, err)
	require.Equal(t, contents["w"], contents["c"])
	require.NotEqual(t, contents["w"], contents["v"])
	_, at, err := f.Place("w")
	require.NoError(t, err)
	require.Positive(t, at)
}
