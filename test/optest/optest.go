// Package optest is a model with every operation of the table in compile/op, for
// comparing compiled programs with the CPU reference: if a lowering depends on element
// type, rank or attributes, there is an entry point for each variant.
//
// Model holds what every target must compute; CPUOnly the element types that only
// processors have; Dynamic the entry points with dynamic sizes.
//
// # Errors
//
// Cases fails when a contract holds an entry point that is not in the table.
//
// # Determinism
//
// Arguments are fixed, or depend only on the entry point's name.
package optest

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// entry is an entry point with the arguments it is called with.
type entry struct {
	name  string
	build func(f *lang.Func)
	// args are the first arguments; the rest are generated as in package parity.
	args []tensor.Value
	// sizes are those of the dynamic dimensions, one call each; none means that
	// all sizes are known.
	sizes []sizes
	// tolerance of f32 results, if that of the tests is too small.
	tolerance parity.Tolerance
}

// Model is the constructor of the entry points for all targets.
func Model(m *lang.Module) {
	add(m, narrow)
	stateful(m)
	calls(m)
}

// CPUOnly is the constructor of the entry points that only CPUs support.
func CPUOnly(m *lang.Module) { add(m, cpuOnly) }

func add(m *lang.Module, entries []entry) {
	for _, e := range entries {
		m.Entry(e.name, e.build)
	}
}

// narrow is the table for all targets, except state and calls.
var narrow = slices.Concat(sources, elementwise, layout, contraction, convolution, reduction, indexing, norms, loops, composites, bitcast, widened, bounded, found, derivedEntries)

// cpuOnly is the table for CPUs. Weights in blocks are in it since their forms,
// thirteen of them, take a software Vulkan driver minutes; the blocks of Q4_K_M files
// are compared there in a small Gemma (models/gemma3).
var cpuOnly = slices.Concat(wideElementwise, wideOthers, wideWidened, wideBounded, wideFound, packed)

// Cases calls each entry point once, those with dynamic sizes once for each of
// their bindings, and those with state four times, all on one loaded program:
// loading compiles kernels on some devices.
func Cases(c *contract.Contract) ([]parity.Case, error) {
	one := parity.Case{Name: "all"}
	for i := range c.Entries {
		e := &c.Entries[i]
		if slices.Contains(withState, e.Name) {
			continue
		}
		known, err := find(e.Name)
		if err != nil {
			return nil, err
		}
		bindings := known.sizes
		if bindings == nil {
			bindings = []sizes{nil}
		}
		for k, s := range bindings {
			args, err := arguments(e, known, k, s)
			if err != nil {
				return nil, err
			}
			one.Calls = append(one.Calls, parity.Call{Entry: e.Name, Args: args, Tolerance: known.tolerance})
		}
	}
	for _, e := range c.Entries {
		if slices.Contains(withState, e.Name) {
			for pos := range int32(4) {
				one.Calls = append(one.Calls, parity.Call{Entry: e.Name, Args: step(pos)})
			}
		}
	}
	return []parity.Case{one}, nil
}

// find returns the entry of the tables.
func find(name string) (entry, error) {
	for _, e := range slices.Concat(narrow, cpuOnly, dynamic, quantised, subnormal) {
		if e.name == name {
			return e, nil
		}
	}
	if name == dynamicCall.name {
		return dynamicCall, nil
	}
	if !slices.Contains(withCalls, name) {
		return entry{}, errs.New(parity.CodeInput, "no entry point of the table has this name").On(name)
	}
	return entry{name: name}, nil
}

// arguments makes those of call number k of an entry point, with these sizes.
func arguments(e *contract.Entry, known entry, k int, s sizes) ([]tensor.Value, error) {
	args := slices.Clone(known.args)
	h := fnv.New64a()
	h.Write([]byte(e.Name))
	r := rand.New(rand.NewPCG(h.Sum64(), uint64(k)))
	for _, a := range e.Args[len(args):] {
		t := a.Type()
		var err error
		if t.Shape, err = t.Shape.Bind(s); err != nil {
			return nil, err
		}
		v, err := parity.Random(r, t)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

// list makes a value; a wrong size is a fault of the table.
func list[T tensor.Element](data []T, sizes ...int64) tensor.Value {
	v, err := tensor.Of(data, sizes...)
	if err != nil {
		panic(err)
	}
	return v
}

// typed returns v's numbers in another floating-point type.
func typed(d dtype.DType, v []float32, sizes ...int64) tensor.Value {
	out := tensor.Value{Type: tensor.TypeOf(d, sizes...)}
	narrow := tensor.F32ToF16
	switch d {
	case dtype.F32:
		return list(v, sizes...)
	case dtype.F64:
		w := make([]float64, len(v))
		for i, x := range v {
			w[i] = float64(x)
		}
		return list(w, sizes...)
	case dtype.BF16:
		narrow = tensor.F32ToBF16
	}
	for _, x := range v {
		h := narrow(x)
		out.Bytes = append(out.Bytes, byte(h), byte(h>>8))
	}
	return out
}

// each makes one entry point for each element type.
func each(name string, types []dtype.DType, build func(f *lang.Func, d dtype.DType), args func(d dtype.DType) []tensor.Value) []entry {
	var entries []entry
	for _, d := range types {
		e := entry{name: name + "_" + d.String(), build: func(f *lang.Func) { build(f, d) }}
		if args != nil {
			e.args = args(d)
		}
		entries = append(entries, e)
	}
	return entries
}

var (
	halves   = []dtype.DType{dtype.F32, dtype.F16}
	integers = []dtype.DType{dtype.I32, dtype.I8, dtype.U8}
)
