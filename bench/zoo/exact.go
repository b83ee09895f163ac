package main

import (
	"context"
	"math"
	"path/filepath"
	"slices"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// exact makes a .npz in a folder, with the results of the first call in f64, which ONNX's reference
// evaluator computes.
func (m model) exact(file, arguments, folder string) (string, error) {
	script, err := harness.Runfile(exactScript)
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "exact.npz")
	return path, convert(script, file, arguments, path)
}

// wrong returns how far a call's results are from those in f64, as a share of the greatest magnitude
// of each; the others have the same in contestant.py.
func wrong(ctx context.Context, c call, path string) (worst float64, err error) {
	if path == "" {
		return 0, nil
	}
	want, err := npy.ReadArchive(path)
	if err != nil {
		return 0, err
	}
	got, err := c.does(ctx)
	if err != nil {
		return 0, err
	}
	for i, name := range c.results {
		at := slices.IndexFunc(want, func(a npy.Array) bool { return a.Name == name })
		if at < 0 || i >= len(got) {
			return 0, errs.New(harness.CodeResult, "no result in f64, or of the call").On(name)
		}
		e, err := apart(got[i], want[at].Value, c.full)
		if err != nil {
			return 0, errs.Wrap(harness.CodeResult, err, "beside f64").On(name)
		}
		worst = max(worst, e)
	}
	return worst, nil
}

// apart is the greatest difference of two results, as a share of the greatest magnitude of the
// second; with full the first is scaled to a magnitude of 1. Sizes of 1 do not count.
func apart(got, want tensor.Value, full bool) (float64, error) {
	a, err := floats(got)
	if err != nil {
		return 0, err
	}
	b, err := floats(want)
	if err != nil {
		return 0, err
	}
	if len(a) != len(b) {
		return 0, errs.New(harness.CodeResult, "a result of %v, want %v", got.Type.Shape, want.Type.Shape)
	}
	var most, far float64
	for _, x := range b {
		most = max(most, math.Abs(x))
	}
	scale := 1.0
	if full {
		scale = most
	}
	for i := range b {
		far = max(far, math.Abs(scale*a[i]-b[i]))
	}
	if most == 0 {
		return far, nil
	}
	return far / most, nil
}

func floats(v tensor.Value) ([]float64, error) {
	n, err := v.Type.Shape.Elements()
	if err != nil {
		return nil, err
	}
	list := make([]float64, n)
	return list, tensor.Float64s(v.Type.DType, list, v.Bytes)
}
