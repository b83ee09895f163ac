package kernels

import (
	"strings"

	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// MatMul is y[M, N] = x[M, K] times the transpose of W[N, K], with x and y in f32:
// the products of a decoder that processes many tokens at once. W is stored as in a
// weight file: blocks of an encoding, i8 [N, K/elements, bytes], or, with the
// encoding Dense, elements [N, K] of the type Weight. Arithmetic is that of f32; x is
// never quantised.
//
// The text depends on the encoding only: M, N and K are operands, so that a model has
// one kernel for all its weights of an encoding. The scheme is that of Goto and van de
// Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008): a panel of 16 rows
// of W is unpacked and transposed once into memory that fits the L1 cache, over a slice
// of K, and is then multiplied by all rows of x, six at a time, with sums that stay in
// registers.
//
// On a core of Zen 4 that does at most 117 GFLOP/s, 128 rows take 98 to 105 GFLOP/s
// with AVX-512 and 95 to 100 with AVX2, 512 rows up to 110, where dot_general with a
// dynamic number of rows reaches 50 with a weight in f32 (IREE 3.13.0).
// Below about 24 rows unpacking dominates, at 0.2 ns per element.
type MatMul struct {
	N, K     int64
	Encoding quant.Encoding
	Weight   dtype.DType // for quant.Dense: F32, F16, BF16 or I8
}

// narrowTile: sums of 6 rows and 16 columns, a vector of columns and an element of x
// fill 15 of the 16 registers of AVX2, 30 of the 32 of NEON.
var narrowTile = tileForm{6, 1, panelElements, tileUnroll, groupRows, 0, false}

const (
	tileUnroll = 2
	// The remaining rows are summed one by one, in several chains.
	rowChains = 4
	// The maximum number of rows of x in a workgroup: a slice of them stays in the L2 cache.
	groupRows = 512
	// A panel of 16 rows over this many elements takes 24 kB of the L1 cache.
	// Blocks of 256 elements leave room for one.
	panelElements = 384
)

// Supported reports whether the shape and encoding have a kernel, for any M.
func (m MatMul) Supported() bool {
	if m.N <= 0 || m.K <= 0 {
		return false
	}
	s, ok := m.source()
	return ok && m.K%s.elements == 0
}

// Symbol returns the kernel's name.
func (m MatMul) Symbol() string {
	name := "matmul_" + strings.ToLower(string(m.Encoding))
	if m.Encoding.IsDense() {
		name = "matmul_" + m.Weight.String()
	}
	if m.tail() {
		name += "_tail"
	}
	return name
}

// tail reports whether the last panel is narrower than a vector.
func (m MatMul) tail() bool { return m.N%lanes != 0 }

// Text returns the executable in this form.
func (m MatMul) Text(f Form) string {
	s, _ := m.source()
	return sized(f, m.Symbol(), []string{"m", "n", "k"}, []dealt{{of: "n", by: narrowTile.columns()}, {of: "m", by: groupRows}}, func(b *builder, w, x, y value, sizes []value) {
		p := product{builder: b, form: narrowTile, source: s, tail: m.tail(), m: sizes[0], n: sizes[1], k: sizes[2]}
		p.write(w, x, y)
	})
}

var indexType = typ{elem: index}

// panelSource unpacks rows of W.
type panelSource struct {
	elements int64 // of a block
	slice    int64 // elements of K in a panel: a multiple of elements
	// memory is W, n rows of that many blocks.
	memory func(b *builder, binding, n, blocks value) memory
	// unpack passes the elements of a block of a row to store, 16 at a time.
	unpack func(b *builder, w memory, row, block value, store func(element int, v value))
}

func (m MatMul) source() (panelSource, bool) {
	if m.Encoding.IsDense() {
		return m.dense()
	}
	r, ok := readers[m.Encoding]
	if !ok {
		return panelSource{}, false
	}
	elements, bytes, _ := r.block()
	return panelSource{
		elements: elements,
		slice:    max(panelElements/elements, 1) * elements,
		memory: func(b *builder, binding, n, blocks value) memory {
			return b.view(binding, i8, []value{n, blocks}, -1, -1, bytes)
		},
		unpack: func(b *builder, w memory, row, block value, store func(element int, v value)) {
			r.unpack(b, func(offset int64, count int) value { return b.load(w, count, row, block, b.index(offset)) }, store)
		},
	}, true
}

// dense reads elements in blocks of 16.
func (m MatMul) dense() (panelSource, bool) {
	var e element
	switch m.Weight {
	case dtype.F32:
		e = f32
	case dtype.F16:
		e = f16
	case dtype.BF16:
		e = bf16
	case dtype.I8:
		e = i8
	default:
		return panelSource{}, false
	}
	return panelSource{
		elements: lanes,
		slice:    panelElements,
		memory: func(b *builder, binding, n, blocks value) memory {
			return b.view(binding, e, []value{n, blocks}, -1, -1, lanes)
		},
		unpack: func(b *builder, w memory, row, block value, store func(element int, v value)) {
			v := b.load(w, lanes, row, block, b.index(0))
			if e != f32 {
				v = b.signed(v, f32)
			}
			store(0, v)
		},
	}, true
}

// unpack returns the elements of a block: codes times scales, and shifts.
func (r reader) unpack(b *builder, from source, store func(element int, v value)) {
	scales, shifts := r.scales(b, from)
	r.codes(b, from, func(run int, codes []value) {
		scale, shift := b.splat(b.lane(scales, run), lanes), value{}
		if !shifts.none() {
			shift = b.splat(b.lane(shifts, run), lanes)
		}
		for i, c := range codes {
			store(run*r.run+i*lanes, b.fma(c, scale, shift))
		}
	})
}

// view is the memory of a binding with dynamic sizes, those below 0.
func (b *builder) view(binding value, e element, dynamic []value, sizes ...int64) memory {
	m := memory{elem: e, sizes: sizes}
	m.name = b.def(typ{}, "stream.binding.subspan %s[%s] : !stream.binding -> %s{%s}", binding.name, b.index(0).name, m, list(dynamic)).name
	return m
}

// scratch is memory of a call. It begins with a line of the cache, so that no row of vectors
// crosses one: on the stack as it comes each load of AVX-512 takes two lines, and convolutions
// of NanoDet's 1.07 times as long.
func (b *builder) scratch(e element, sizes ...int64) memory {
	m := memory{elem: e, sizes: sizes}
	m.name = b.def(typ{}, `"memref.alloca"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> %s`, m).name
	return m
}

// over divides indices, rounding up or down.
func (b *builder) over(x, y value, up bool) value {
	name := map[bool]string{true: "ceildivui", false: "divui"}[up]
	return b.def(x.typ, "arith.%s %s, %s : %s", name, x.name, y.name, x.typ)
}

// workgroup returns the id or the count of workgroups along a dimension.
func (b *builder) workgroup(what string, dim int) value {
	return b.def(indexType, "stream.dispatch.workgroup.%s[%d] : index", what, dim)
}
