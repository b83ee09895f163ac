package safetensors

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

func TestSet(t *testing.T) {
	path := set(t, badfiles.SafetensorsIndexGood(), badfiles.SafetensorsShards())
	f, err := Open(path)
	require.NoError(t, err)
	defer f.Close()
	dir := filepath.Dir(path)
	want := &tensor.Index{
		Format:   "safetensors",
		Metadata: map[string]string{"total_size": "9"},
		Tensors:  []tensor.Spec{spec("w", dtype.F32, 8, 2, 1), spec("b", dtype.U8, 1)},
	}
	if diff := cmp.Diff(want, f.Index(), cmpopts.IgnoreUnexported(tensor.Index{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	require.Equal(t, []string{filepath.Join(dir, "1.safetensors"), filepath.Join(dir, "2.safetensors")}, f.Paths())
	at, offset, err := f.Place("b")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "2.safetensors"), at)
	shard := badfiles.SafetensorsShards()["2.safetensors"]
	require.EqualValues(t, len(shard)-1, offset)
	require.EqualValues(t, len(badfiles.SafetensorsIndexGood())+len(badfiles.SafetensorsShards()["1.safetensors"])+len(shard), f.Size())
	faults, err := Verify(path)
	require.NoError(t, err)
	require.Empty(t, faults)
}

// An index may lack metadata, name no tensor, or hold metadata of any kind; the
// shards' own joins it where they agree.
func TestUnusualIndexes(t *testing.T) {
	meta := func(text string) []byte { return file(`{"__metadata__":`+text+`}`, "") }
	tensorIn := func(name, text string) []byte {
		return file(`{"__metadata__":`+text+`,"`+name+`":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}`, "x")
	}
	shards := map[string][]byte{
		"a": tensorIn("a", `{"format":"pt","who":"a","both":"1"}`), "b": tensorIn("b", `{"format":"pt","who":"b","other":"2"}`),
		"none": meta(`{}`),
	}
	tests := []struct {
		index string
		want  map[string]string
		n     int
	}{
		{`{"weight_map":{}}`, nil, 0},
		{` {"weight_map": {} } ` + "\n", nil, 0},
		{`{"weight_map":{"a":"a","b":"b"}}`, map[string]string{"format": "pt", "both": "1", "other": "2"}, 2},
		{`{"weight_map":{"b":"b","a":"a"},"metadata":{"who":"i","n":1.5e3,"yes":true,"no":false,"null":null,"list":[1],"object":{"a":{}}}}`,
			map[string]string{"format": "pt", "who": "i", "n": "1.5e3", "yes": "true", "no": "false", "both": "1", "other": "2"}, 2},
		{`{"metadata":{"total_size":2},"weight_map":{"a":"a","b":"b"}}`, map[string]string{"format": "pt", "both": "1", "other": "2", "total_size": "2"}, 2},
	}
	for _, tt := range tests {
		f, err := Open(set(t, []byte(tt.index), shards))
		require.NoError(t, err, tt.index)
		if diff := cmp.Diff(tt.want, f.Metadata(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", tt.index, diff)
		}
		require.Len(t, f.Tensors(), tt.n, tt.index)
		require.NoError(t, f.Close())
	}
}

// Names that are legal in a folder are followed, also through a link, as in the
// caches of Hugging Face.
func TestShardsBehindLinks(t *testing.T) {
	shards := badfiles.SafetensorsShards()
	path := set(t, badfiles.SafetensorsIndexGood(), map[string][]byte{"2.safetensors": shards["2.safetensors"], "blobs/1": shards["1.safetensors"]})
	require.NoError(t, os.Symlink(filepath.Join("blobs", "1"), filepath.Join(filepath.Dir(path), "1.safetensors")))
	require.NoError(t, openClose(path))
}

// Verify goes through all shards whatever is wrong with one.
func TestVerifyListsEveryFaultOfASet(t *testing.T) {
	shards := badfiles.SafetensorsShards()
	shards["junk"] = []byte("junk")
	path := set(t, []byte(`{"metadata":{"total_size":1},"weight_map":{"w":"1.safetensors","x":"1.safetensors","j":"junk","k":"junk",`+
		`"m":"missing","n":"missing","b":"3.safetensors","u":"../up"},"more":0}`), shards)
	faults, err := Verify(path)
	require.NoError(t, err)
	var got []string
	for _, err := range faults {
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		got = append(got, strings.TrimPrefix(string(e.Code), "SAFETENSORS_")+" "+filepath.Base(e.File)+" "+e.Node)
	}
	index := filepath.Base(path)
	want := []string{
		"BAD_SHARD " + index + " u", "UNKNOWN_FIELD " + index + " more",
		"TRUNCATED junk ", "MISSING_SHARD " + index + " m",
		"NOT_IN_SHARD " + index + " x", "NOT_IN_INDEX 3.safetensors c",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	require.NoError(t, os.Remove(path))
	_, err = Verify(path)
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
}
