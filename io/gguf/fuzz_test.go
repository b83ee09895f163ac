package gguf

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// FuzzParse checks that any input either parses to values that can be read and
// tensors that are in the file and do not overlap, or returns a coded error with an offset
// inside the file; that Verify's walk agrees with that of Open; that neither
// allocates much; and that what was read can be written and is then read alike.
func FuzzParse(f *testing.F) {
	f.Add(badfiles.GGUFGood())
	f.Add(badfiles.GGUFNested())
	for _, c := range badfiles.GGUF() {
		if len(c.Data) < 1<<16 {
			f.Add(c.Data)
		}
	}
	golden, err := filepath.Glob("testdata/golden/*.gguf")
	require.NoError(f, err)
	require.NotEmpty(f, golden)
	for _, path := range golden {
		b, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		before := allocated()
		h, err := parse(data, int64(len(data)), memory(data), new(errs.Faults))
		// A row of the table of tensors has 25 bytes or more and becomes an Info.
		require.Less(t, allocated()-before, uint64(1<<20+64*len(data)))
		all := errs.Gather(20)
		parse(data, int64(len(data)), memory(data), all)
		if err != nil {
			require.NotEmpty(t, all.List())
			require.Equal(t, err, all.List()[0])
			for _, err := range all.List() {
				var e *errs.Error
				require.ErrorAs(t, err, &e)
				require.True(t, strings.HasPrefix(string(e.Code), "GGUF_"), "%v", err)
				require.True(t, e.HasOffset && e.Offset >= 0 && e.Offset <= int64(len(data)), "%v", err)
			}
			return
		}
		require.Empty(t, all.List())
		end := h.infos
		for _, info := range h.tensors {
			require.LessOrEqual(t, info.Offset+info.Bytes, int64(len(data)), info.Name)
			if info.Bytes > 0 {
				require.LessOrEqual(t, end, info.Offset, info.Name)
				end = info.Offset + info.Bytes
			}
		}
		for _, v := range h.values {
			readable(t, v)
		}
		rewrite(t, h, data)
	})
}

// allocated returns the bytes allocated so far.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// readable reads all of a value.
func readable(t *testing.T, v Value) {
	_, err := v.Summary()
	require.NoError(t, err)
	if v.Type() != ArrayType {
		return
	}
	a, err := v.Array()
	require.NoError(t, err)
	n, err := walk(a)
	require.NoError(t, err)
	require.Equal(t, a.Len(), n)
}

// walk walks over an array and those inside, and counts its elements.
func walk(a Array) (n int64, err error) {
	count := func(err error) bool { n++; return err == nil }
	switch a.Type() {
	case String:
		a.Strings()(func(_ string, e error) bool { err = e; return count(e) })
	case Bool:
		a.Bools()(func(_ bool, e error) bool { err = e; return count(e) })
	case F32, F64:
		a.Floats()(func(_ float64, e error) bool { err = e; return count(e) })
	case U64:
		a.Uints()(func(_ uint64, e error) bool { err = e; return count(e) })
	case ArrayType:
		for in, e := range a.Arrays() {
			if e == nil {
				_, e = walk(in)
			}
			if err = e; !count(e) {
				break
			}
		}
	default:
		a.Ints()(func(_ int64, e error) bool { err = e; return count(e) })
	}
	return n, err
}

func rewrite(t *testing.T, h *header, data []byte) {
	var pairs []Pair
	for _, v := range h.values {
		if !reserved(v.key) {
			pairs = append(pairs, Pair{v.key, v})
		}
	}
	var items []Item
	for _, info := range h.tensors {
		b := tensor.Owned(data[info.Offset : info.Offset+info.Bytes])
		if info.swap > 1 {
			b = &swapped{b, info.swap}
		}
		items = append(items, Item{Spec: info.Spec, Open: b.Reader})
	}
	for _, big := range []bool{h.big, false, true} {
		// Blocks stay in the byte order in which they are.
		if big != h.big && slices.ContainsFunc(items, func(i Item) bool { return i.DType.Bits() == 16 || !i.Encoding.IsDense() }) {
			continue
		}
		var out bytes.Buffer
		require.NoError(t, Encode(&out, pairs, items, Options{Version: int(h.version), BigEndian: big, Alignment: h.alignment, BeyondGGML: true}))
		b := out.Bytes()
		back, err := parse(b, int64(len(b)), memory(b), new(errs.Faults))
		require.NoError(t, err)
		require.Equal(t, big, back.big)
		require.Len(t, back.tensors, len(h.tensors))
		for i, info := range back.tensors {
			want := h.tensors[i].Spec
			if strings.HasPrefix(string(want.Encoding), string(quant.Opaque(unknownPrefix))) {
				want.Bytes = align(want.Bytes, h.alignment)
			}
			require.Equal(t, want, info.Spec)
			r, err := items[i].Open()
			require.NoError(t, err)
			first, err := io.ReadAll(r)
			require.NoError(t, err)
			again := b[info.Offset : info.Offset+int64(len(first))]
			if info.swap > 1 {
				again = bytes.Clone(again)
				reverse(again, info.swap)
			}
			require.True(t, bytes.Equal(first, again), info.Name)
		}
		for _, p := range pairs {
			v, ok := back.get(p.Key)
			require.True(t, ok, p.Key)
			require.Empty(t, cmp.Diff(anyValue(t, p.Value.(Value)), anyValue(t, v), cmpopts.EquateNaNs()))
		}
	}
}
