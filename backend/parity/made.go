package parity

import (
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Made chooses made-up calls; the zero value makes those of MadeUp.
type Made struct {
	// Inputs has the values of arguments, by name (as in Recorded), such as the ids that a
	// table has rows for.
	Inputs map[string]Range
	// Sizes has the sizes of named dimensions, for a call each.
	Sizes []map[string]int64
}

// Range is the values from Least to Most, both included.
type Range struct{ Least, Most float64 }

// ParseRange reads "0..30521" or, for a single value, "1".
func ParseRange(text string) (Range, error) {
	from, to, two := strings.Cut(text, "..")
	if !two {
		to = from
	}
	least, err1 := strconv.ParseFloat(from, 64)
	most, err2 := strconv.ParseFloat(to, 64)
	if err1 != nil || err2 != nil || !(least <= most) || math.IsInf(least, 0) || math.IsInf(most, 0) {
		return Range{}, errs.New(CodeInput, "%q is not a range", text).Hint("write LEAST..MOST, such as 0..30521, or a single value")
	}
	return Range{least, most}, nil
}

// ParseSizes reads "batch=1,seq=16".
func ParseSizes(text string) (map[string]int64, error) {
	sizes := map[string]int64{}
	for _, word := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(word, "=")
		n, err := strconv.ParseInt(value, 10, 64)
		if _, twice := sizes[name]; !ok || name == "" || err != nil || n < 0 || twice {
			return nil, errs.New(CodeInput, "%q are not sizes", text).Hint("write NAME=SIZE for each named dimension, such as batch=1,seq=16")
		}
		sizes[name] = n
	}
	return sizes, nil
}

// SizesText returns sizes as ParseSizes reads them, by name.
func SizesText(sizes map[string]int64) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		parts = append(parts, name+"="+strconv.FormatInt(sizes[name], 10))
	}
	return strings.Join(parts, ",")
}

// Cases calls each entry point once for each of the sizes.
func (m Made) Cases(c *contract.Contract) ([]Case, error) {
	m, err := m.checked(c)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for i := range c.Entries {
		e := &c.Entries[i]
		all, err := m.sizes(e)
		if err != nil {
			return nil, err
		}
		r := source(c, e)
		one := Case{Name: e.Name}
		for _, s := range all {
			call := Call{Entry: e.Name}
			for _, a := range e.Args {
				v, err := m.madeUp(r, e, a, s)
				if err != nil {
					return nil, err
				}
				call.Args = append(call.Args, v)
			}
			one.Calls = append(one.Calls, call)
		}
		cases = append(cases, one)
	}
	return cases, nil
}

// checked has the names of the program in place of a file's.
func (m Made) checked(c *contract.Contract) (Made, error) {
	inputs := map[string]Range{}
	for name, r := range m.Inputs {
		inputs[Known(c, name)] = r
	}
	m.Inputs = inputs
	return m, m.check(c)
}

// check refuses names that the program does not have.
func (m Made) check(c *contract.Contract) error {
	args, sizes := map[string]bool{}, map[string]bool{}
	for _, e := range c.Entries {
		for _, a := range e.Args {
			args[a.Name] = true
			for _, d := range a.Shape {
				if name, _, _, ok := d.Tells(); ok {
					sizes[name] = true
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.Inputs)) {
		if !args[name] {
			return errs.New(CodeInput, "no argument is named %q", name).On(c.Name).Hint("it has %s", strings.Join(slices.Sorted(maps.Keys(args)), ", "))
		}
	}
	for _, s := range m.Sizes {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if !sizes[name] {
				return errs.New(CodeInput, "no dimension is named %q", name).On(c.Name).Hint("it has %s", strings.Join(slices.Sorted(maps.Keys(sizes)), ", "))
			}
		}
	}
	return nil
}

// sizes returns those of an entry point's own dimensions, each once.
func (m Made) sizes(e *contract.Entry) ([]map[string]int64, error) {
	all := madeUpSizes(e)
	if len(m.Sizes) == 0 || len(all) == 1 {
		return all, nil
	}
	var chosen []map[string]int64
	for _, s := range m.Sizes {
		own := map[string]int64{}
		for name := range all[0] {
			n, ok := s[name]
			if !ok {
				return nil, errs.New(CodeInput, "no size is given for the dimension %q", name).On(e.Name).Hint("add %s=SIZE to the sizes of each call", name)
			}
			own[name] = n
		}
		if !slices.ContainsFunc(chosen, func(o map[string]int64) bool { return maps.Equal(o, own) }) {
			chosen = append(chosen, own)
		}
	}
	return chosen, nil
}

func (m Made) madeUp(r *rand.Rand, e *contract.Entry, a contract.Named, sizes map[string]int64) (tensor.Value, error) {
	g, ok := m.Inputs[a.Name]
	if !ok {
		return madeUp(r, e, a, sizes)
	}
	t := a.Type()
	var v tensor.Value
	var err error
	if t.Shape, err = t.Shape.Bind(sizes); err == nil {
		v, err = g.random(r, t)
	}
	if err != nil {
		return v, errs.Wrap(CodeInput, err, "no value for argument %q", a.Name).On(e.Name)
	}
	return v, nil
}

// random returns a value whose elements are in the range.
func (g Range) random(r *rand.Rand, t tensor.Type) (tensor.Value, error) {
	n, err := t.Shape.Elements()
	if err != nil {
		return tensor.Value{}, err
	}
	if t.DType.IsFloat() {
		all := make([]float32, n)
		for i := range all {
			all[i] = float32(g.Least + r.Float64()*(g.Most-g.Least))
		}
		return floats(t, all)
	}
	least, most, ok := g.whole(t.DType)
	if !ok {
		return tensor.Value{}, errs.New(CodeInput, "%g..%g is not a range of %s", g.Least, g.Most, t.DType)
	}
	v := tensor.Value{Type: t, Bytes: []byte{}}
	for range n {
		x := uint64(least) + r.Uint64N(uint64(most-least)+1)
		v.Bytes = binary.LittleEndian.AppendUint64(v.Bytes, x)[:len(v.Bytes)+max(t.DType.Bits(), 8)/8]
	}
	return v, nil
}

// whole returns the range as integers of a type, of at most 53 bits.
func (g Range) whole(d dtype.DType) (least, most int64, ok bool) {
	lowest, highest := 0., 1. // of a bool
	if d != dtype.Bool {
		if !d.IsInt() || d.Bits() < 8 {
			return 0, 0, false
		}
		bits := min(d.Bits(), 54)
		highest = math.Ldexp(1, bits) - 1
		if d.IsSigned() {
			lowest, highest = -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
		}
	}
	exact := g.Least == math.Trunc(g.Least) && g.Most == math.Trunc(g.Most)
	return int64(g.Least), int64(g.Most), exact && g.Least >= lowest && g.Most <= highest
}

// floats returns values rounded to a float type.
func floats(t tensor.Type, all []float32) (tensor.Value, error) {
	v := tensor.Value{Type: t, Bytes: make([]byte, t.DType.Bytes(int64(len(all))))}
	_, err := tensor.PutFloat32s(t.DType, v.Bytes, all)
	return v, err
}
