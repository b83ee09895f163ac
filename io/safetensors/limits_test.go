package safetensors

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// sparse makes a file of a header and a hole for the data.
func sparse(t *testing.T, dir, name, text string, data int64) string {
	t.Helper()
	path := filepath.Join(dir, name)
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	_, err = f.Write(file(text, ""))
	require.NoError(t, err)
	require.NoError(t, f.Truncate(int64(8+len(text))+data))
	return path
}

// A file of 9 GiB with a tensor of 5 GiB after one of 3: nothing is read but
// the header and what is asked for.
func TestLargeFile(t *testing.T) {
	const gib = 1 << 30
	text := fmt.Sprintf(`{"a":{"dtype":"U8","shape":[3,%d],"data_offsets":[0,%d]},"b":{"dtype":"F32","shape":[%d],"data_offsets":[%d,%d]},"c":{"dtype":"U8","shape":[%d],"data_offsets":[%d,%d]}}`,
		gib, 3*gib, 5*gib/4, 3*gib, 8*gib, gib, 8*gib, 9*gib)
	path := sparse(t, t.TempDir(), "large", text, 9*gib)
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	require.NoError(t, err)
	end := int64(8 + len(text) + 8*gib)
	_, err = w.WriteAt([]byte("last"), end-4)
	require.NoError(t, err)
	require.NoError(t, w.Close())

	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	b, err := f.Info("b")
	require.NoError(t, err)
	require.EqualValues(t, 5*gib, b.Bytes)
	require.Equal(t, tensor.TypeOf(dtype.F32, 5*gib/4), b.Type())
	require.Equal(t, end-5*gib, b.Offset)
	buf, err := f.Tensor("b")
	require.NoError(t, err)
	require.NoError(t, buf.View(func(b []byte) error {
		require.Equal(t, "last", string(b[5*gib-4:]))
		return nil
	}))
}

// A false length costs nothing, and a real header costs its size.
func TestMemory(t *testing.T) {
	const n = 20_000
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"layer.%d":{"dtype":"U8","shape":[1],"data_offsets":[%d,%d]}`, i, i, i+1)
	}
	text := "{" + b.String()[1:] + "}"
	whole := file(text, strings.Repeat("x", n))
	lies := binary.LittleEndian.AppendUint64(nil, 1<<40)
	for _, tt := range []struct {
		data  []byte
		most  uint64
		fails bool
	}{
		{lies, 16 << 10, true},
		{append(lies, whole[8:]...), 16 << 10, true},
		{whole, 20 * uint64(len(text)), false},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := parseBytes(tt.data)
		runtime.ReadMemStats(&after)
		require.Equal(t, tt.fails, err != nil, err)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, tt.most, "%d bytes", len(tt.data))
	}
}

// The limit of tensors, in a header and in an index.
func TestMoreTensorsThanTheLimit(t *testing.T) {
	var head, index []byte
	for i := range MaxTensors + 1 {
		name := strconv.AppendInt([]byte(`,"`), int64(i), 36)
		head = append(append(head, name...), `":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}`...)
		index = append(append(index, name...), `":"s"`...)
	}
	head[0], index[0] = '{', '{'
	err := parseBytes(file(string(append(head, '}')), ""))
	require.Equal(t, CodeLimit, errs.CodeOf(err), err)
	index = append(append([]byte(`{"weight_map":`), index...), "}}"...)
	_, err = parseIndex(index, new(errs.Faults))
	require.Equal(t, CodeLimit, errs.CodeOf(err), err)
}

// An index above the limit is refused before it is read.
func TestLongIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	require.NoError(t, os.WriteFile(path, []byte(`{"weight_map":{}}        `), 0o644))
	require.NoError(t, os.Truncate(path, MaxHeader+1))
	_, err := Open(path)
	require.Equal(t, CodeLimit, errs.CodeOf(err), err)
}

// Verify stops after a thousand faults, in one file and over a set.
func TestVerifyIsBounded(t *testing.T) {
	many := func(code string) string { return "{" + strings.Repeat(`"":`+code+",", 1500) + `"a":1}` }
	dir := t.TempDir()
	path := sparse(t, dir, "x", many("1"), 0)
	faults, err := Verify(path)
	require.NoError(t, err)
	require.Len(t, faults, filemap.MaxFaults)
	index := filepath.Join(dir, "i")
	require.NoError(t, os.WriteFile(index, []byte(`{"weight_map":{"a":"x","b":"y"}}`), 0o644))
	faults, err = Verify(index)
	require.NoError(t, err)
	require.Len(t, faults, filemap.MaxFaults)

	// Tensors that the index does not name.
	var extra strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&extra, `"t%d":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},`, i)
	}
	sparse(t, dir, "x", "{"+extra.String()+`"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, 0)
	require.NoError(t, os.WriteFile(index, []byte(`{"weight_map":{"a":"x"}}`), 0o644))
	faults, err = Verify(index)
	require.NoError(t, err)
	require.Len(t, faults, filemap.MaxFaults)
	require.Equal(t, CodeNotInIndex, errs.CodeOf(faults[0]))
}

// A file that is cut short after Open gives an error, not a fault of memory.
func TestFileCutShortWhileOpen(t *testing.T) {
	path := sparse(t, t.TempDir(), "x", `{"a":{"dtype":"U8","shape":[1048576],"data_offsets":[0,1048576]}}`, 1<<20)
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	a, err := f.Tensor("a")
	require.NoError(t, err)
	require.NoError(t, os.Truncate(path, 16))
	err = a.View(func(b []byte) error { _ = strings.Count(string(b), "x"); return nil })
	require.Equal(t, tensor.CodeBadSize, errs.CodeOf(err), err)
	err = Write(path+".out", []Item{{Spec: tensor.Spec{Name: "a", DType: dtype.U8, Shape: f.Index().Tensors[0].Shape}, Data: a}}, nil)
	require.Equal(t, CodeLength, errs.CodeOf(err), err)
	require.NoFileExists(t, path+".out")
}
