package contestant

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestServe(t *testing.T) {
	var out bytes.Buffer
	prepared, ran := 0, 0
	err := Serve(strings.NewReader(`{"do":"gemv","least":1e-9}{"do":"gemv","least":1e-9}`), &out, Ready{"v", []string{GEMV}}, func(do string) (Run, error) {
		require.Equal(t, GEMV, do)
		prepared++
		return func() (Result, error) { ran++; return InMemory([]float32{1, -2.5}), nil }, nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, prepared)
	require.GreaterOrEqual(t, ran, 4, "to warm up and to measure, twice")
	d := json.NewDecoder(&out)
	var r Ready
	require.NoError(t, d.Decode(&r))
	require.Equal(t, Ready{"v", []string{GEMV}}, r)
	for range 2 {
		var a Answer
		require.NoError(t, d.Decode(&a))
		require.InDelta(t, 3.5, a.Sum, 0)
		require.Positive(t, a.Seconds)
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestServeFaults(t *testing.T) {
	none := func(string) (Run, error) { return nil, errors.New("cannot") }
	require.Equal(t, CodeProtocol, errs.CodeOf(Serve(strings.NewReader(""), closed{}, Ready{}, none)))
	require.Equal(t, CodeProtocol, errs.CodeOf(Serve(strings.NewReader("x"), &bytes.Buffer{}, Ready{}, none)))
	require.ErrorContains(t, Serve(strings.NewReader("{}"), &bytes.Buffer{}, Ready{}, none), "cannot")
	bad := func(string) (Run, error) { return func() (Result, error) { return nil, errors.New("broke") }, nil }
	require.ErrorContains(t, Serve(strings.NewReader("{}"), &bytes.Buffer{}, Ready{}, bad), "broke")
}

// The contestants in other languages make the same numbers: these were made by
// NumPy.
func TestNumbers(t *testing.T) {
	require.Equal(t, []float32{-0.99901915, -0.9882295, -0.97743994}, Numbers(1, 3))
	require.InDelta(t, 3, Sum([]float32{1, -2}), 0)
}
