package diffrun

import (
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// given returns the inputs of a model: those in the texts, and made-up ones.
func given(m *onnx.Model, texts []string) (map[string]tensor.Value, error) {
	e := &contract.Entry{Name: "main"}
	for _, in := range m.Inputs() {
		n := contract.Named{Name: in.Name, DType: onnx.DType(in.Type)}
		for _, d := range in.Shape {
			size := shape.Dim{Size: shape.Dynamic, Name: d.Param}
			if d.Known {
				size = shape.N(d.Size)
			}
			n.Shape = append(n.Shape, size)
		}
		if !in.Ranked {
			s, err := shapeOf(in.Name, texts)
			if err != nil {
				return nil, err
			}
			n.Shape = s
		}
		e.Args = append(e.Args, n)
	}
	values, have, err := argtext.ParseSome(e, texts)
	if err != nil {
		return nil, err
	}
	out := map[string]tensor.Value{}
	for i, a := range e.Args {
		if !have[i] {
			if !a.Shape.IsStatic() || a.DType == dtype.Invalid {
				return nil, errs.New(CodeInput, "the input %s, %s, has an open size", a.Name, a.Type()).On(a.Name).
					Hint("give it: --input %s=@FILE.npy", a.Name)
			}
			h := fnv.New64a()
			h.Write([]byte(a.Name))
			if values[i], err = parity.Random(rand.New(rand.NewPCG(h.Sum64(), 1)), a.Type()); err != nil {
				return nil, err
			}
		}
		out[a.Name] = values[i]
	}
	return out, nil
}

// shapeOf returns the shape of an input of which the model does not say the rank: that of
// its file.
func shapeOf(name string, texts []string) (shape.Shape, error) {
	for _, text := range texts {
		if path, ok := strings.CutPrefix(text, name+"=@"); ok {
			v, err := npy.ReadFile(path)
			return v.Type.Shape, err
		}
	}
	return nil, errs.New(CodeInput, "the model does not say how many dimensions the input %s has", name).On(name).
		Hint("give it: --input %s=@FILE.npy", name)
}

// arguments returns the inputs in the order of a graph's arguments, which have the names of
// inputs as identifiers and leave out what no value needs.
func arguments(g *dag.Graph, m *onnx.Model, fixed, inputs map[string]tensor.Value) ([]tensor.Value, error) {
	var order []string
	for _, in := range m.Inputs() {
		if _, ok := fixed[in.Name]; !ok {
			order = append(order, in.Name)
		}
	}
	f := g.Funcs[0]
	args, next := make([]tensor.Value, len(f.Args)), 0
	for i, a := range f.Body.Args {
		for next < len(order) && !named(f.Args[i], order[next]) {
			next++
		}
		if next == len(order) {
			return nil, errs.New(CodeInput, "no input is the argument %s of the graph; there are %v", f.Args[i], slices.Sorted(maps.Keys(inputs))).On(f.Args[i])
		}
		if args[i] = fromonnx.Carrier(inputs[order[next]]); args[i].Type.DType != a.Type.DType {
			return nil, errs.New(CodeInput, "the input is %s, the graph takes %s", args[i].Type, a.Type).On(order[next])
		}
		next++
	}
	return args, nil
}

// named reports whether an identifier may stand for a name of the file.
func named(id, name string) bool {
	i := 0
	for _, c := range name {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9'
		if i == 0 && c >= '0' && c <= '9' && len(id) > 0 && id[0] == '_' {
			i++
		}
		if i >= len(id) || ok && rune(id[i]) != c || !ok && id[i] != '_' {
			return false
		}
		i++
	}
	return true // what may follow is a number
}
