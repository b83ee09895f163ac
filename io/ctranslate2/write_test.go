package ctranslate2

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
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
