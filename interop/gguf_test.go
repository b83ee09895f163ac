//go:build integration

package interop

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ggufFile is what is in a file, as gguf_oracle.py describes it.
type ggufFile struct {
	Version   int
	Big       bool
	Alignment int64
	Fields    []ggufField
	Tensors   []ggufTensor
}

type ggufField struct {
	Key   string
	Types []int
	Value any // text, or lists of it
}

type ggufTensor struct {
	Name   string
	Type   uint32
	Shape  []int64
	Offset int64
	Bytes  int64
	SHA256 string
}

// TestGGUFRead has gguf-py's writer make files of all types of values and
// tensors, which our reader has to read.
func TestGGUFRead(t *testing.T) {
	dir := t.TempDir()
	var made map[string]ggufFile
	python(t, &made, "write", dir)
	require.Len(t, made, 11)
	for name, want := range made {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if name == "split.gguf" {
				path = gguf.PartPath(filepath.Join(dir, "split"), 0, 6)
			}
			got := ours(t, path)
			if name == "split.gguf" {
				got.Fields = got.Fields[:len(want.Fields)] // those of the split follow
			}
			same := cmpopts.IgnoreFields(ggufTensor{}, "Offset") // the writer does not say it
			if diff := cmp.Diff(want, got, same); diff != "" {
				t.Error(diff)
			}
			faults, err := gguf.Verify(path)
			require.NoError(t, err)
			if name == "nested.gguf" { // gguf-py reads arrays of arrays, ggml does not
				require.NotEmpty(t, faults)
				for _, fault := range faults {
					require.Equal(t, gguf.CodeGGML, errs.CodeOf(fault))
				}
				return
			}
			require.Empty(t, faults)
		})
	}
}

// TestGGUFReadersAgree has both readers read the same files: those of gguf-py's
// writer, and 270M weights with 262144 tokens.
func TestGGUFReadersAgree(t *testing.T) {
	dir := t.TempDir()
	var made map[string]ggufFile
	python(t, &made, "write", dir)
	paths, err := filepath.Glob(filepath.Join(dir, "*.gguf"))
	require.NoError(t, err)
	for _, path := range append(paths, runfile(t, "GEMMA")) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			if strings.HasPrefix(filepath.Base(path), "split-") {
				t.Log("our reader joins the parts; TestGGUFRead compares them")
				return
			}
			agree(t, path)
		})
	}
}

// agree compares what gguf-py finds in a file with what our reader finds.
func agree(t *testing.T, path string) {
	t.Helper()
	var want ggufFile
	python(t, &want, "read", path)
	got := ours(t, path)
	for i, f := range got.Fields {
		got.Fields[i].Value = flat(f.Value)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// flat removes inner lists, which gguf-py's reader does not make.
func flat(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	out := []any{}
	for _, x := range list {
		if inner, ok := flat(x).([]any); ok {
			out = append(out, inner...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// ours describes a file by what our reader finds.
func ours(t *testing.T, path string) ggufFile {
	t.Helper()
	f, err := gguf.Open(path)
	require.NoError(t, err)
	defer f.Close()
	out := ggufFile{Version: f.Version(), Big: f.BigEndian(), Alignment: f.Alignment(), Tensors: []ggufTensor{}}
	for _, v := range f.Values() {
		field := ggufField{Key: v.Key(), Types: []int{int(v.Type())}}
		if v.Type() == gguf.ArrayType {
			a, err := v.Array()
			require.NoError(t, err)
			field.Value, field.Types = array(t, a, field.Types)
		} else {
			field.Value = scalar(t, v)
		}
		out.Fields = append(out.Fields, field)
	}
	for _, x := range f.Tensors() {
		b, err := f.Tensor(x.Name)
		require.NoError(t, err)
		shape := append([]int64{}, x.Shape.Sizes()...)
		out.Tensors = append(out.Tensors, ggufTensor{x.Name, x.Number, shape, x.Offset, b.Len(), hash(t, b)})
	}
	return out
}

func hash(t *testing.T, b tensor.Buffer) string {
	t.Helper()
	r, err := b.Reader()
	require.NoError(t, err)
	h := sha256.New()
	n, err := io.Copy(h, r)
	require.NoError(t, err)
	require.Equal(t, b.Len(), n)
	return hex.EncodeToString(h.Sum(nil))
}

func scalar(t *testing.T, v gguf.Value) any {
	t.Helper()
	switch v.Type() {
	case gguf.String:
		text, err := v.Text()
		require.NoError(t, err)
		return text
	case gguf.F32, gguf.F64:
		x, err := v.Float()
		require.NoError(t, err)
		return bits(x, v.Type())
	}
	text, err := v.Summary() // integers of 64 bits without a sign too
	require.NoError(t, err)
	return text
}

func bits(x float64, kind gguf.Type) string {
	if kind == gguf.F32 {
		return fmt.Sprintf("%08x", math.Float32bits(float32(x)))
	}
	return fmt.Sprintf("%016x", math.Float64bits(x))
}

// array returns the elements and the types from the outermost on.
func array(t *testing.T, a gguf.Array, types []int) ([]any, []int) {
	t.Helper()
	out := []any{}
	add := func(x any, err error) {
		require.NoError(t, err)
		out = append(out, x)
	}
	types = append(types, int(a.Type()))
	switch a.Type() {
	case gguf.String:
		for x, err := range a.Strings() {
			add(x, err)
		}
	case gguf.Bool:
		for x, err := range a.Bools() {
			add(fmt.Sprint(x), err)
		}
	case gguf.F32, gguf.F64:
		for x, err := range a.Floats() {
			add(bits(x, a.Type()), err)
		}
	case gguf.ArrayType:
		deeper := types
		for x, err := range a.Arrays() {
			require.NoError(t, err)
			inner, all := array(t, x, types)
			out, deeper = append(out, inner), all
		}
		types = deeper
	default:
		for x, err := range a.Ints() {
			add(fmt.Sprint(x), err)
		}
	}
	require.Equal(t, a.Len(), int64(len(out)))
	return out, types
}
