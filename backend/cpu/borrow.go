package cpu

import (
	"unsafe"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Arguments are read where they lie, and results are given away where they lie,
// where memory holds numbers as tensors do. A state never lies in an argument, nor
// a result in anything that stays, so that no caller can change what is kept.

// asTensors reports whether storage holds elements of this type as a tensor does.
func asTensors(d dtype.DType) bool {
	return littleEndian && d != dtype.F16 && d != dtype.BF16 && d != dtype.Bool
}

// borrow returns a host tensor, whose size was checked, without a copy if it can.
// The array must not outlive the call.
func borrow(v tensor.Value) array {
	if asTensors(v.Type.DType) {
		if data := newStorage(v.Type.DType, 0).over(v.Bytes); data != nil {
			return array{v.Type, data}
		}
	}
	return fromValue(v)
}

// over returns the elements that b holds, or nil if they are not aligned.
func (x vec[T]) over(b []byte) storage {
	p, size := unsafe.Pointer(unsafe.SliceData(b)), unsafe.Sizeof(T(0))
	if uintptr(p)%size != 0 {
		return nil
	}
	return vec[T](unsafe.Slice((*T)(p), len(b)/int(size)))
}

func (x vec[T]) bytes() []byte { return bytesOf(x) }

// apart returns x, or a copy if it lies in one of others.
func apart(x array, others []array) array {
	for _, o := range others {
		if overlap(x.data, o.data) {
			whole := x.data.len()
			y := x.data.fresh(whole)
			y.move(move{sizes: []int{whole}, dst: []int{1}, src: []int{1}}, x.data)
			return array{x.typ, y}
		}
	}
	return x
}

// soleOwner reports whether v lies in memory of this frame in which no other live
// value does, and none of kept; it is true once for each v.
func (f *frame) soleOwner(v *dag.Value, kept []array) bool {
	l := f.leases[v]
	if l == nil || l.values != 1 {
		return false
	}
	for _, k := range kept {
		if overlap(l.data, k.data) {
			return false
		}
	}
	delete(f.leases, v)
	return true
}

// handOver is value without a copy, if it can; nothing may use a any more.
func (a array) handOver() tensor.Value {
	if !asTensors(a.typ.DType) {
		return a.value()
	}
	return tensor.Value{Type: a.typ, Bytes: a.data.bytes()}
}
