package safetensors

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// coded checks that err has a code of this package and an offset in the file.
func coded(t *testing.T, err error, size int) {
	t.Helper()
	var e *errs.Error
	require.ErrorAs(t, err, &e)
	require.True(t, strings.HasPrefix(string(e.Code), "SAFETENSORS_"), err)
	require.True(t, e.HasOffset && e.Offset >= 0 && e.Offset <= int64(size), "%v", err)
	require.NotContains(t, err.Error(), "\n")
}

// FuzzParse checks that any input either parses to tensors that tile the data,
// or returns a coded error with an offset inside the file; that gathering faults
// finds the same first one, and none in a good file; that encoding/json takes
// every header that we take; and that what was read can be written and is then
// read alike.
func FuzzParse(f *testing.F) {
	f.Add(badfiles.SafetensorsGood())
	for _, c := range badfiles.Safetensors() {
		if len(c.Data) < 1<<12 {
			f.Add(c.Data)
		}
	}
	for _, name := range []string{"every", "empty", "metadata"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".safetensors"))
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := parse(data, new(errs.Faults))
		faults := errs.Gather(filemap.MaxFaults)
		parse(data, faults)
		for _, err := range faults.List() {
			coded(t, err, len(data))
		}
		if err != nil {
			coded(t, err, len(data))
			require.NotEmpty(t, faults.List())
			require.Equal(t, err.Error(), faults.List()[0].Error())
			return
		}
		require.Empty(t, faults.List())
		require.True(t, Sniff(data))
		var loose map[string]any
		require.NoError(t, json.Unmarshal(data[8:h.data], &loose))
		if h.metadata != nil {
			require.Contains(t, loose, metadataKey)
			delete(loose, metadataKey)
		}
		require.Len(t, h.tensors, len(loose))

		at := h.data
		var items []Item
		for _, x := range h.tensors {
			require.Contains(t, loose, x.Name)
			require.Equal(t, at, x.Offset)
			at += x.Bytes
			if x.Encoding.IsDense() {
				items = append(items, Item{Spec: x.Spec, Data: tensor.Owned(data[x.Offset:at])})
			}
		}
		require.EqualValues(t, len(data), at)
		var out bytes.Buffer
		require.NoError(t, Encode(&out, items, h.metadata))
		back, err := parse(out.Bytes(), new(errs.Faults))
		require.NoError(t, err)
		require.Zero(t, back.data%dataAlign)
		require.Equal(t, h.metadata, back.metadata)
		require.Len(t, back.tensors, len(items))
		read := map[string]string{}
		for _, x := range back.tensors {
			read[x.Name] = x.Type().String() + string(out.Bytes()[x.Offset:x.Offset+x.Bytes])
		}
		for _, item := range items {
			b, err := item.Data.Bytes()
			require.NoError(t, err)
			require.Equal(t, item.Type().String()+string(b), read[item.Name])
		}
	})
}

// FuzzParseIndex checks the same of an index, without its shards.
func FuzzParseIndex(f *testing.F) {
	f.Add(badfiles.SafetensorsIndexGood())
	for _, c := range badfiles.SafetensorsIndex() {
		if len(c.Data) < 1<<12 {
			f.Add(c.Data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := parseIndex(data, new(errs.Faults))
		found := FindIndex(bytes.NewReader(data))
		require.True(t, found || err != nil, "an index that is not found to be one")
		faults := errs.Gather(filemap.MaxFaults)
		parseIndex(data, faults)
		for _, err := range faults.List() {
			coded(t, err, len(data))
		}
		if err != nil {
			coded(t, err, len(data))
			require.NotEmpty(t, faults.List())
			require.Equal(t, err.Error(), faults.List()[0].Error())
			return
		}
		require.Empty(t, faults.List())
		var loose struct {
			Metadata map[string]json.RawMessage `json:"metadata"`
			Map      map[string]string          `json:"weight_map"`
		}
		require.NoError(t, json.Unmarshal(data, &loose))
		require.Len(t, x.tensors, len(loose.Map))
		dir := t.TempDir()
		for _, p := range x.tensors {
			require.Equal(t, loose.Map[p.name], p.shard)
			require.Equal(t, dir, filepath.Dir(filepath.Join(dir, p.shard)), "a shard outside the folder")
		}
	})
}
