package xla

import (
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// signature is the types of a program on each device.
type signature struct{ args, results []tensor.Type }

// signatureOf reads the program shape of a HloModuleProto.
func signatureOf(module []byte) (s signature, err error) {
	err = fields(module, func(field protowire.Number, v value) error {
		if field != 4 { // host_program_shape
			return nil
		}
		return fields(v.bytes, func(field protowire.Number, v value) error {
			switch field {
			case 1: // parameters
				t, _, err := typeOf(v.bytes)
				s.args = append(s.args, t)
				return err
			case 2: // result: a tuple, unless there is one
				t, parts, err := typeOf(v.bytes)
				if s.results = parts; t.DType != dtype.Invalid {
					s.results = []tensor.Type{t}
				}
				return err
			}
			return nil
		})
	})
	if err != nil {
		return s, errs.Wrap(pjrt.CodeProgram, err, "the compiled program that the plugin shows is not a HloModuleProto")
	}
	return s, nil
}

// elements are XLA's element types (xla/xla_data.proto) of values that programs take.
var elements = map[uint64]dtype.DType{
	1: dtype.Bool, 2: dtype.I8, 3: dtype.I16, 4: dtype.I32, 5: dtype.I64, 6: dtype.U8, 7: dtype.U16, 8: dtype.U32, 9: dtype.U64,
	10: dtype.F16, 11: dtype.F32, 12: dtype.F64, 16: dtype.BF16,
}

// typeOf reads a ShapeProto: a type, or those in a tuple.
func typeOf(b []byte) (t tensor.Type, parts []tensor.Type, err error) {
	var sizes []int64
	err = fields(b, func(field protowire.Number, v value) error {
		switch field {
		case 2:
			t.DType = elements[v.number]
		case 3:
			return numbers(v, &sizes)
		case 4:
			one, _, err := typeOf(v.bytes)
			parts = append(parts, one)
			return err
		}
		return nil
	})
	t.Shape = shape.Of(sizes...)
	return t, parts, err
}

// values returns what a mesh can split.
func (m *manifest) values() dag.MeshValues {
	v := dag.MeshValues{
		Parameters: map[string]tensor.Type{}, Blocks: map[string]bool{},
		States: map[string]tensor.Type{}, Arguments: map[string]tensor.Type{}, Results: map[string]tensor.Type{},
	}
	for _, p := range m.Contract.Parameters {
		if t, err := p.Stored(); err == nil {
			v.Parameters[p.Key], v.Blocks[p.Key] = t, !p.Encoding.IsDense()
		}
	}
	for _, s := range m.States {
		v.States[s.Name] = stateType(s)
	}
	for _, e := range m.Contract.Entries {
		for _, a := range e.Args {
			v.Arguments[dag.PortName(e.Name, a.Name)] = a.Type()
		}
		for _, r := range e.Results {
			v.Results[dag.PortName(e.Name, r.Name)] = r.Type()
		}
	}
	return v
}

// wants returns what a program must take and give, by the contract and the state variables that
// are in the same file.
func (f *file) wants(e *engine, entry *contract.Entry, m member) (want signature, err error) {
	add := func(to *[]tensor.Type, t tensor.Type, s dag.Sharding) error {
		if !s.IsWhole() {
			if err := e.mesh.Fits(t, s); err != nil {
				return err
			}
			t = e.mesh.Part(t, s)
		}
		*to = append(*to, t)
		return nil
	}
	for _, a := range entry.Args {
		t := a.Type()
		if t.Shape, err = t.Shape.Bind(m.Sizes); err != nil {
			return want, err
		}
		if err := add(&want.args, t, e.mesh.Arguments[dag.PortName(entry.Name, a.Name)]); err != nil {
			return want, err
		}
	}
	for _, key := range m.Access.Parameters {
		i := slices.IndexFunc(f.manifest.Contract.Parameters, func(p contract.Parameter) bool { return p.Key == key })
		if i < 0 {
			return want, errs.New(CodeParameters, "the contract has no parameter of the key").On(key)
		}
		t, err := f.manifest.Contract.Parameters[i].Stored()
		if err != nil {
			return want, err
		}
		if err := add(&want.args, t, e.mesh.Parameter(key, t.Shape.Rank())); err != nil {
			return want, err
		}
	}
	states := map[string]tensor.Type{}
	for _, s := range f.manifest.States {
		states[s.Name] = stateType(s)
	}
	for _, name := range m.Access.States {
		if err := add(&want.args, states[name], e.mesh.States[name]); err != nil {
			return want, err
		}
	}
	results, err := backend.Results(entry, m.Sizes)
	if err != nil {
		return want, err
	}
	for i, t := range results {
		if err := add(&want.results, t, e.mesh.Results[dag.PortName(entry.Name, entry.Results[i].Name)]); err != nil {
			return want, err
		}
	}
	for _, name := range m.Access.Writes {
		if err := add(&want.results, states[name], e.mesh.States[name]); err != nil {
			return want, err
		}
	}
	return want, nil
}

// agrees compares a program with what the file says of it: the plugin takes arguments of other
// types for those that it was compiled for. A plugin that does not show programs is believed.
func (f *file) agrees(e *engine, entry *contract.Entry, m member, x *pjrt.Executable) error {
	want, err := f.wants(e, entry, m)
	if err != nil {
		return damaged(f.path, err, "the part %s does not fit the program of %q", manifestName, m.Entry)
	}
	module, err := x.Optimized()
	if err != nil {
		return nil //nolint:nilerr // it does not show them
	}
	have, err := signatureOf(module)
	if err != nil {
		return errs.WithFile(err, f.path)
	}
	for _, c := range []struct {
		what       string
		have, want []tensor.Type
	}{{"argument", have.args, want.args}, {"result", have.results, want.results}} {
		if len(c.have) != len(c.want) {
			return damaged(f.path, nil, "the program has %d %ss, and the part %s says %d", len(c.have), c.what, manifestName, len(c.want)).On(m.Entry)
		}
		for i := range c.have {
			if !c.have[i].Equal(c.want[i]) {
				return damaged(f.path, nil, "%s %d of the program is %s, and the part %s says %s", c.what, i, c.have[i], manifestName, c.want[i]).On(m.Entry)
			}
		}
	}
	return nil
}
