package ctranslate2

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func TestWriteRefusesWhatCannotBeRead(t *testing.T) {
	one := value(t, []float32{1}, 1)
	tests := []struct {
		name  string
		model Model
		code  errs.Code
	}{
		{"no spec", Model{}, CodeString},
		{"type", Model{Spec: "S", Variables: []Variable{{"w", value(t, []float64{1}, 1)}}}, CodeDType},
		{"length", Model{Spec: "S", Variables: []Variable{{"w", tensor.Value{Type: tensor.TypeOf(dtype.F32, 2), Bytes: make([]byte, 4)}}}}, CodeLength},
		{"rank", Model{Spec: "S", Variables: []Variable{{"w", value(t, []float32{1}, 1, 1, 1, 1, 1, 1, 1, 1, 1)}}}, CodeLimit},
		{"size", Model{Spec: "S", Variables: []Variable{{"w", value(t, []float32{}, 0, 1<<32)}}}, CodeLimit},
		{"long name", Model{Spec: "S", Variables: []Variable{{strings.Repeat("a", 1<<16), one}}}, CodeLimit},
		{"twice", Model{Spec: "S", Variables: []Variable{{"w", one}, {"w", one}}}, CodeDuplicate},
		{"alias", Model{Spec: "S", Aliases: []Alias{{"a", "w"}}}, CodeAlias},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			require.Equal(t, tt.code, errs.CodeOf(Write(&b, tt.model)))
			require.Zero(t, b.Len())
		})
	}
}

func TestWriteIsDeterministic(t *testing.T) {
	var a, b bytes.Buffer
	require.NoError(t, Write(&a, small(t)))
	require.NoError(t, Write(&b, small(t)))
	require.Equal(t, a.Bytes(), b.Bytes())
	w, closed := io.Pipe()
	require.NoError(t, w.Close())
	require.ErrorIs(t, Write(closed, small(t)), io.ErrClosedPipe)
}

// Files of older versions are rewritten as version 6, whose layout from
// version 4 on is the same.
func TestOlderVersionsAnew(t *testing.T) {
	for _, name := range []string{"v3", "v4", "v5"} {
		f, err := Open("testdata/golden/" + name + ".bin")
		require.NoError(t, err)
		defer f.Close()
		out := filepath.Join(t.TempDir(), "model.bin")
		require.NoError(t, WriteFile(out, f.Header(), f.Items()))
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		want, err := os.ReadFile("testdata/golden/v5.bin")
		require.NoError(t, err)
		require.Equal(t, append([]byte{6, 0, 0, 0}, want[4:]...), got, name)
	}
}

// A source that is shorter or longer than promised is an error, and no file is
// left; so is one that fails.
func TestSourcesOfOtherLengths(t *testing.T) {
	failed := errs.New(CodeMissing, "gone")
	s := tensor.Spec{Name: "w", DType: dtype.I8, Shape: shape.Of(4), Bytes: 4}
	bytesOf := func(n int) func() (io.Reader, error) {
		return func() (io.Reader, error) { return strings.NewReader(strings.Repeat("x", n)), nil }
	}
	window := func(n int) func() (io.Reader, error) {
		return func() (io.Reader, error) { return lying{strings.NewReader(strings.Repeat("x", n))}, nil }
	}
	for name, tt := range map[string]struct {
		s    tensor.Spec
		open func() (io.Reader, error)
		code errs.Code
	}{
		"short":        {s, bytesOf(3), CodeLength},
		"long":         {s, bytesOf(5), CodeLength},
		"short window": {s, window(3), CodeLength},
		"exact":        {s, bytesOf(4), ""},
		"exact window": {s, window(4), ""},
		"no source":    {s, func() (io.Reader, error) { return nil, failed }, CodeMissing},
		"other length": {tensor.Spec{Name: "w", DType: dtype.I8, Shape: shape.Of(4), Bytes: 5}, bytesOf(5), CodeLength},
	} {
		out := filepath.Join(t.TempDir(), "model.bin")
		err := WriteFile(out, Header{Spec: "S"}, []Item{{tt.s, tt.open}, {Spec: tensor.Spec{Name: "e", DType: dtype.F32, Shape: shape.Of(0)}}})
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", name, err)
		if tt.code != "" {
			require.NoFileExists(t, out)
		}
	}
	many := make([]Item, MaxVariables+1)
	require.Equal(t, CodeLimit, errs.CodeOf(Encode(io.Discard, Header{Spec: "S"}, many)))
}

// lying is a reader of four bytes that may have fewer.
type lying struct{ *strings.Reader }

func (lying) Remaining() int64 { return 4 }
