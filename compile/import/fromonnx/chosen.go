package fromonnx

import (
	"slices"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/compile/op/id"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Exporters write x[mask] = f(x[mask]) as NonZero of the mask, GatherND, f, and ScatterND.
// How many elements a mask chooses depends on values, and no program has such a size. So
// all elements are rows of what the mask chooses, f is computed for each, and ScatterND
// selects: f(x) where the mask is true. That is right as long as f computes each row of
// that row alone: byRow says which operators do.
//
// To tell these rows from other dimensions, their number is u N: N is the number of the
// mask's elements, and u a size of this mask alone, which is 1 once all nodes are added.

// choices are the masks of a model whose elements a call decides.
type choices struct {
	units  map[string]int64       // the sizes u, which are 1
	masks  map[*dag.Value]*choice // by the operand of NonZero
	places map[*dag.Value]*choice // by the result of NonZero
	back   map[*dag.Value]bool    // what restored returned
	counts map[*dag.Node]string   // nodes of the file by nodes that count rows
}

// choice is a mask and the rows that stand for what it chooses.
type choice struct {
	mask *dag.Value // bool
	unit shape.Dim
}

func newChoices() *choices {
	return &choices{units: map[string]int64{}, masks: map[*dag.Value]*choice{}, places: map[*dag.Value]*choice{}, back: map[*dag.Value]bool{}, counts: map[*dag.Node]string{}}
}

// rows is the number of rows that stand for what the mask chooses.
func (c *choice) rows() shape.Dim { return c.unit.Times(dims(c.mask).Product()) }

// choosing returns the places [rank, rows] of what is not zero in a tensor whose elements
// a call decides; else nil. Nothing computes with them: GatherND and ScatterND know whose
// they are.
func (n *node) choosing(x *dag.Value) *dag.Value {
	if n.choices == nil || rank(x) == 0 {
		return nil
	}
	if _, known := n.certain(x); known {
		return nil
	}
	c := n.choices.masks[x]
	if c == nil {
		c = &choice{mask: n.cast(x, dtype.Bool), unit: shape.Named(n.unused("chosen"))}
		n.choices.masks[x], n.choices.units[c.unit.Name] = c, 1
	}
	at := n.iotaTo(dtype.I64, 1, shape.N(int64(rank(x))), c.rows())
	n.choices.places[at] = c
	return at
}

// unused returns a name that no size has.
func (n *node) unused(name string) string {
	taken := identifiers{}
	for s := range n.names {
		taken[s] = true
	}
	for s := range n.choices.units {
		taken[s] = true
	}
	return taken.of(name)
}

// chooser returns the mask whose places [rows, rank] at are, or nil.
func (n *node) chooser(at *dag.Value) *choice {
	if n.choices == nil || at.Node == nil || len(at.Node.Inputs) != 1 || rank(at) != 2 {
		return nil
	}
	c := n.choices.places[at.Node.Inputs[0]]
	if c == nil {
		return nil
	}
	turned := at.Node.Op.ID == id.Transpose || at.Node.Op.ID == id.Reshape && rank(c.mask) == 1
	if turned && dims(at)[0].Same(c.rows()) && dims(at)[1].Same(shape.N(int64(rank(c.mask)))) {
		return c
	}
	return nil
}

// compacted returns the rows [rows, ...] of x that a mask chooses; nil if no mask made the
// coordinates.
func (n *node) compacted(x, at *dag.Value, batch int64) *dag.Value {
	c := n.chooser(at)
	if c == nil {
		return nil
	}
	n.fits(c, x, batch)
	rest := dims(x)[rank(c.mask):]
	wide := append(shape.Shape{c.unit}, dims(x)...)
	places := all(x)
	for i := range places {
		places[i]++
	}
	x = n.add("broadcast_in_dim", op.Attrs{"sizes": wide, "dims": places}, x)
	return n.reshapeTo(x, append(shape.Shape{c.rows()}, rest...)...)
}

// restored returns base with rows in the places that a mask chooses; nil if no mask made
// the coordinates.
func (n *node) restored(base, at, rows *dag.Value) *dag.Value {
	c := n.chooser(at)
	if c == nil {
		return nil
	}
	n.fits(c, base, 0)
	if n.mode() != op.ScatterSet {
		n.refuse("a scatter that combines what a mask chooses by %q: ours replaces it", n.mode())
	}
	want := append(shape.Shape{c.rows()}, dims(base)[rank(c.mask):]...)
	if !dims(rows).Same(want) {
		n.refuse("%s in the places that a mask chooses, which another mask chose", rows.Type)
	}
	wide := n.reshapeTo(rows, append(shape.Shape{c.unit}, dims(base)...)...)
	full := n.reshapeTo(n.window(wide, 0, 0, 1, 1), dims(base)...)
	mask := slices.Clone(dims(c.mask))
	for len(mask) < rank(base) {
		mask = append(mask, shape.N(1))
	}
	return n.chosenBack(n.choose(n.reshapeTo(c.mask, mask...), full, base))
}

// chosenBack notes that v has no rows any more.
func (n *node) chosenBack(v *dag.Value) *dag.Value {
	n.choices.back[v] = true
	return v
}

// fits refuses a mask that is not of the first dimensions of x.
func (n *node) fits(c *choice, x *dag.Value, batch int64) {
	r := rank(c.mask)
	if batch != 0 || rank(x) < r || !dims(x)[:r].Same(dims(c.mask)) {
		n.refuse("places in a tensor [%s] that a mask [%s] chooses", dims(x), dims(c.mask))
	}
}

// rowOf returns the dimension of v whose elements are rows that a mask chooses; -1 where
// there is none. Two of them are refused.
func (n *node) rowOf(v *dag.Value) int {
	at := -1
	for i, d := range dims(v) {
		if !n.choices.has(d) {
			continue
		}
		if at >= 0 {
			n.refuse("a tensor [%s] of what a mask chooses in two dimensions", dims(v))
		}
		at = i
	}
	return at
}

// has reports whether a size counts rows that a mask chooses.
func (c *choices) has(d shape.Dim) bool {
	return slices.ContainsFunc(d.Names(), func(name string) bool { return c.units[name] != 0 })
}

// uncounted refuses a function that needs the number of what a mask chooses, or returns
// so many elements: there are more rows than that.
func (i *importer) uncounted(f *dag.Func) (err error) {
	i.eachUncounted(f, func(e *errs.Error, _ string) {
		if err == nil {
			err = e
		}
	})
	return err
}

// eachUncounted tells why uncounted refuses a function, and the path of the node in question.
func (i *importer) eachUncounted(f *dag.Func, tell func(err *errs.Error, path string)) {
	f.Body.Walk(func(n *dag.Node) {
		if of := i.choices.counts[n]; of != "" {
			tell(i.located(unmapped("the number of elements that a mask chooses, which follows from values"), of), of)
		}
		if len(n.Outputs) == 1 && i.choices.places[n.Outputs[0]] != nil {
			tell(i.located(unmapped("the places of what is not zero, whose number follows from values, in another use than GatherND and ScatterND of one mask"), n.Path), n.Path)
		}
	})
	for k, v := range f.Body.Results {
		if !slices.ContainsFunc(dims(v), i.choices.has) {
			continue
		}
		err := unmapped("the result %q has as many elements as a mask chooses, which follows from values", f.Results[k]).
			Hint("choose outputs before that (--outputs)")
		path := ""
		if v.Node != nil {
			path = v.Node.Path
			err = i.located(err, path)
		}
		tell(err, path)
	}
}
