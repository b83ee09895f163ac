package verify

import (
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Encoded is a tensor that has an encoding in a text.
type Encoded struct {
	Name     string         `json:"name"`
	Encoding quant.Encoding `json:"encoding"`
	// Stored is the type of a parameter's bytes in the text, and Logical that of its
	// elements; both are empty for other tensors.
	Stored  string `json:"stored,omitempty"`
	Logical string `json:"logical,omitempty"`
}

// Encodings returns the entries of the attribute contract.EncodingsAttribute of a text,
// which the error calls name, in their order there.
func Encodings(name string, text []byte) ([]Encoded, error) {
	m, faults := checked(name, string(text))
	if len(faults) > 0 {
		return nil, faults[0]
	}
	types := map[string]typ{}
	for _, g := range m.globals {
		types[unescaped(g.name)] = g.typ
	}
	list := []Encoded{}
	for _, e := range m.encodings() {
		one := Encoded{Name: e.name, Encoding: e.encoding}
		if t, ok := types[e.name]; ok {
			one.Stored = t.String()
			if logical, err := tensor.Unblocked(e.encoding, t.stored()); err == nil {
				one.Logical = logical.String()
			}
		}
		list = append(list, one)
	}
	return list, nil
}

// Against returns the errors of a file's text, where it and the contract name different
// encodings of a parameter, and the parameters of the text that the contract lacks; the
// second result is an error of reading it.
func Against(path string, c *contract.Contract) ([]error, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	m, faults := checked(path, string(text))
	if len(faults) > 0 {
		return faults, nil
	}
	said, listed := map[string]quant.Encoding{}, map[string]bool{}
	for _, e := range m.encodings() {
		said[e.name] = e.encoding
	}
	for _, p := range c.Parameters {
		listed[p.Key] = true
		if e := said[p.Key]; e.Stored() != p.Encoding.Stored() && !isBlocks(p, e) {
			faults = append(faults, errs.New(CodeEncoding, "the text stores the parameter as %s, the contract as %s", e.Stored(), p.Encoding.Stored()).
				In(path).On(p.Key).Hint("export both again"))
		}
	}
	for _, g := range m.globals {
		if key := unescaped(g.name); g.isParameter() && !listed[key] {
			faults = append(faults, errs.New(CodeEncoding, "the text stores the parameter as %s, the contract has no such parameter", said[key].Stored()).
				In(path).On(key).Hint("export both again"))
		}
	}
	return faults, nil
}

// isBlocks reports whether a parameter that is bytes to its archive has the type of blocks of
// e, which the program reads in it.
func isBlocks(p contract.Parameter, e quant.Encoding) bool {
	if !p.Encoding.IsDense() || p.DType != dtype.I8 {
		return false
	}
	_, err := tensor.Unblocked(e, tensor.Type{DType: p.DType, Shape: p.Shape})
	return err == nil
}

// isParameter reports whether the global is read from an archive.
func (g *global) isParameter() bool {
	return g.init != nil && g.init.text == "#flow.parameter.named"
}

// entry is one of the attribute of encodings.
type entry struct {
	named
	encoding quant.Encoding
}

// encodings returns the entries, each checked by checker.encodings.
func (m *module) encodings() []entry {
	var list []entry
	a, _ := m.attrs.get(contract.EncodingsAttribute)
	for i, key := range a.keys {
		list = append(list, entry{named{unescaped(key), a.items[i].pos}, quant.Encoding(strings.Trim(a.items[i].text, `"`))})
	}
	return list
}

// encodings checks the attribute: a dictionary of names of encodings, each name once, and a
// parameter of that name has the type of its blocks.
func (c *checker) encodings(m *module) {
	a, ok := m.attrs.get(contract.EncodingsAttribute)
	if !ok {
		return
	}
	if a.kind != aDict {
		c.fault(a.pos, CodeAttribute, "%s is not a dictionary", contract.EncodingsAttribute)
		return
	}
	types, first := map[string]typ{}, map[string]int{}
	for _, g := range m.globals {
		types[unescaped(g.name)] = g.typ
	}
	for i, e := range m.encodings() {
		if at, twice := first[e.name]; twice {
			c.see(e.pos, at, CodeAttribute, "tensor %q has an encoding twice", e.name)
			continue
		}
		first[e.name] = e.pos
		if a.items[i].kind != aString {
			c.fault(e.pos, CodeAttribute, "the encoding of tensor %q is not a string", e.name)
			continue
		}
		if known, err := quant.Parse(string(e.encoding)); err != nil || known == quant.NotCarried {
			c.fault(e.pos, CodeAttribute, "tensor %q has an unknown encoding %q", e.name, string(e.encoding))
			continue
		}
		t, isParameter := types[e.name]
		if _, blocks := e.encoding.Block(); !isParameter || !blocks {
			continue
		}
		if _, err := tensor.Unblocked(e.encoding, t.stored()); err != nil {
			c.fault(e.pos, CodeType, "parameter %q has the type %s, which is not that of blocks of %s", e.name, t, e.encoding)
		}
	}
}

// unescaped returns a quoted name as it is: MLIR writes bytes as \HH.
func unescaped(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if name[i] != '\\' || i+1 == len(name) {
			b.WriteByte(name[i])
			continue
		}
		i++
		if end := i + 2; end <= len(name) {
			if n, err := strconv.ParseUint(name[i:end], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i++
				continue
			}
		}
		switch name[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		default:
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

// stored returns the type as package tensor has it, if its elements are bytes.
func (t typ) stored() tensor.Type {
	if !t.tensor || t.elem != "i8" {
		return tensor.Type{}
	}
	s := make(shape.Shape, len(t.dims))
	for i, d := range t.dims {
		s[i] = shape.N(d)
	}
	return tensor.Type{DType: dtype.I8, Shape: s}
}
