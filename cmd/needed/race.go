package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/skainet-dev/skainet-go/backend"
	backendiree "github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/pack"
	weightfile "github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

const (
	// rounds is the number of calls of each program, in turns, of which the fastest counts.
	rounds = 30
	// gain is the least ratio of the two times that is more than noise.
	gain = 1.1
)

// race times a call of a row's model with and without it, on one thread.
func (t tools) race(ctx context.Context, dir string, r iree.Rewrite, f fault, without, with *hlo.Module) (verdict, error) {
	file, err := f.file(dir)
	if err != nil {
		return verdict{}, err
	}
	var open [2]backend.Executable
	for i, m := range []*hlo.Module{without, with} {
		o := compiler.Options{
			Compiler: t.compiler, Linker: t.linker, Target: target.Default(), Text: m.Text, TextName: "needed.mlir",
			Out: filepath.Join(dir, fmt.Sprintf("program%d.vmfb", i)),
		}
		if _, err := compiler.Compile(ctx, o); err != nil {
			return verdict{}, err
		}
		archives, err := packed(dir, m.Contract, file)
		if err != nil {
			return verdict{}, err
		}
		x, err := backendiree.Open(backendiree.Options{
			Program: o.Out, Contract: m.Contract, Archives: archives, Device: "local-sync", Library: t.library, Tool: t.tool,
		})
		if err != nil {
			return verdict{}, err
		}
		defer x.Close()
		open[i] = x
	}
	var best [2]time.Duration
	for range rounds {
		for i, x := range open {
			begun := time.Now()
			if _, err := x.Call(ctx, "main", f.args...); err != nil {
				return verdict{}, err
			}
			if took := time.Since(begun); best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	v := verdict{milliseconds(best[0]), milliseconds(best[1]), "yes"}
	if float64(best[0]) < gain*float64(best[1]) {
		v.needed = "no"
		return v, errs.New(CodeGone, "the rewrite gains nothing: %s without it, %s with it", v.off, v.on).On(r.ID).Hint("test it on other processors, then remove the row from compile/iree")
	}
	return v, nil
}

// index is that of the weights of f's model, or nil.
func (f fault) index() *tensor.Index {
	if f.weight == nil {
		return nil
	}
	return &tensor.Index{Tensors: []tensor.Spec{f.spec()}}
}

func (f fault) spec() tensor.Spec {
	t := tensor.Type{DType: dtype.F32, Shape: f.weight}
	n, err := t.Bytes()
	if err != nil {
		panic(err) // the shapes are in the table
	}
	return tensor.Spec{Name: "w", DType: t.DType, Shape: t.Shape, Encoding: quant.Dense, Bytes: n}
}

// file writes the weights, zeros, and returns the path; "" where there are none.
func (f fault) file(dir string) (string, error) {
	if f.weight == nil {
		return "", nil
	}
	spec, path := f.spec(), filepath.Join(dir, "weights.gguf")
	_, err := gguf.Write(path, nil, []gguf.Item{{Spec: spec, Open: func() (io.Reader, error) {
		return bytes.NewReader(make([]byte, spec.Bytes)), nil
	}}}, gguf.Options{})
	return path, err
}

// packed returns the archives of a program's scope; none without a file.
func packed(dir string, c *contract.Contract, file string) (map[string][]string, error) {
	if file == "" {
		return nil, nil
	}
	w, err := weightfile.Open(file)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	scope, path := c.Parameters[0].Scope, filepath.Join(dir, "weights.irpa")
	return map[string][]string{scope: {path}}, pack.Pack(path, c, scope, w, nil)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.2f ms", 1000*d.Seconds()) }
