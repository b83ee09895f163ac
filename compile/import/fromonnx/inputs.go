package fromonnx

import (
	"maps"
	"strconv"
	"strings"
	"unicode"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Versions of ONNX's operators for which rules hold.
const (
	oldest = 7
	newest = 28
)

// newestOf are the newest versions of other domains' operators that are known.
var newestOf = map[string]int64{"ai.onnx.ml": 5, "com.microsoft": 1}

// checked refuses a model of operators of other versions.
func checked(m *onnx.Model) error {
	v, ok := m.Opsets[""]
	switch {
	case !ok && len(m.Graph.Nodes) > 0:
		for i := range m.Graph.Nodes {
			if n := &m.Graph.Nodes[i]; n.Domain == "" || n.Domain == "ai.onnx" {
				return errs.New(CodeOpset, "no version of ONNX's operators, and the operator %s", n.Op).On(nameOf(n)).Hint("the file lacks its opset_import: export the model again")
			}
		}
	case ok && v < oldest:
		return errs.New(CodeOpset, "version %d of ONNX's operators is older than %d", v, oldest).On("opset_import").Hint("convert the file with onnx.version_converter, or export the model anew")
	case ok && v > newest:
		first := "none"
		if len(m.Graph.Nodes) > 0 {
			first = nameOf(&m.Graph.Nodes[0])
		}
		return errs.New(CodeOpset, "version %d of ONNX's operators is newer than %d, the newest that is known (first node: %s)", v, newest, first).On("opset_import").
			Hint("export the model with opset_version=%d", newest)
	}
	for i := range m.Graph.Nodes {
		n := &m.Graph.Nodes[i]
		if most, ok := newestOf[n.Domain]; ok && m.Opsets[n.Domain] > most {
			return errs.New(CodeOpset, "version %d of the operators of %s is newer than %d, the newest that is known (first node: %s)", m.Opsets[n.Domain], n.Domain, most, nameOf(n)).
				On("opset_import").Hint("export the model with version %d of them", most)
		}
	}
	seen := map[[3]string]bool{}
	for i := range m.Functions {
		f := &m.Functions[i]
		if key := [3]string{f.Domain, f.Name, f.Overload}; seen[key] {
			return unmapped("two functions %q of the domain %q", f.Name, f.Domain)
		} else {
			seen[key] = true
		}
	}
	if newExpansion(m).nodes(m.Graph.Nodes) > mostNodes {
		return unmapped("more than 2^20 nodes, with those of functions as often as they are called").On("functions")
	}
	return nil
}

// bindings are what names of sizes in the file stand for.
type bindings struct {
	dims  map[string]shape.Dim // by the name in the file
	from  map[string]string    // inputs that say so
	taken identifiers
	free  map[string]bool // names that the file has for sizes of inputs
}

// inputs finds the types of the arguments.
func (i *importer) inputs() error {
	i.types = map[string]tensor.Type{}
	b := &bindings{dims: map[string]shape.Dim{}, from: map[string]string{}, taken: identifiers{}, free: map[string]bool{}}
	i.bindings = b
	for _, name := range i.order {
		for _, d := range i.infos[name].Shape {
			if named(d) {
				b.free[d.Param] = true
			}
		}
	}
	for _, name := range i.order {
		if err := i.given(b, name); err != nil {
			return err
		}
	}
	for _, name := range i.order {
		t, err := i.typed(b, name)
		if err != nil {
			return err
		}
		i.types[name] = t
	}
	i.declared = maps.Clone(i.types)
	i.apply(i.types)
	return i.bound()
}

// wantedShape returns what the options say of an input's sizes; nil if nothing.
func (i *importer) wantedShape(name string) shape.Shape {
	if c, ok := i.Constants[name]; ok {
		return append(shape.Shape{}, c.Type.Shape...)
	}
	if s, ok := i.Shapes[name]; ok {
		return append(shape.Shape{}, s...)
	}
	return nil
}

// given notes what the options say of the sizes that an input's declaration names.
func (i *importer) given(b *bindings, name string) error {
	in, want := i.infos[name], i.wantedShape(name)
	for _, d := range want {
		for _, n := range d.Names() {
			if !b.free[n] { // else it is the file's name
				b.taken[n] = true
			}
		}
	}
	if want == nil || !in.Ranked {
		return nil
	}
	if len(want) != len(in.Shape) {
		return errs.New(CodeOption, "the shape [%s] for the input %q, which has %d dimensions: %v", want, name, len(in.Shape), in.Shape)
	}
	for k, d := range in.Shape {
		w := want[k]
		switch {
		case !w.IsKnown():
		case d.Known && !w.Same(shape.N(d.Size)):
			return errs.New(CodeOption, "dimension %d of the input %q is %s, and %d in the file", k, name, w, d.Size)
		case named(d):
			if other, seen := b.dims[d.Param]; seen && !other.Same(w) {
				return errs.New(CodeOption, "the size %s is %s in the input %q, and %s in the input %q", d.Param, w, name, other, b.from[d.Param]).
					Hint("a size of one name is one size in all inputs")
			}
			b.dims[d.Param], b.from[d.Param] = w, name
		}
	}
	return nil
}

// typed returns the type of an input.
func (i *importer) typed(b *bindings, name string) (tensor.Type, error) {
	in, want := i.infos[name], i.wantedShape(name)
	t := tensor.Type{DType: onnx.DType(in.Type), Shape: shape.Shape{}}
	if in.Kind != onnx.KindTensor || !t.DType.Valid() {
		what := "a tensor of the element type " + onnx.TypeName(in.Type) + ", which no program computes in"
		if in.Kind != onnx.KindTensor {
			what = "a value that is " + in.Kind.String() + ": arguments are tensors"
		}
		return t, unusable(in, "the input %q is %s", name, what)
	}
	if c, ok := carrier(t.DType); ok {
		t.DType = c
	}
	if c, ok := i.Constants[name]; ok {
		if c = Carrier(c); c.Type.DType != t.DType {
			return t, errs.New(CodeOption, "the value of the input %q is %s, and %s in the file", name, c.Type.DType, t.DType)
		}
		return c.Type, nil
	}
	if !op.Any.Has(t.DType) {
		return t, unusable(in, "the input %q is of the element type %s, which no program computes in", name, t.DType)
	}
	if !in.Ranked {
		if want == nil {
			return t, errs.New(CodeInput, "the input %q has no number of dimensions in the file", name).On(name).Hint("give its sizes: --shape %s=SIZE,...", name)
		}
		for k, d := range want {
			if !d.IsKnown() {
				d = b.open(name, k)
			}
			t.Shape = append(t.Shape, d)
		}
		return t, nil
	}
	for k, d := range in.Shape {
		switch {
		case d.Known:
			t.Shape = append(t.Shape, shape.N(d.Size))
		case named(d):
			t.Shape = append(t.Shape, b.of(d.Param))
		case want != nil && want[k].IsKnown():
			t.Shape = append(t.Shape, want[k])
		default:
			t.Shape = append(t.Shape, b.open(name, k))
		}
	}
	return t, nil
}

// unusable is the error for an input that no argument can be.
func unusable(in *onnx.ValueInfo, what string, args ...any) error {
	err := errs.New(CodeInput, what, args...).On(in.Name).Hint("compute what reads this input outside of the program, and export the model with tensors of numbers as its inputs")
	if in.At > 0 {
		err.At(in.At)
	}
	return err
}

// named reports whether the file names a size; some writers have "?" for all that are open.
func named(d onnx.Dim) bool {
	return strings.ContainsFunc(d.Param, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// open names a size that the file leaves open after the input and the dimension.
func (b *bindings) open(input string, k int) shape.Dim {
	return shape.Named(b.taken.of(input + "_" + strconv.Itoa(k)))
}

// of returns the size that a name of the file stands for. The name may be arithmetic on
// other names, such as "past + seq".
func (b *bindings) of(param string) shape.Dim {
	if d, ok := b.dims[param]; ok {
		return d
	}
	if d := shape.Named(param); d.IsKnown() && !d.IsName() {
		if d.IsStatic() {
			return d
		}
		known := true
		for _, n := range d.Names() {
			known = known && b.free[n]
		}
		if known {
			x := shape.Fold(d, integer, func(n string) number { return sizeOf(b.of(n)) }, number.plus, number.times,
				func(a number, by int64) number { return a.dividedBy(integer(by)).floor() })
			if size, ok := x.size(); ok {
				return size
			}
		}
	}
	b.dims[param] = shape.Named(b.taken.of(param))
	return b.dims[param]
}

// bound refuses a size whose names are no dimension of an argument: a call could not
// tell what they are.
func (i *importer) bound() error {
	names := map[string]bool{}
	of := func(visit func(name string, d shape.Dim)) {
		for _, name := range i.order {
			if _, fixed := i.Constants[name]; fixed {
				continue
			}
			for _, d := range i.types[name].Shape {
				visit(name, d)
			}
		}
	}
	of(func(_ string, d shape.Dim) {
		if name, _, _, ok := d.Tells(); ok {
			names[name] = true
		}
	})
	var err error
	of(func(name string, d shape.Dim) {
		for _, n := range d.Names() {
			if !names[n] && err == nil {
				err = errs.New(CodeOption, "the size %s of the input %q: no argument has a dimension %s", d, name, n).On(name).
					Hint("name a dimension %s, or give the size a name of its own or a number: --shape %s=...", n, name)
			}
		}
	})
	return err
}
