package main

import (
	"encoding/binary"

	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// threads is the device whose threads compute while the program goes on.
const threads = "local-task"

func looping(body func(c, x lang.Tensor) lang.Tensor, first func(f *lang.Func) lang.Tensor) func(m *lang.Module) {
	return entry(func(f *lang.Func) {
		x := f.Input("x", dtype.F32, 4)
		out := f.While([]lang.Tensor{first(f)},
			func(c []lang.Tensor) lang.Tensor { return c[0].Reshape().Less(f.Splat(dtype.F32, 9)) },
			func(c []lang.Tensor) []lang.Tensor { return []lang.Tensor{body(c[0], x)} })
		f.Output("y", out[0])
	})
}

func cachedLoop(m *lang.Module) {
	s := m.State("cache", dtype.F32, 0, 64, 2)
	m.Entry("main", func(f *lang.Func) {
		x, zero := f.Input("x", dtype.F32, 1, 2), f.Splat(dtype.I32, 0)
		out := f.While([]lang.Tensor{zero, f.Read(s), x},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 5)) },
			func(c []lang.Tensor) []lang.Tensor {
				cache := c[1].Update(c[2], c[0], zero)
				return []lang.Tensor{c[0].AddScalar(1), cache, cache.Sum(true, 0)}
			})
		f.Write(s, out[1])
		f.Output("y", out[2])
	})
}

// Where in the compiler the faults are.
const (
	causeCarried = "iree-stream-propagate-timepoints adds a timepoint to each resource that scf.for and scf.while carry, " +
		"and makes stream.async.execute wait for it, but no stream.timepoint.await for other users of the region's argument. " +
		"util.optimization_barrier hides the argument, and what executes with its result waits for nothing."
	causeMoved = "iree-util-simplify-global-accesses moves loads to the beginning and stores to the end of a block, and forwards values between them, " +
		"without a look into the regions of the operations that it passes."
	causeLoad = "iree-stream-propagate-timepoints enters the regions of scf operations that carry or return a resource, and no others: " +
		"a util.global.load there gets no load of the variable's timepoint."
	causeBranches = "the canonicalizer merges blocks that are alike in a spirv.func: spirv.BranchConditional then names one block as both targets, " +
		"with a pointer among other arguments, and the OpPhi of those has one predecessor twice."
	causeSort = "iree-stream-elide-async-copies removes the copy that keeps the operand for an earlier reader, then iree-stream-schedule-execution, " +
		"which orders regions by data dependence alone, executes the reader later since it waits for a value of the host."
)

// carriedBarrier adds 1 in each round, through a barrier.
func carriedBarrier(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		out := f.While([]lang.Tensor{f.Splat(dtype.I32, 0), f.Splat(dtype.F32, 0, 1<<16)},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 100)) },
			func(c []lang.Tensor) []lang.Tensor {
				return []lang.Tensor{c[0].AddScalar(1), c[1].Barrier().AddScalar(1)}
			})
		f.Output("y", out[1])
	})
}

// stateLoop stores the first row of a variable, and in a loop each row from the one before.
func stateLoop(m *lang.Module) {
	s := m.State("rows", dtype.F32, 0, 8, 4)
	m.Entry("main", func(f *lang.Func) {
		zero := f.Splat(dtype.I32, 0)
		first := f.Read(s).Update(f.Splat(dtype.F32, 5, 1, 4), zero, zero)
		out := f.While([]lang.Tensor{f.Splat(dtype.I32, 1), first},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(f.Splat(dtype.I32, 8)) },
			func(c []lang.Tensor) []lang.Tensor {
				row := c[1].DynamicSlice([]int64{1, 4}, c[0].AddScalar(-1), zero)
				return []lang.Tensor{c[0].AddScalar(1), c[1].Update(row.AddScalar(1), c[0], zero)}
			})
		f.Write(s, out[1])
		f.Output("y", out[1].MulScalar(2))
	})
}

// convertedBegin is a layer over time of halves whose two states are arguments.
func convertedBegin(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		steps, b, one, wide := shape.Named("t"), shape.Named("b"), shape.N(1), shape.N(6)
		zero := f.Splat(dtype.I32, 0)
		x := f.InputOf("x", dtype.F16, steps, b, wide).Convert(dtype.F32)
		state := func(name string) lang.Tensor {
			return f.InputOf(name, dtype.F16, one, b, wide).Slice(0, 0, 1).Convert(dtype.F32).ReshapeOf(b, wide)
		}
		h, c := state("h"), state("c")
		out := f.While([]lang.Tensor{zero, h, c},
			func(c []lang.Tensor) lang.Tensor { return c[0].Less(x.Size(0)) },
			func(c []lang.Tensor) []lang.Tensor {
				row := x.DynamicSliceOf([]shape.Dim{one, b, wide}, c[0], zero, zero).ReshapeOf(b, wide)
				next := c[2].MulScalar(0.5).Add(row).Add(c[1])
				return []lang.Tensor{c[0].AddScalar(1), next.MulScalar(0.25), next}
			})
		f.Output("h_out", out[1])
		f.Output("c_out", out[2])
	})
}

// halves returns numbers from first on, in steps of an eighth, as f16.
func halves(first float32, sizes ...int64) tensor.Value {
	v := tensor.Value{Type: tensor.TypeOf(dtype.F16, sizes...)}
	count := int64(1)
	for _, s := range sizes {
		count *= s
	}
	for i := range count {
		v.Bytes = binary.LittleEndian.AppendUint16(v.Bytes, tensor.F32ToF16(first+float32(i)/8))
	}
	return v
}
