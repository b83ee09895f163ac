package parity

import (
	"hash/fnv"
	"math/rand/v2"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Case is a sequence of calls on a freshly loaded program: each call starts from the
// state that the previous one left.
type Case struct {
	Name  string
	Calls []Call
}

// Call is one call of an entry point.
type Call struct {
	Entry string
	// Args are the arguments, or nil when Make gives them.
	Args []tensor.Value
	// Make returns the arguments from the reference's results of the calls before,
	// so that both backends get the same arguments and a difference does not grow from
	// call to call.
	Make func(before [][]tensor.Value) ([]tensor.Value, error)
	// Tolerance, if not zero, is that of this call's f32 results, for entry points whose
	// sums cancel more than those of others.
	Tolerance Tolerance
	// Want are results of another implementation, which both backends are compared
	// with in WantTolerance: one for each result, without a type where it is unknown.
	Want          []tensor.Value
	WantTolerance Tolerance
}

// MadeUp calls each entry point once with values that depend only on its name
// and types: floats are standard normal, integers are 0 to 3, bools are random.
// One with dynamic sizes is called three times: with all of them 1, and with
// small and medium ones that differ from each other.
func MadeUp(c *contract.Contract) ([]Case, error) { return Made{}.Cases(c) }

// Complete generates the missing arguments of a call, as MadeUp does. Dynamic sizes are
// those of the given arguments, else the largest that MadeUp uses.
func Complete(c *contract.Contract, e *contract.Entry, args []tensor.Value, given []bool) error {
	return Made{}.Complete(c, e, args, given)
}

// Complete is like the function Complete, with the values of Inputs.
func (m Made) Complete(c *contract.Contract, e *contract.Entry, args []tensor.Value, given []bool) error {
	m, err := m.checked(c)
	if err != nil {
		return err
	}
	all := madeUpSizes(e)
	sizes := all[len(all)-1]
	for i, a := range e.Args {
		if !given[i] {
			continue
		}
		for at, d := range a.Shape {
			if name, times, plus, ok := d.Tells(); ok {
				sizes[name] = (args[i].Type.Shape[at].Size - plus) / times
			}
		}
	}
	r := source(c, e)
	for i, a := range e.Args {
		if given[i] {
			continue
		}
		if args[i], err = m.madeUp(r, e, a, sizes); err != nil {
			return err
		}
	}
	return nil
}

// source returns the numbers for an entry point, the same each time.
func source(c *contract.Contract, e *contract.Entry) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(c.Name + "." + e.Name))
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

func madeUp(r *rand.Rand, e *contract.Entry, a contract.Named, sizes map[string]int64) (tensor.Value, error) {
	t := a.Type()
	var v tensor.Value
	var err error
	if t.Shape, err = t.Shape.Bind(sizes); err == nil {
		v, err = Random(r, t)
	}
	if err != nil {
		return v, errs.Wrap(CodeInput, err, "no value for argument %q", a.Name).On(e.Name)
	}
	return v, nil
}

// Largest returns the largest sizes that MadeUp uses for an entry point.
func Largest(e *contract.Entry) map[string]int64 {
	all := madeUpSizes(e)
	return all[len(all)-1]
}

// madeUpSizes assigns sizes to the names of dynamic dimensions; an entry point
// without any is called once.
func madeUpSizes(e *contract.Entry) []map[string]int64 {
	all := []map[string]int64{{}}
	for _, a := range e.Args {
		for _, d := range a.Shape {
			name, _, _, ok := d.Tells()
			if _, known := all[0][name]; known || !ok {
				continue
			}
			if len(all) == 1 {
				all = append(all, map[string]int64{}, map[string]int64{})
			}
			n := int64(len(all[0]))
			all[0][name], all[1][name], all[2][name] = 1, 2+n, 16-3*min(n, 4)
		}
	}
	return all
}

// Random returns a value like those of MadeUp.
func Random(r *rand.Rand, t tensor.Type) (tensor.Value, error) {
	n, err := t.Shape.Elements()
	if err != nil {
		return tensor.Value{}, err
	}
	sizes := t.Shape.Sizes()
	switch t.DType {
	case dtype.F32:
		return fill(n, sizes, func() float32 { return float32(r.NormFloat64()) })
	case dtype.F64:
		return fill(n, sizes, r.NormFloat64)
	case dtype.I8:
		return fill(n, sizes, func() int8 { return int8(r.IntN(4)) })
	case dtype.I32:
		return fill(n, sizes, func() int32 { return r.Int32N(4) })
	case dtype.I64:
		return fill(n, sizes, func() int64 { return r.Int64N(4) })
	case dtype.U8:
		return fill(n, sizes, func() uint8 { return uint8(r.IntN(256)) })
	case dtype.Bool:
		return fill(n, sizes, func() bool { return r.IntN(2) == 1 })
	case dtype.F16, dtype.BF16:
		narrow := tensor.F32ToF16
		if t.DType == dtype.BF16 {
			narrow = tensor.F32ToBF16
		}
		v, err := fill(n, sizes, func() uint16 { return narrow(float32(r.NormFloat64())) })
		v.Type.DType = t.DType
		return v, err
	}
	if t.DType.IsInt() {
		return Range{0, 3}.random(r, t)
	}
	return tensor.Value{}, errs.New(CodeInput, "no generated values of type %s", t).Hint("give the model a cases function")
}

func fill[T tensor.Element](n int64, sizes []int64, next func() T) (tensor.Value, error) {
	data := make([]T, n)
	for i := range data {
		data[i] = next()
	}
	return tensor.Of(data, sizes...)
}
