package cpu

import (
	"encoding/binary"
	"unsafe"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// number is an element type of kernels. f16 and bf16 are stored as float32
// values that the narrow type can represent, so that f32 kernels work for them
// and widening costs nothing; roundToDType rounds results.
type number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// boolean is 0 or 1.
type boolean uint8

func boolByte(b bool) boolean {
	if b {
		return 1
	}
	return 0
}

// array is an immutable dense tensor, row major.
type array struct {
	typ  tensor.Type
	data storage
}

// storage is a vec of some number type; its methods are the kernels that depend
// on that type, so that the type is chosen in one place: newStorage.
type storage interface {
	len() int
	like(n int) storage  // zeros of the same number type
	fresh(n int) storage // the same, of any value
	over(b []byte) storage
	span() (first, end uintptr)
	giveBack()
	view(lo, hi int) storage
	fill(v float64, d dtype.DType)
	fillFrom(src storage)
	move(m move, src storage)
	takeRows(rows []int64, width int) storage
	scatterRows(rows []int64, width int, updates storage, mode string)
	argsortRows(rows, n int, descending bool) storage
	indices() []int64
	convert(from, to dtype.DType) storage
	iota(n, inner int)

	unary(i op.ID) storage
	apply(f func(float64) float64) storage
	test(f func(float64) bool) storage
	binary(i op.ID, b storage) storage
	compare(direction string, b storage) storage
	choose(cond vec[boolean], b storage) storage

	gemm(b storage, batch, m, n, k int) storage
	reduceRows(i op.ID, rows, n int, d dtype.DType) storage
	argmaxRows(rows, n int) vec[int32]
	softmaxRows(n, inner int) storage
	layerNorm(gamma, beta storage, n int, epsilon float64) storage
	im2col(g convGeometry) storage

	decode(b []byte, d dtype.DType)
	encode(b []byte, d dtype.DType) []byte
	bytes() []byte
}

type vec[T number] []T

func (x vec[T]) len() int                { return len(x) }
func (x vec[T]) like(n int) storage      { return made[T](n) }
func (x vec[T]) view(lo, hi int) storage { return x[lo:hi:hi] }

// newStorage returns zeros, or nil for an unsupported element type.
func newStorage(d dtype.DType, n int) storage {
	switch d {
	case dtype.Bool:
		return made[boolean](n)
	case dtype.I8:
		return made[int8](n)
	case dtype.I16:
		return made[int16](n)
	case dtype.I32:
		return made[int32](n)
	case dtype.I64:
		return made[int64](n)
	case dtype.U8:
		return made[uint8](n)
	case dtype.U16:
		return made[uint16](n)
	case dtype.U32:
		return made[uint32](n)
	case dtype.U64:
		return made[uint64](n)
	case dtype.F16, dtype.BF16, dtype.F32:
		return made[float32](n)
	case dtype.F64:
		return made[float64](n)
	}
	return nil
}

// maxValue is the maximum size of a value in bytes. A Go program that runs out of
// memory ends without an error that its caller could handle.
const maxValue = 64 << 30

// supported returns an error if this backend cannot compute with values of this type.
func supported(t tensor.Type) error {
	if newStorage(t.DType, 0) == nil {
		return errs.New(CodeDType, "values of type %s are not supported", t).
			Hint("convert packed 4-bit tensors to a wider type before the graph")
	}
	n, err := t.Bytes()
	if err != nil {
		return errs.Wrap(CodeGraph, err, "a value has no static size")
	}
	if n > maxValue {
		return errs.New(CodeGraph, "a value of type %s has %d bytes; the limit is %d", t, n, int64(maxValue))
	}
	return nil
}

// count returns the number of elements of a type that passed supported.
func count(t tensor.Type) int {
	n := 1
	for _, d := range t.Shape {
		n *= int(d.Size)
	}
	return n
}

func zeros(t tensor.Type) array { return array{t, newStorage(t.DType, count(t))} }

func sizesOf(t tensor.Type) []int {
	s := make([]int, len(t.Shape))
	for i, d := range t.Shape {
		s[i] = int(d.Size)
	}
	return s
}

// roundToDType rounds results of narrow float types in place; x must be fresh.
func roundToDType(x array) array {
	round := rounding(x.typ.DType)
	if round == nil {
		return x
	}
	v := x.data.(vec[float32])
	chunks(len(v), func(lo, hi int) {
		for i, f := range v[lo:hi] {
			v[lo+i] = round(f)
		}
	})
	return x
}

// rounding returns the rounding of a narrow float type, or nil.
func rounding(d dtype.DType) func(float32) float32 {
	switch d {
	case dtype.F16:
		return func(f float32) float32 { return tensor.F16ToF32(tensor.F32ToF16(f)) }
	case dtype.BF16:
		return func(f float32) float32 { return tensor.BF16ToF32(tensor.F32ToBF16(f)) }
	}
	return nil
}

// fromValue reads a host tensor whose size has been checked.
func fromValue(v tensor.Value) array {
	a := zeros(v.Type)
	a.data.decode(v.Bytes, v.Type.DType)
	return a
}

func (a array) value() tensor.Value {
	return tensor.Value{Type: a.typ, Bytes: a.data.encode(make([]byte, 0, a.typ.DType.Bytes(int64(a.data.len()))), a.typ.DType)}
}

func (x vec[T]) decode(b []byte, d dtype.DType) {
	switch d {
	case dtype.F16:
		for i := range x {
			x[i] = T(tensor.F16ToF32(binary.LittleEndian.Uint16(b[2*i:])))
		}
	case dtype.BF16:
		for i := range x {
			x[i] = T(tensor.BF16ToF32(binary.LittleEndian.Uint16(b[2*i:])))
		}
	case dtype.Bool:
		for i := range x {
			x[i] = T(boolByte(b[i] != 0))
		}
	default:
		if littleEndian {
			copy(bytesOf(x), b)
			return
		}
		if _, err := binary.Decode(b, binary.LittleEndian, []T(x)); err != nil {
			panic(err) // the size has been checked
		}
	}
}

func (x vec[T]) encode(b []byte, d dtype.DType) []byte {
	switch d {
	case dtype.F16:
		for _, v := range x {
			b = binary.LittleEndian.AppendUint16(b, tensor.F32ToF16(float32(v)))
		}
	case dtype.BF16:
		for _, v := range x {
			b = binary.LittleEndian.AppendUint16(b, tensor.F32ToBF16(float32(v)))
		}
	case dtype.Bool:
		for _, v := range x {
			b = append(b, byte(v))
		}
	default:
		if littleEndian {
			return append(b, bytesOf(x)...)
		}
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, []T(x)); err != nil {
			panic(err) // numbers of fixed size always fit
		}
	}
	return b
}

// littleEndian reports whether the host stores numbers like tensors.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// bytesOf returns the memory of x.
func bytesOf[T number](x vec[T]) []byte {
	var e T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(e)))
}
