// Package kernels writes kernels as MLIR text for the operations where StableHLO
// is too slow. A kernel is a stream.executable of scf and vector operations
// inside the StableHLO module, called by flow.dispatch; the compiler turns it
// into code for any CPU that it knows (not for Vulkan or VMVX). Each kernel
// computes what a StableHLO form computes, which is its fallback on other
// targets and checks it in the parity tests.
//
// The dialects are those of one release, IREEVersion; the build rules use the
// portable text with any other.
//
// # Errors
//
// None: a shape for which there is no kernel is said not to be supported.
//
// # Determinism
//
// The text depends only on the shape and the element type.
package kernels

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/lang/dtype"
)

// IREEVersion is the release whose stream, scf and vector dialects the kernels
// are written in.
const IREEVersion = "3.13.0"

// MatVec is y[N] = W[N, K] x[K], with W as it is stored and x and y in f32: the
// products of a decoder that makes one token at a time. Each row is summed in
// vectors of 16 lanes and accumulators that are added up once at its end. Others
// than f32 are widened in registers, so that a weight is read once and no f32 copy of it
// is made.
type MatVec struct {
	N, K   int64
	Weight dtype.DType // F32, F16, BF16 or I8
}

const (
	lanes        = 16 // f32 lanes of a vector: one AVX-512 register, two of AVX2, four of NEON
	maxUnroll    = 8  // vectors of one iteration
	accumulators = 4  // independent sums, to hide the latency of multiply-add
	rowsOfGroup  = 32 // rows of a workgroup
)

// Supported says whether there is a kernel for the shape and type.
func (m MatVec) Supported() bool {
	return m.N > 0 && m.K > 0 && m.K%lanes == 0 && m.widen() != ""
}

// widen gives the operation from the weight's elements to f32, "none" for f32.
func (m MatVec) widen() string {
	switch m.Weight {
	case dtype.F32:
		return "none"
	case dtype.F16, dtype.BF16:
		return "arith.extf"
	case dtype.I8:
		return "arith.sitofp"
	}
	return ""
}

// Widens says whether the kernels of floats read weights of the type.
func Widens(d dtype.DType) bool { return MatVec{Weight: d}.widen() != "" }

// Symbol names the kernel.
func (m MatVec) Symbol() string { return fmt.Sprintf("matvec_%s_%dx%d", m.Weight, m.N, m.K) }

// unroll is the largest number of vectors up to maxUnroll that divides a row.
func (m MatVec) unroll() int {
	u := maxUnroll
	for m.K%int64(u*lanes) != 0 {
		u /= 2
	}
	return u
}

// Text gives the executable, each line behind indent.
func (m MatVec) Text(indent string) string {
	w := &writer{indent: indent}
	name := m.Symbol()
	w.open("stream.executable private @%s {", name)
	w.open("stream.executable.export public @%s workgroups() -> (index, index, index) {", name)
	w.line("%%groups = arith.constant %d : index", (m.N+rowsOfGroup-1)/rowsOfGroup)
	w.line("%%one = arith.constant 1 : index")
	w.line("stream.return %%groups, %%one, %%one : index, index, index")
	w.close()
	w.open("builtin.module {")
	w.open("func.func @%s(%%b0: !stream.binding, %%b1: !stream.binding, %%b2: !stream.binding) {", name)
	for _, c := range []struct {
		name  string
		value int64
	}{{"zero", 0}, {"one", 1}, {"rows", rowsOfGroup}, {"n_end", m.N}, {"k_end", m.K}, {"step", int64(m.unroll() * lanes)}} {
		w.line("%%%s = arith.constant %d : index", c.name, c.value)
	}
	w.line("%%none = arith.constant dense<0.0> : %s", vec(dtype.F32))
	weights := fmt.Sprintf("memref<%dx%dx%s>", m.N, m.K, m.Weight.MLIR())
	w.line("%%w = stream.binding.subspan %%b0[%%zero] : !stream.binding -> %s", weights)
	w.line("%%x = stream.binding.subspan %%b1[%%zero] : !stream.binding -> memref<%dxf32>", m.K)
	w.line("%%y = stream.binding.subspan %%b2[%%zero] : !stream.binding -> memref<%dxf32>", m.N)
	w.line("%%group = stream.dispatch.workgroup.id[0] : index")
	w.line("%%first = arith.muli %%group, %%rows : index")
	w.line("%%after = arith.addi %%first, %%rows : index")
	w.line("%%last = arith.minui %%after, %%n_end : index")
	w.open("scf.for %%n = %%first to %%last step %%one {")
	sums := m.row(w, weights)
	w.line("%%r = vector.reduction <add>, %s : %s into f32", sums, vec(dtype.F32))
	w.line("memref.store %%r, %%y[%%n] : memref<%dxf32>", m.N)
	w.close()
	w.line("return")
	w.close()
	w.close()
	w.close()
	return w.b.String()
}

// row sums one row and gives the vector of its lanes' sums.
func (m MatVec) row(w *writer, weights string) string {
	n := min(accumulators, m.unroll())
	initial, carried := make([]string, n), make([]string, n)
	types := strings.Repeat(", "+vec(dtype.F32), n)[2:]
	for i := range n {
		carried[i] = fmt.Sprintf("%%s%d", i)
		initial[i] = carried[i] + " = %none"
	}
	count := ""
	if n > 1 {
		count = fmt.Sprintf(":%d", n)
	}
	w.open("%%sum%s = scf.for %%k = %%zero to %%k_end step %%step iter_args(%s) -> (%s) {", count, strings.Join(initial, ", "), types)
	for i := range m.unroll() {
		at := "%k"
		if i > 0 {
			at = fmt.Sprintf("%%k%d", i)
			w.line("%%d%d = arith.constant %d : index", i, i*lanes)
			w.line("%s = arith.addi %%k, %%d%d : index", at, i)
		}
		w.line("%%w%d = vector.load %%w[%%n, %s] : %s, %s", i, at, weights, vec(m.Weight))
		wide := fmt.Sprintf("%%w%d", i)
		if m.Weight != dtype.F32 {
			wide = fmt.Sprintf("%%f%d", i)
			w.line("%s = %s %%w%d : %s to %s", wide, m.widen(), i, vec(m.Weight), vec(dtype.F32))
		}
		w.line("%%x%d = vector.load %%x[%s] : memref<%dxf32>, %s", i, at, m.K, vec(dtype.F32))
		w.line("%%a%d = vector.fma %s, %%x%d, %s : %s", i, wide, i, carried[i%n], vec(dtype.F32))
		carried[i%n] = fmt.Sprintf("%%a%d", i)
	}
	w.line("scf.yield %s : %s", strings.Join(carried, ", "), types)
	w.close()
	if n == 1 {
		return "%sum"
	}
	sums := make([]string, n)
	for i := range sums {
		sums[i] = fmt.Sprintf("%%sum#%d", i)
	}
	for i := 0; len(sums) > 1; i++ {
		w.line("%%t%d = arith.addf %s, %s : %s", i, sums[0], sums[1], vec(dtype.F32))
		sums = append(sums[2:], fmt.Sprintf("%%t%d", i))
	}
	return sums[0]
}

func vec(d dtype.DType) string { return fmt.Sprintf("vector<%dx%s>", lanes, d.MLIR()) }

// writer indents what it is given.
type writer struct {
	b      strings.Builder
	indent string
}

func (w *writer) line(format string, args ...any) {
	w.b.WriteString(w.indent)
	fmt.Fprintf(&w.b, format, args...)
	w.b.WriteByte('\n')
}

func (w *writer) open(format string, args ...any) {
	w.line(format, args...)
	w.indent += "  "
}

func (w *writer) close() {
	w.indent = strings.TrimSuffix(w.indent, "  ")
	w.line("}")
}
