// Package constants reads the constants of StableHLO texts: a text is a file of weights, too.
//
// A constant that lists its elements has a key, the name of its function and its value there,
// of its resource or of its global: other values have the same keys.
//
// # Errors
//
// HLO_* of package verify for a text that is not valid, HLO_IMPORT_CONSTANT for a constant whose
// values are not in the text or not of its type, and HLO_IMPORT_TENSOR for a key that it lacks.
//
// # Determinism
//
// Everything depends only on the text.
//
// # Untrusted input
//
// Texts are within the limits of package verify. A constant takes as many bytes as its digits
// make, half as many as it has in the text.
package constants

import (
	"bytes"
	"os"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Format is the name of the format.
const Format = "stablehlo"

// Codes of this package.
const (
	CodeConstant errs.Code = "HLO_IMPORT_CONSTANT" // smallest input: dense_resource<__elided__>
	CodeTensor   errs.Code = "HLO_IMPORT_TENSOR"   // smallest input: the tensor "" of any text
)

// Sniff reports whether a file that begins like this is StableHLO text.
func Sniff(head []byte) bool {
	text := bytes.TrimLeft(head, " \t\r\n")
	for bytes.HasPrefix(text, []byte("//")) {
		_, rest, _ := bytes.Cut(text, []byte("\n"))
		text = bytes.TrimLeft(rest, " \t\r\n")
	}
	for _, begin := range []string{"module", "builtin.module", "func.func", "#loc", "util.global", "stream.executable"} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return false
}

// Constant is one that lists its elements.
type Constant struct {
	Key  string
	Pos  int // of the operation or the global
	Attr verify.Attr
	Type verify.TreeType
}

// Of returns the constants of a text that list their elements, in its order. Several of one
// resource have one key; any other key that is taken gets a number.
func Of(tree *verify.Tree) []Constant {
	var list []Constant
	taken, tries := map[string]bool{}, map[string]int{}
	add := func(key string, pos int, a verify.Attr, t verify.TreeType) {
		own := a.Kind == verify.AttrResource
		if own {
			key = a.Text
		} else if a.Kind != verify.AttrDense || len(a.Items) != 1 || !lists(a.Items[0], t) {
			return
		}
		for base := key; taken[key] && !own; {
			tries[base]++
			key = base + "." + strconv.Itoa(tries[base]+1)
		}
		taken[key] = true
		list = append(list, Constant{key, pos, a, t})
	}
	for _, g := range tree.Globals {
		add(g.Name, g.Pos, g.Init, g.Type)
	}
	var walk func(fn string, r *verify.TreeRegion)
	walk = func(fn string, r *verify.TreeRegion) {
		for _, o := range r.Ops {
			for _, inner := range o.Regions {
				walk(fn, inner)
			}
			if o.Name == "stablehlo.constant" && len(o.Out) == 1 {
				name := "constant"
				if len(o.Results) > 0 {
					name = o.Results[0][1:]
				}
				add(fn+"."+name, o.Pos, Literal(o), o.Out[0])
			}
		}
	}
	for _, f := range tree.Funcs {
		if f.Body != nil {
			walk(f.Name, f.Body)
		}
	}
	return list
}

// Literal returns the literal of a constant operation.
func Literal(o *verify.TreeOp) verify.Attr {
	if len(o.Words) > 0 {
		return o.Words[0]
	}
	return o.Attrs.Get("value")
}

// lists reports whether a literal lists elements instead of giving one for all.
func lists(a verify.Attr, t verify.TreeType) bool {
	d, ok := DType(t.Elem)
	return ok && (a.Kind == verify.AttrList || a.Kind == verify.AttrString && len(a.Text)-len("0x") > d.Bits()/4)
}

// dtypes are the element types as texts spell them.
var dtypes = func() map[string]dtype.DType {
	m := map[string]dtype.DType{"index": dtype.I64}
	for _, d := range dtype.All() {
		if d.Bits() < 8 {
			continue
		}
		m[d.MLIR()] = d
		if d.IsSigned() {
			m["s"+d.MLIR()] = d
		}
	}
	return m
}()

// DType returns the element type that a text spells so, if programs compute in it.
func DType(elem string) (dtype.DType, bool) {
	d, ok := dtypes[elem]
	return d, ok
}

// File is a text as a file of weights.
type File struct {
	Tree *verify.Tree
	path string
	size int64
	list []Constant
	keys map[string]int // places in list
}

// Open reads and checks the text at path.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, errs.Wrap(verify.CodeFile, err, "cannot read the text").In(path)
	}
	tree, faults, err := verify.ParseFile(path)
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		return nil, faults[0]
	}
	f := &File{Tree: tree, path: path, size: info.Size(), list: Of(tree), keys: map[string]int{}}
	for i, c := range f.list {
		if _, had := f.keys[c.Key]; !had {
			f.keys[c.Key] = i
		}
	}
	return f, nil
}

// Path returns the path as it was opened.
func (f *File) Path() string { return f.path }

// Index returns the types of the constants.
func (f *File) Index() *tensor.Index {
	x := &tensor.Index{Format: Format, Tensors: []tensor.Spec{}}
	for i, c := range f.list {
		t := c.typed()
		if n, err := t.Bytes(); f.keys[c.Key] == i && err == nil {
			x.Tensors = append(x.Tensors, tensor.Spec{Name: c.Key, DType: t.DType, Shape: t.Shape, Encoding: quant.Dense, Bytes: n})
		}
	}
	return x
}

func (c Constant) typed() tensor.Type {
	d, _ := DType(c.Type.Elem)
	return tensor.Type{DType: d, Shape: shape.Of(c.Type.Dims...)}
}

func (f *File) find(name string) (Constant, error) {
	i, ok := f.keys[name]
	if !ok {
		return Constant{}, errs.New(CodeTensor, "the text has no constant %q", name).In(f.path).Hint("give the text from which the graph was imported")
	}
	return f.list[i], nil
}

// Tensor returns the elements of a constant.
func (f *File) Tensor(name string) (tensor.Buffer, error) {
	c, err := f.find(name)
	if err != nil {
		return nil, err
	}
	v, err := Value(f.Tree, c.Attr, c.typed())
	if err != nil {
		return nil, errs.WithFile(err, f.path)
	}
	return tensor.Owned(v.Bytes), nil
}

// Place returns where a constant begins in the text.
func (f *File) Place(name string) (path string, offset int64, err error) {
	c, err := f.find(name)
	return f.path, int64(c.Pos), err
}

// Size returns the length of the file.
func (f *File) Size() int64 { return f.size }

// Close does nothing: the text is in memory.
func (f *File) Close() error { return nil }
