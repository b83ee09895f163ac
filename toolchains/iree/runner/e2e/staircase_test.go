//go:build integration

package e2e

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/examples/staircase/affine"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// The models of the first steps, as a user has them, on arguments for which each
// result has at most one rounding: the bytes must equal the CPU backend's.
func TestStaircase(t *testing.T) {
	for _, c := range []struct {
		program string // environment variable of the program; with _CONTRACT, of the contract
		model   func(*lang.Module)
		archive bool
	}{
		{"LINE", affine.Model, false},
		{"EXTERNAL", linear.Model, true},
		{"GRAY", grayscale.Model, false},
	} {
		dir := t.TempDir()
		b, err := os.ReadFile(path(t, c.program+"_CONTRACT"))
		require.NoError(t, err)
		put(t, dir, "contract.json", b)
		parsed, err := contract.Parse(b)
		require.NoError(t, err)
		g, err := export.Capture(cpu.Evaluate, parsed.Name, nil, c.model, "", "")
		require.NoError(t, err)
		x, err := cpu.Load(g, parsed, identity)
		require.NoError(t, err)
		e := parsed.Entries[0]

		words := []string{path(t, "RUNNER"), path(t, c.program), "--contract=contract.json", "--output=" + e.Results[0].Name + "=got.npy", "x.npy"}
		if c.archive {
			words = append(words, "--archive=model="+path(t, "EXTERNAL_ARCHIVE"))
		}
		for seed := range uint64(4) {
			arg := random(t, seed, e.Args[0])
			require.NoError(t, npy.WriteFile(filepath.Join(dir, "x.npy"), arg))
			results, err := x.Call(context.Background(), e.Name, arg)
			require.NoError(t, err)
			var want bytes.Buffer
			require.NoError(t, npy.Write(&want, results[0]))
			require.Equal(t, outcome{}, start(t, dir, words...), c.program)
			require.True(t, bytes.Equal(want.Bytes(), read(t, dir, "got.npy")), "%s: seed %d", c.program, seed)
		}
	}
}

// identity returns the weights of package linear.
func identity(_, key string) (tensor.Value, error) {
	if strings.HasSuffix(key, "b") {
		return tensor.Of([]float32{0, 0}, 2)
	}
	return tensor.Of([]float32{1, 0, 0, 1}, 2, 2)
}

// random fills an argument with bytes, or with numbers of 24 bits between -4 and 4.
func random(t *testing.T, seed uint64, a contract.Named) tensor.Value {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	n, err := a.Shape.Elements()
	require.NoError(t, err)
	var v tensor.Value
	if a.DType == dtype.U8 {
		data := make([]uint8, n)
		for i := range data {
			data[i] = uint8(r.Uint32())
		}
		v, err = tensor.Of(data, a.Shape.Sizes()...)
	} else {
		data := make([]float32, n)
		for i := range data {
			data[i] = 8*r.Float32() - 4
		}
		v, err = tensor.Of(data, a.Shape.Sizes()...)
	}
	require.NoError(t, err)
	return v
}
