package onnx

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// FuzzParse checks that any input either is a model, or returns a coded error with an
// offset inside the file; that Verify's walk agrees with that of Open; that neither takes
// more memory than a multiple of the input; and that protobuf's own decoder reads the
// same elements from what is a model.
func FuzzParse(f *testing.F) {
	f.Add(badfiles.ONNXGood())
	for _, c := range badfiles.ONNX() {
		if len(c.Data) < 1<<14 {
			f.Add(c.Data)
		}
	}
	golden, err := filepath.Glob("testdata/golden/*.onnx")
	require.NoError(f, err)
	require.NotEmpty(f, golden)
	for _, path := range golden {
		b, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := allocated()
		m, err := ParseModel(data)
		require.Less(t, allocated()-before, uint64(1<<20+400*len(data)))
		all := errs.Gather(20)
		_, _ = parse(data, &contents{b: data}, all)
		if err != nil {
			require.NotEmpty(t, all.List())
			require.Equal(t, err, all.List()[0])
			for _, err := range all.List() {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.True(t, strings.HasPrefix(string(e.Code), "ONNX_"), "%v", err)
				require.True(t, e.HasOffset && e.Offset >= 0 && e.Offset <= int64(len(data)), "%v", err)
			}
			return
		}
		require.Empty(t, all.List())
		keys := map[string]bool{}
		m.each(func(tensor *Tensor) {
			require.False(t, keys[tensor.Key], tensor.Key)
			keys[tensor.Key] = true
		})
		for n := range m.Nodes() {
			require.NotEmpty(t, n.Place())
		}
		same(t, data, m)
	})
}

// same compares the graph's initializers with what protobuf's decoder reads.
func same(t *testing.T, data []byte, m *Model) {
	var p schema.ModelProto
	require.NoError(t, proto.Unmarshal(data, &p))
	require.Len(t, m.Graph.Nodes, len(p.GetGraph().GetNode()))
	require.Len(t, m.Graph.Initializers, len(p.GetGraph().GetInitializer()))
	for i, want := range p.GetGraph().GetInitializer() {
		got := &m.Graph.Initializers[i]
		require.Equal(t, want.GetName(), got.Name)
		if got.External != nil || got.Number == typeString {
			continue
		}
		require.NoError(t, got.view(func(b []byte) error {
			require.Len(t, b, int(got.size()))
			require.True(t, bytes.Equal(elements(want), b), "%s: %x, not %x", got.Name, b, elements(want))
			return nil
		}))
	}
}

// elements returns the elements of a decoded message as in memory.
func elements(p *schema.TensorProto) []byte {
	if len(p.GetRawData()) > 0 {
		return p.GetRawData()
	}
	row := types[int64(p.GetDataType())]
	var b []byte
	for _, v := range p.GetFloatData() {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	for _, v := range p.GetDoubleData() {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	for _, v := range p.GetInt32Data() {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))[:len(b)+(row.bits+7)/8]
	}
	for _, v := range p.GetInt64Data() {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, v := range p.GetUint64Data() {
		b = binary.LittleEndian.AppendUint64(b, v)[:len(b)+(row.bits+7)/8]
	}
	if row.bits == 6 {
		b = pack6(b)
	}
	return b
}

// allocated returns the bytes allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
