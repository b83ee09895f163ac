package silero

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/chunk"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// loud says that samples of 1 are speech, and keeps what it heard.
type loud struct {
	heard [][]float32
	width int64
	many  int
}

func (l *loud) Contract() *contract.Contract {
	return &contract.Contract{Entries: []contract.Entry{{
		Name: "main", Args: []contract.Named{{Name: "input", DType: dtype.F32, Shape: shape.Of(1, l.width)}},
		Results: []contract.Named{{Name: "output", DType: dtype.F32, Shape: shape.Of(1, 1)}},
	}}}
}
func (l *loud) Close() error { return nil }
func (l *loud) Call(_ context.Context, _ string, args ...tensor.Value) ([]tensor.Value, error) {
	x, err := tensor.Slice[float32](args[0])
	if err != nil {
		return nil, err
	}
	l.heard = append(l.heard, x)
	v, err := tensor.Of(append([]float32{x[300]}, make([]float32, l.many)...), int64(1+l.many))
	return []tensor.Value{v}, err
}

func TestWindowsOverlap(t *testing.T) {
	l := &loud{width: 576}
	d, err := New(l)
	require.NoError(t, err)
	samples := make([]float32, 3*512+100)
	for i := range samples {
		samples[i] = float32(i + 1)
	}
	p, err := d.Probabilities(context.Background(), samples)
	require.NoError(t, err)
	require.Len(t, p, 4)
	require.Zero(t, l.heard[0][63])
	require.InDelta(t, 1, l.heard[0][64], 0)
	require.InDelta(t, 512-63, l.heard[1][0], 0, "the end of the window before")
	require.InDelta(t, 3*512+100, l.heard[3][64+99], 0)
	require.Zero(t, l.heard[3][64+100], "the last window is filled up")
}

func TestSpeech(t *testing.T) {
	d, err := New(&loud{width: 576})
	require.NoError(t, err)
	samples := make([]float32, 40*512)
	for i := 10 * 512; i < 30*512; i++ {
		samples[i] = 1
	}
	got, err := d.Speech(context.Background(), samples)
	require.NoError(t, err)
	require.Equal(t, []chunk.Range{{Start: 10*512 - 480, End: 30*512 + 480}}, got)
}

func TestRefused(t *testing.T) {
	_, err := New(&loud{width: 512})
	require.Equal(t, CodeProgram, errs.CodeOf(err))
	d, err := New(&loud{width: 576, many: 1})
	require.NoError(t, err)
	_, err = d.Speech(context.Background(), make([]float32, 10))
	require.Equal(t, CodeProgram, errs.CodeOf(err))
}
