//go:build integration

package schema

import (
	"archive/zip"
	"io/fs"
	"os"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/skainet-dev/skainet-go/tools/protogen/generate"
)

// own is the first number of the fields that are not ONNX's.
const own = 1000

// Each message and field is identical to that in ONNX's wheel.
func TestAsONNXHasIt(t *testing.T) {
	path, err := runfiles.Rlocation(os.Getenv("ONNX_WHEEL"))
	require.NoError(t, err)
	wheel, err := zip.OpenReader(path)
	require.NoError(t, err)
	defer wheel.Close()
	text, err := fs.ReadFile(wheel, "onnx/onnx.proto")
	require.NoError(t, err)
	theirs, err := generate.Compile("onnx.proto", string(text))
	require.NoError(t, err)
	compare(t, File_io_onnx_schema_onnx_proto.Messages(), theirs.Messages())
}

func compare(t *testing.T, ours, theirs protoreflect.MessageDescriptors) {
	for i := range ours.Len() {
		m := ours.Get(i)
		other := theirs.ByName(m.Name())
		require.NotNil(t, other, m.Name())
		for j := range m.Fields().Len() {
			f := m.Fields().Get(j)
			if f.Number() >= own {
				continue
			}
			g := other.Fields().ByName(f.Name())
			require.NotNil(t, g, f.FullName())
			require.Equal(t, g.Number(), f.Number(), f.FullName())
			require.Equal(t, g.Kind(), f.Kind(), f.FullName())
			require.Equal(t, g.Cardinality(), f.Cardinality(), f.FullName())
			if f.Kind() == protoreflect.MessageKind {
				require.Equal(t, g.Message().Name(), f.Message().Name(), f.FullName())
			}
		}
		compare(t, m.Messages(), other.Messages())
	}
}
