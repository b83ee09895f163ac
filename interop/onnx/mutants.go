package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// mutant is a model with one fault, and inputs for it.
type mutant struct {
	what   string
	model  *onnx.Model
	inputs []tensor.Value
}

// fewNodes is how many nodes of a model are changed, the first ones.
const fewNodes = 4

// mutants calls yield for models that differ from m in one place: an input that is missing
// or one too many, an attribute that is missing, of another type or another value, and
// inputs of other types, ranks, sizes and elements.
func mutants(m *onnx.Model, inputs []tensor.Value, yield func(mutant)) {
	m, inputs = loosened(m, inputs)
	for at := range min(len(m.Graph.Nodes), fewNodes) {
		n := &m.Graph.Nodes[at]
		change := func(what string, args ...any) func(edit func(n *onnx.Node)) {
			return func(edit func(n *onnx.Node)) {
				changed := *m
				changed.Graph.Nodes = slices.Clone(m.Graph.Nodes)
				own := &changed.Graph.Nodes[at]
				own.Inputs, own.Outputs, own.Attributes = slices.Clone(n.Inputs), slices.Clone(n.Outputs), maps.Clone(n.Attributes)
				edit(own)
				yield(mutant{n.Op + ": " + fmt.Sprintf(what, args...), &changed, inputs})
			}
		}
		for i := range n.Inputs {
			change("input %d left out", i)(func(n *onnx.Node) { n.Inputs[i] = "" })
			change("%d inputs", i)(func(n *onnx.Node) { n.Inputs = n.Inputs[:i] })
		}
		if len(n.Inputs) > 0 {
			change("its first input again")(func(n *onnx.Node) { n.Inputs = append(n.Inputs, n.Inputs[0]) })
		}
		change("one more output")(func(n *onnx.Node) { n.Outputs = append(n.Outputs, "more") })
		for _, name := range slices.Sorted(maps.Keys(n.Attributes)) {
			change("without %s", name)(func(n *onnx.Node) { delete(n.Attributes, name) })
			for k, a := range otherwise(n.Attributes[name]) {
				change("another %s, %d", name, k)(func(n *onnx.Node) { n.Attributes[name] = a })
			}
		}
	}
	for i, v := range inputs {
		for what, other := range variants(v) {
			changed := slices.Clone(inputs)
			changed[i] = other
			yield(mutant{fmt.Sprintf("input %d: %s", i, what), m, changed})
		}
	}
}

// loosened returns a model that says no types, and whose stored tensors are inputs.
func loosened(m *onnx.Model, inputs []tensor.Value) (*onnx.Model, []tensor.Value) {
	own := *m
	own.Graph.Inputs = nil
	stored := map[string]bool{}
	for i := range m.Graph.Initializers {
		stored[m.Graph.Initializers[i].Name] = true
	}
	for i, in := range m.Graph.Inputs {
		if !stored[in.Name] && len(own.Graph.Inputs) < len(inputs) {
			own.Graph.Inputs = append(own.Graph.Inputs, m.Graph.Inputs[i])
		}
	}
	inputs = slices.Clone(inputs[:len(own.Graph.Inputs)])
	own.Graph.Initializers = nil
	for i := range m.Graph.Initializers {
		t := &m.Graph.Initializers[i]
		v, err := t.Value()
		if err != nil {
			own.Graph.Initializers = append(own.Graph.Initializers, *t)
			continue
		}
		own.Graph.Inputs = append(own.Graph.Inputs, onnx.ValueInfo{Name: t.Name, Kind: onnx.KindTensor, Type: t.Number})
		inputs = append(inputs, v)
	}
	return &own, inputs
}

// otherwise returns attributes in place of one.
func otherwise(a onnx.Attribute) []onnx.Attribute {
	var list []onnx.Attribute
	add := func(edit func(a *onnx.Attribute)) {
		b := a
		edit(&b)
		list = append(list, b)
	}
	switch a.Type {
	case schema.AttributeProto_INT:
		for _, v := range []int64{-1, 0, 2, 3, 100, -100, 1 << 40, math.MinInt64} {
			add(func(a *onnx.Attribute) { a.Int = v })
		}
		add(func(a *onnx.Attribute) { *a = onnx.Attribute{Type: schema.AttributeProto_FLOAT, Float: float32(a.Int)} })
	case schema.AttributeProto_FLOAT:
		for _, v := range []float64{0, -1, math.NaN(), math.Inf(1)} {
			add(func(a *onnx.Attribute) { a.Float = float32(v) })
		}
		add(func(a *onnx.Attribute) { *a = onnx.Attribute{Type: schema.AttributeProto_INT, Int: 1} })
	case schema.AttributeProto_INTS:
		add(func(a *onnx.Attribute) { a.Ints = nil })
		add(func(a *onnx.Attribute) { a.Ints = append(slices.Clone(a.Ints), 1) })
		add(func(a *onnx.Attribute) { *a = onnx.Attribute{Type: schema.AttributeProto_INT, Int: 1} })
		if len(a.Ints) > 1 {
			add(func(a *onnx.Attribute) { a.Ints = a.Ints[1:] })
		}
		for _, v := range []int64{-1, 0, 5, 1 << 40, math.MinInt64} {
			add(func(a *onnx.Attribute) {
				if a.Ints = slices.Clone(a.Ints); len(a.Ints) > 0 {
					a.Ints[len(a.Ints)-1] = v
				}
			})
		}
	case schema.AttributeProto_FLOATS:
		add(func(a *onnx.Attribute) { a.Floats = nil })
		add(func(a *onnx.Attribute) { a.Floats = append(slices.Clone(a.Floats), float32(math.NaN())) })
		if len(a.Floats) > 1 {
			add(func(a *onnx.Attribute) { a.Floats = a.Floats[1:] })
		}
	case schema.AttributeProto_STRINGS:
		add(func(a *onnx.Attribute) { a.Strings = nil })
		add(func(a *onnx.Attribute) { a.Strings = append(slices.Clone(a.Strings), "odd") })
		if len(a.Strings) > 1 {
			add(func(a *onnx.Attribute) { a.Strings = a.Strings[1:] })
		}
	case schema.AttributeProto_STRING:
		add(func(a *onnx.Attribute) { a.String = "" })
		add(func(a *onnx.Attribute) { a.String = "odd" })
		add(func(a *onnx.Attribute) { *a = onnx.Attribute{Type: schema.AttributeProto_INT, Int: 1} })
	default:
		add(func(a *onnx.Attribute) { *a = onnx.Attribute{Type: a.Type} })
		add(func(a *onnx.Attribute) { *a = onnx.Attribute{Type: schema.AttributeProto_INT, Int: 1} })
	}
	return list
}

// variants yields values in place of one.
func variants(v tensor.Value) func(yield func(string, tensor.Value) bool) {
	return func(yield func(string, tensor.Value) bool) {
		if v.Check() != nil || !v.Type.Shape.IsStatic() || v.Type.DType.Bits() < 8 {
			return
		}
		d, sizes := v.Type.DType, v.Type.Shape.Sizes()
		size := d.Bits() / 8
		elements, more := len(v.Bytes)/size, true
		put := func(what string, d dtype.DType, raw []byte, sizes ...int64) {
			more = more && yield(what, tensor.Value{Type: tensor.TypeOf(d, sizes...), Bytes: raw})
		}
		put("one more dimension", d, v.Bytes, append([]int64{1}, sizes...)...)
		put("one more dimension at the end", d, v.Bytes, append(slices.Clone(sizes), 1)...)
		put("flat", d, v.Bytes, int64(elements))
		if elements > 0 {
			put("a scalar", d, v.Bytes[:size])
		}
		for k := range sizes {
			other := slices.Clone(sizes)
			other[k] = 0
			put(fmt.Sprintf("size %d is 0", k), d, []byte{}, other...)
			if sizes[k] > 0 {
				other = slices.Clone(sizes)
				other[k] = 1
				put(fmt.Sprintf("size %d is 1", k), d, v.Bytes[:len(v.Bytes)/int(sizes[k])], other...)
				other = slices.Clone(sizes)
				other[k]++
				put(fmt.Sprintf("size %d is one more", k), d, append(slices.Clone(v.Bytes), v.Bytes[:len(v.Bytes)/int(sizes[k])]...), other...)
				put("without a dimension", d, v.Bytes[:len(v.Bytes)/int(sizes[k])], slices.Delete(slices.Clone(sizes), k, k+1)...)
			}
		}
		for _, other := range []dtype.DType{dtype.F32, dtype.F16, dtype.I64, dtype.I32, dtype.U8, dtype.Bool} {
			if other != d {
				put("of "+other.String(), other, make([]byte, elements*other.Bits()/8), sizes...)
			}
		}
		for what, fill := range map[string]byte{"zeros": 0, "all bits": 0xff} {
			raw := slices.Repeat([]byte{fill}, len(v.Bytes))
			if d == dtype.Bool {
				raw = slices.Repeat([]byte{fill & 1}, len(v.Bytes))
			}
			put(what, d, raw, sizes...)
		}
		if d == dtype.I64 {
			raw := slices.Clone(v.Bytes)
			for k := 5; k < len(raw); k += 8 { // 2^40
				raw[k] = 1
			}
			put("large numbers", d, raw, sizes...)
		}
	}
}

// refusals counts what became of mutants.
type refusals struct{ made, refused int }

// faults returns an error for each mutant of a model at which the importer fails: it must
// become a graph, or be refused by an error of a code that names a node.
func (r *refusals) faults(name string, m *onnx.Model, inputs []tensor.Value) []error {
	var found []error
	evaluate := open.Evaluator(1 << 24)
	mutants(m, inputs, func(x mutant) {
		r.made++
		_, err := fromonnx.Graph(x.model, x.inputs, evaluate)
		if err == nil {
			return
		}
		r.refused++
		if c := errs.CodeOf(err); c == "" || c == fromonnx.CodeFault {
			found = append(found, errs.Wrap(codeFault, err, "%s", x.what).In(name))
		}
	})
	return found
}

// mutated runs the mutants of the tests of a suite.
func mutated(s *suite, chosen []string, out io.Writer) error {
	var r refusals
	var found []error
	for _, name := range chosen {
		data, err := fs.ReadFile(s, name+"/model.onnx")
		if err != nil {
			return errs.Wrap(codeTests, err, "a test without a model").In(name)
		}
		m, err := onnx.ParseModel(data)
		if err != nil || dispute(name) != "" {
			continue
		}
		inputs, _, err := values(s, name, m)
		if err != nil { // of strings
			continue
		}
		declared(inputs, m.Graph.Inputs)
		found = append(found, r.faults(name, m, inputs)...)
	}
	fmt.Fprintf(out, "%d changed models: %d refused, at %d the importer fails\n", r.made, r.refused, len(found))
	return errors.Join(found...)
}
