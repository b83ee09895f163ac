package cpu

import (
	"unsafe"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Arguments are read in place, and results are returned without a copy, if
// the host stores numbers like tensors. A state never shares memory with an argument,
// nor a result with anything that is kept, so that no caller can change it.

// asTensors reports whether storage has elements of this type in a tensor's representation.
func asTensors(d dtype.DType) bool {
	return littleEndian && d != dtype.F16 && d != dtype.BF16 && d != dtype.Bool
}

// borrow returns the array of a host tensor, whose size has been checked, without a copy if
// possible. The array must not outlive the call.
func borrow(v tensor.Value) array {
	if asTensors(v.Type.DType) {
		if data := newStorage(v.Type.DType, 0).over(v.Bytes); data != nil {
			return array{v.Type, data}
		}
	}
	return fromValue(v)
}

// over returns the elements in b, or nil if they are not aligned.
func (x vec[T]) over(b []byte) storage {
	p, size := unsafe.Pointer(unsafe.SliceData(b)), unsafe.Sizeof(T(0))
	if uintptr(p)%size != 0 {
		return nil
	}
	return vec[T](unsafe.Slice((*T)(p), len(b)/int(size)))
}

func (x vec[T]) bytes() []byte { return bytesOf(x) }

// copyIfAliased returns x, or a copy if it shares memory with one of others.
func copyIfAliased(x array, others []array) array {
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

// soleOwner reports whether v is in memory of this frame that it shares with no
// other live value, and none of kept; it is true once for each v.
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

// handOver is like value, without a copy if possible; a must not be used afterwards.
func (a array) handOver() tensor.Value {
	if !asTensors(a.typ.DType) {
		return a.value()
	}
	return tensor.Value{Type: a.typ, Bytes: a.data.bytes()}
}
