package fromonnx

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Many files give an open size a name and yet hold for some numbers only: pictures whose
// sides are multiples of 32, signals of no less than a window, inputs that are as long as
// each other. ONNX Runtime finds out in the call. A graph here holds for every call, so
// such a file is tried with narrower sizes, those of the node that refuses them first, and
// the smallest change with which the whole model holds is kept: it is seen in the types
// of the arguments, such as f32[batch, 3, 32*height, 32*width]. Other numbers may do as
// well: a signal shorter than the window may take another branch, for that number alone.

// narrowing is what is assumed of a size. The zero narrowing is nothing.
type narrowing struct {
	times  int64  // it is a multiple, unless times is 0
	past   int64  // it is greater
	number int64  // it is this number, unless that is 0
	same   string // it is the size of this name, or these names, unless that is empty
}

// narrowings by the names of sizes.
type narrowings map[string]narrowing

// within returns the size that a name stands for, through so many other names.
func (n narrowings) within(name string, most int) shape.Dim {
	is := n[name]
	if is.same != "" && most > 0 {
		return n.folded(shape.Named(is.same), most-1)
	}
	if is.number > 0 {
		return shape.N(is.number)
	}
	times := max(is.times, 1)
	return shape.Named(name).Times(shape.N(times)).Plus(shape.N(is.past / times * times))
}

// folded returns a size with other ones for its names.
func (n narrowings) folded(d shape.Dim, most int) shape.Dim {
	x := shape.Fold(d, integer, func(name string) number { return sizeOf(n.within(name, most)) }, number.plus, number.times,
		func(a number, by int64) number { return a.dividedBy(integer(by)).floor() })
	if size, ok := x.size(); ok {
		return size
	}
	return d
}

// apply narrows the sizes of types.
func (n narrowings) apply(types map[string]tensor.Type) {
	for key, t := range types {
		s := slices.Clone(t.Shape)
		for i, d := range s {
			if slices.ContainsFunc(d.Names(), func(name string) bool { return n[name] != narrowing{} }) {
				s[i] = n.folded(d, len(n))
			}
		}
		t.Shape = s
		types[key] = t
	}
}

// narrowed says which arguments have narrowed sizes.
func (i *importer) narrowed() string {
	var list []string
	for _, name := range i.order {
		if !i.types[name].Equal(i.declared[name]) {
			list = append(list, name+" is "+i.types[name].String())
		}
	}
	return strings.Join(list, ", ")
}

// with returns narrowings with another one of some names.
func (n narrowings) with(names []string, change func(is *narrowing)) narrowings {
	to := narrowings{}
	maps.Copy(to, n)
	for _, name := range names {
		is := to[name]
		change(&is)
		to[name] = is
	}
	return to
}

// trial is an import with narrowed sizes.
type trial struct {
	narrowings
	graph    *dag.Graph
	assumed  []string // see session
	narrowed string   // which arguments have narrowed sizes, and why
	count    int      // of nodes that were converted
	err      error
	blame    *blame // nil if the error is not about sizes
}

// Limits of the search.
const (
	mostTried  = 1 << 17 // nodes of all trials
	mostBlamed = 6       // names that one error speaks of
	mostPast   = 1 << 13
)

// factors are those of which sizes are tried as multiples: powers of two of networks that
// halve a picture, and patches, hops and windows.
var factors = []int64{64, 32, 16, 8, 4, 2, 3, 5, 6, 7, 10, 12, 14, 20, 24, 28, 40, 48, 80, 160, 320, 480, 256, 512}

// fitter makes a graph of a model with as few narrowed sizes as it needs.
type fitter struct {
	model   *onnx.Model
	options Options
	spent   int
}

// fit returns the import with the sizes that the model needs, or the one that got furthest.
func (s *fitter) fit() *trial {
	at := s.try(nil)
	reason := at.err
	for at.err != nil && at.blame != nil && len(at.blame.names) > 0 {
		next := s.narrower(at)
		if next == nil {
			break
		}
		at = next
	}
	if reason != nil && at.narrowed != "" {
		at.narrowed += ", sizes for which the whole model was found to hold; for any size it does not: " + brief(reason) +
			"; it may hold for other sizes too, which --shape gives as numbers"
	}
	return at
}

// brief is an error without its code, its byte and what to do.
func brief(err error) string {
	var e *errs.Error
	if !errors.As(err, &e) || e.What == "" {
		return err.Error()
	}
	return e.Node + ": " + e.What
}

// try imports the model with narrowed sizes.
func (s *fitter) try(n narrowings) *trial {
	t := &trial{narrowings: n}
	i, outputs, err := newImporter(s.model, s.options, n)
	if t.err = err; err == nil {
		t.graph, t.err = i.run(outputs)
	}
	t.narrowed, t.count, t.assumed = i.narrowed(), i.count, i.assumed
	s.spent += max(t.count, 1)
	t.blame = i.blamed(t.err)
	if t.blame != nil && len(t.blame.names) > mostBlamed {
		t.blame.names = t.blame.names[:mostBlamed]
	}
	return t
}

// better reports whether a trial gets past the node where another one ends, or has fewer
// sizes there that differ.
func (t *trial) better(than *trial) bool {
	switch {
	case t.err == nil || t.count > than.count:
		return true
	case t.count < than.count || t.blame == nil:
		return false
	case len(t.blame.pairs)+len(than.blame.pairs) == 0: // another size of the same node
		return !slices.ContainsFunc(t.blame.names, func(name string) bool { return slices.Contains(than.blame.names, name) })
	}
	return len(t.blame.pairs) < len(than.blame.pairs)
}

// narrower returns a trial with more of the sizes narrowed that gets further, or nil.
func (s *fitter) narrower(at *trial) *trial {
	attempt := func(names []string, change func(is *narrowing)) *trial { // nil if it gets no further
		if s.spent > mostTried {
			return nil
		}
		if t := s.try(at.with(names, change)); t.better(at) {
			return t
		}
		return nil
	}
	for i := range at.blame.said {
		x, y := at.blame.said[i], at.blame.said[1-i]
		if !y.IsName() || x.IsStatic() && x.Size < 1 || x.IsName() && i > 0 || slices.Contains(x.Names(), y.Name) {
			continue
		}
		t := attempt([]string{y.Name}, func(is *narrowing) {
			if is.number = x.Size; !x.IsStatic() {
				*is = narrowing{same: x.Name}
			}
		})
		if t != nil {
			return t
		}
	}
	for _, names := range [][]string{at.blame.names[:at.blame.likely], at.blame.names} {
		if len(names) == 0 {
			continue
		}
		if t := s.greater(at, names, attempt); t != nil {
			return t
		}
		if t := s.multiple(at, names, attempt); t != nil {
			return t
		}
	}
	if !at.blame.elements {
		return nil
	}
	for _, name := range at.blame.names {
		if t := attempt([]string{name}, func(is *narrowing) { is.number = 1 }); t != nil {
			return t
		}
	}
	return nil
}

type attempted func(names []string, change func(is *narrowing)) *trial

// greater tries sizes that are greater than a number, first all of them than the same one.
func (s *fitter) greater(at *trial, names []string, attempt attempted) *trial {
	past := func(v int64) func(is *narrowing) { return func(is *narrowing) { is.past = max(is.past, v) } }
	t := attempt(names, past(mostPast))
	if t == nil {
		return nil
	}
	middle := func(low, high int64) int64 { return (low + high) / 2 }
	for low, high := int64(0), int64(mostPast); high-low > 1; {
		v := middle(low, high)
		if x := attempt(names, past(v)); x != nil {
			t, high = x, v
		} else {
			low = v
		}
	}
	return s.least(at, t, names, func(is *narrowing) *int64 { return &is.past }, middle)
}

// multiple tries sizes that are multiples of a number.
func (s *fitter) multiple(at *trial, names []string, attempt attempted) *trial {
	for _, f := range factors {
		t := attempt(names, func(is *narrowing) { is.times = lcm(is.times, f) })
		if t == nil {
			continue
		}
		return s.least(at, t, names, func(is *narrowing) *int64 { return &is.times }, func(low, high int64) int64 {
			if high%2 != 0 {
				return low
			}
			return high / 2
		})
	}
	return nil
}

// least makes a number of each narrowing as small as the trial t needs, which gets further
// than at: next is the number to try between one that is too small and one that is not.
func (s *fitter) least(at, t *trial, names []string, of func(is *narrowing) *int64, next func(low, high int64) int64) *trial {
	for _, name := range names {
		was := at.narrowings[name]
		low, high := *of(&was), *of(new(t.narrowings[name]))
		if low == high {
			continue
		}
		set := func(v int64) *trial {
			return s.try(t.with([]string{name}, func(is *narrowing) { *of(is) = v }))
		}
		if x := set(low); x.better(at) { // it is not this size
			t = x
			continue
		}
		for {
			v := next(low, high)
			if v <= low || v >= high || s.spent > mostTried {
				break
			}
			if x := set(v); x.better(at) {
				t, high = x, v
			} else {
				low = v
			}
		}
	}
	return t
}

func lcm(a, b int64) int64 {
	a = max(a, 1)
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}
