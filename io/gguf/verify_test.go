package gguf

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// raw is the start of a file, field by field.
type raw struct{ encoder }

func newRaw(t *testing.T, tensors, pairs int) *raw {
	r := &raw{encoder{order: binary.LittleEndian}}
	r.b = append(r.b, ggufBytes(t, uint64(tensors))...)
	r.b[16] = byte(pairs)
	return r
}

func (r *raw) info(name string, typ, offset uint64, sizes ...uint64) {
	r.text(name)
	r.number(4, uint64(len(sizes)))
	for _, n := range sizes {
		r.number(8, n)
	}
	r.number(4, typ)
	r.number(8, offset)
}

func TestVerifyListsEveryFault(t *testing.T) {
	r := newRaw(t, 8, 4)
	require.NoError(t, r.pair(Pair{"", int8(1)}))
	require.NoError(t, r.pair(Pair{"general.name", []string{"x"}}))
	require.NoError(t, r.pair(Pair{"general.name", "\xff"}))
	require.NoError(t, r.pair(Pair{"flags", []uint8{2, 1, 3}}))
	r.b[len(r.b)-3-12] = byte(Bool)
	r.info("a", 0, 0, 4)      // as it should be: 16 bytes
	r.info("a", 0, 32, 4)     // the same name
	r.info("b", 2, 64, 33)    // no whole block
	r.info("c", 4, 96, 32)    // a removed type
	r.info("d", 24, 100, 4)   // not aligned
	r.info("e\x00", 24, 0, 4) // inside others
	r.info("f", 99, 256, 4)   // after a hole, and of an unknown type
	r.info("g", 24, 1<<40, 4) // after the end
	path := filepath.Join(t.TempDir(), "x.gguf")
	require.NoError(t, os.WriteFile(path, append(r.b, make([]byte, 1000)...), 0o644))
	faults, err := Verify(path)
	require.NoError(t, err)
	var got []string
	for _, err := range faults {
		var e *errs.Error
		require.ErrorAs(t, err, &e)
		require.Equal(t, path, e.File)
		require.True(t, e.HasOffset)
		got = append(got, strings.TrimSpace(string(e.Code)+" "+e.Node))
	}
	want := []string{
		"GGUF_BAD_KEY", "GGUF_DUPLICATE_KEY general.name", "GGUF_BAD_VALUE general.name", "GGUF_BAD_VALUE flags", "GGUF_BAD_VALUE flags",
		"GGUF_WRONG_TYPE general.name",
		"GGUF_DUPLICATE_NAME a", "GGUF_BAD_ROW b", "GGUF_REMOVED_TYPE c", "GGUF_BAD_NAME",
		"GGUF_BAD_OFFSET d", "GGUF_OVERLAP e\x00", "GGUF_HOLE f", "GGUF_TRUNCATED g", "GGUF_UNKNOWN_TYPE f",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestVerifyReadsThePadding(t *testing.T) {
	items := []Item{ramp[int8](t, "a", 0, 4, 4), ramp[int8](t, "b", 0, 4, 4)}
	for _, tt := range []struct {
		name string
		at   func(f *File) int64
	}{
		{"before the data", func(f *File) int64 { return f.tensors[0].Offset - 1 }},
		{"between tensors", func(f *File) int64 { return f.tensors[0].Offset + 4 }},
		{"at the end", func(f *File) int64 { return f.Size() - 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := write(t, nil, items, Options{})
			f := openFile(t, path)
			at := tt.at(f)
			edit(t, path, at, 1)
			openFile(t, path) // Open does not look there
			faults, err := Verify(path)
			require.NoError(t, err)
			require.Len(t, faults, 1)
			var e *errs.Error
			require.ErrorAs(t, faults[0], &e)
			require.Equal(t, CodePadding, e.Code)
			require.Equal(t, at, e.Offset)
		})
	}
}
