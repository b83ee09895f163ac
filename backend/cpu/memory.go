package cpu

import (
	"sync"
	"unsafe"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/internal/hugepages"
)

// The memory of a dead value is reused by results of the same size: repeated calls
// of a program allocate nothing but their results.
//
// A frame knows which memory its nodes have allocated. A lease is one piece of it,
// with the number of live values in it: the original result and other views of it.
type lease struct {
	values int
	data   storage
}

// smallest is the size in bytes from which memory is reused: below it, the
// allocator is as fast.
const smallest = 1024

// spare holds pieces of memory by their size in bytes, until the garbage collector
// reclaims them.
var spare sync.Map // int: *sync.Pool of unsafe.Pointer

// poison, for tests, overwrites memory that is taken or released, which exposes a kernel that
// does not write all of its result, or a use after release.
var poison bool

// made returns n zeros, in huge pages if n is large.
func made[T number](n int) vec[T] {
	x := make(vec[T], n)
	hugepages.Advise(bytesOf(x))
	return x
}

// fresh returns n uninitialised elements, for results that are written completely.
func fresh[T number](n int) vec[T] {
	size := n * int(unsafe.Sizeof(T(0)))
	var x vec[T]
	if pool, ok := spare.Load(size); ok && size >= smallest {
		if p, ok := pool.(*sync.Pool).Get().(unsafe.Pointer); ok {
			x = unsafe.Slice((*T)(p), n)
		}
	}
	if x == nil {
		x = made[T](n)
	}
	x.spoil()
	return x
}

func (x vec[T]) fresh(n int) storage { return fresh[T](n) }

func (x vec[T]) spoil() {
	if b := bytesOf(x); poison && len(b) > 0 {
		b[0] = 0xa5
		for done := 1; done < len(b); done *= 2 {
			copy(b[done:], b[:done])
		}
	}
}

// span returns the memory range of x.
func (x vec[T]) span() (first, end uintptr) {
	first = uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	return first, first + uintptr(len(x))*unsafe.Sizeof(T(0))
}

// giveBack makes the memory of x spare; x must not be used afterwards.
func (x vec[T]) giveBack() {
	size := len(x) * int(unsafe.Sizeof(T(0)))
	p := unsafe.Pointer(unsafe.SliceData(x))
	if size < smallest || uintptr(p)%8 != 0 {
		return
	}
	x.spoil()
	pool, _ := spare.LoadOrStore(size, &sync.Pool{})
	pool.(*sync.Pool).Put(p)
}

func overlap(x, y storage) bool {
	a, b := x.span()
	c, d := y.span()
	return a < d && c < b
}

// lend records whose memory the results of n use: that of a value that n or its blocks
// read, or their own, if the kernel allocates its results. Arguments, parameters,
// states and fixed values have no lease, nor do views of them.
func (f *frame) lend(n *dag.Node, in, out []array) {
	for i, v := range n.Outputs {
		l := f.lessor(n, v, in, out[:i], out[i].data)
		if l == nil {
			delete(f.leases, v)
			continue
		}
		l.values++
		f.leases[v] = l
	}
}

func (f *frame) lessor(n *dag.Node, out *dag.Value, in, before []array, data storage) *lease {
	for i, x := range in {
		if overlap(x.data, data) {
			return f.leases[n.Inputs[i]]
		}
	}
	for i, x := range before {
		if overlap(x.data, data) {
			return f.leases[n.Outputs[i]]
		}
	}
	if n.Op.Role == op.Calls && f.owners[out] == ownedByCall {
		return &lease{data: data} // that of the function, which returns
	}
	if !makes(n) {
		var found *lease
		n.Reads(func(v *dag.Value) {
			if l := f.leases[v]; l != nil && overlap(l.data, data) {
				found = l
			}
		})
		return found
	}
	return &lease{data: data}
}

// release ends the life of v in this frame.
func (f *frame) release(v *dag.Value) {
	delete(f.env, v)
	delete(f.owners, v)
	l := f.leases[v]
	if l == nil {
		return
	}
	delete(f.leases, v)
	if l.values--; l.values == 0 {
		l.data.giveBack()
	}
}
