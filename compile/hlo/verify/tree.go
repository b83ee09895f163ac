package verify

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
)

// Tree is the syntax tree of a text without errors, for packages that read it. Operations
// have the types of all operands and results, whatever their form stated.
type Tree struct {
	Name      string // "" without one
	Attrs     Attr
	Funcs     []*TreeFunc
	Globals   []*TreeGlobal
	Resources map[string]string // digits of dense_resource<name>, beginning with 0x

	text string
}

// Parse checks a text, which errors call name, and returns its tree, or all its errors.
func Parse(name, text string) (*Tree, []error) {
	m, faults := checked(name, text)
	if len(faults) > 0 {
		return nil, faults
	}
	t := &Tree{Name: m.name, Attrs: m.attrs.tree(), Resources: m.resources, text: text}
	for _, f := range m.funcs {
		t.Funcs = append(t.Funcs, f.tree())
	}
	for _, g := range m.globals {
		out := &TreeGlobal{Name: unescaped(g.name), Pos: g.pos, Mutable: g.mutable, Type: g.typ.tree()}
		if g.init != nil {
			out.Init = g.init.tree()
		}
		t.Globals = append(t.Globals, out)
	}
	return t, nil
}

// ParseFile is Parse for a file; the last result is an error of reading it.
func ParseFile(path string) (*Tree, []error, error) {
	text, err := read(path)
	if err != nil {
		if errs.CodeOf(err) == CodeLimit {
			return nil, []error{err}, nil
		}
		return nil, nil, err
	}
	t, faults := Parse(path, string(text))
	return t, faults, nil
}

// Place returns line:column of a position.
func (t *Tree) Place(pos int) string { return lines(t.text, []int{pos})[pos] }

// TreeGlobal is a variable of the module.
type TreeGlobal struct {
	Name    string
	Pos     int
	Mutable bool
	Type    TreeType
	Init    Attr // of kind AttrNone without one
}

// TreeFunc is a function.
type TreeFunc struct {
	Name    string
	Pos     int
	Private bool
	Args    []TreeArg
	Results []TreeType
	Notes   []Attr      // the dictionary of each result
	Body    *TreeRegion // nil for a declaration
}

// TreeArg is an argument of a function or a region.
type TreeArg struct {
	Name  string // with its %
	Type  TreeType
	Notes Attr // the dictionary of a function's argument
}

// TreeRegion is a list of operations, of which the last returns.
type TreeRegion struct {
	Args []TreeArg
	Ops  []*TreeOp
}

// TreeOp is an operation.
type TreeOp struct {
	Name     string
	Pos      int
	Results  []string // the names of the results in order, as Operand spells them
	Operands []string // %x, %x#1
	In, Out  []TreeType
	Attrs    Attr   // a dictionary: those of the pretty form as well
	Words    []Attr // of the pretty form: LT, the ranges of a slice, what a reduction applies
	Symbol   string // of the callee, the target of a custom call or the global
	Regions  []*TreeRegion
}

// TreeType is a type.
type TreeType struct {
	Tensor bool
	Dims   []int64 // -1 for ?
	Elem   string  // the element type of a tensor, else the whole type
	Bounds string  // the encoding of a tensor, as written
	text   string
}

// String returns the type as written.
func (t TreeType) String() string { return t.text }

// AttrKind is what an attribute is.
type AttrKind byte

// The kinds.
const (
	AttrNone     AttrKind = iota // nothing
	AttrWord                     // LT, a type, or anything else
	AttrInt                      // 3, true (1), false (0)
	AttrFloat                    // 1.0
	AttrHex                      // 0xFF
	AttrString                   // its text has no quotes
	AttrList                     // [..], array<i64: ..>
	AttrDict                     // {..}, #stablehlo.gather<..>
	AttrRange                    // 0:4:2
	AttrDense                    // dense<..>
	AttrSymbol                   // its text has no @
	AttrResource                 // dense_resource<..>, whose text is the name
)

var attrKinds = [...]AttrKind{
	aWord: AttrWord, aInt: AttrInt, aFloat: AttrFloat, aHex: AttrHex, aString: AttrString, aList: AttrList,
	aDict: AttrDict, aRange: AttrRange, aDense: AttrDense, aSymbol: AttrSymbol, aResource: AttrResource,
}

// Attr is an attribute.
type Attr struct {
	Kind  AttrKind
	Pos   int
	Text  string
	Inner string // what follows a word in <>, with these
	N     int64
	Bool  bool // an integer written as true or false
	Items []Attr
	Keys  []string // of a dictionary, one per item
}

// Get returns the value of a key; it is of kind AttrNone if there is none.
func (a Attr) Get(keys ...string) Attr {
	for _, key := range keys {
		for i, k := range a.Keys {
			if k == key {
				return a.Items[i]
			}
		}
	}
	return Attr{}
}

// Ints returns a list of integers.
func (a Attr) Ints() ([]int64, bool) {
	if a.Kind == AttrDense && len(a.Items) == 1 {
		return a.Items[0].Ints()
	}
	if a.Kind != AttrList {
		return nil, false
	}
	out := make([]int64, len(a.Items))
	for i, item := range a.Items {
		if item.Kind != AttrInt {
			return nil, false
		}
		out[i] = item.N
	}
	return out, true
}

func (a attr) tree() Attr {
	out := Attr{Kind: attrKinds[a.kind], Pos: a.pos, Text: a.text, Inner: a.inner, N: a.n, Bool: a.boolean, Keys: a.keys}
	if a.kind == aString {
		out.Text = unescaped(unquoted(a.text))
		if len(a.text) > 2 && a.text[1] == '0' { // digits, which have no escapes
			out.Text = unquoted(a.text)
		}
	}
	if len(a.items) > 0 {
		out.Items = make([]Attr, len(a.items))
		for i, item := range a.items {
			out.Items[i] = item.tree()
		}
	}
	return out
}

func (t typ) tree() TreeType {
	return TreeType{Tensor: t.tensor, Dims: t.dims, Elem: t.elem, Bounds: t.extra, text: t.String()}
}

func typesOf(ts []typ) []TreeType {
	out := make([]TreeType, len(ts))
	for i, t := range ts {
		out[i] = t.tree()
	}
	return out
}

func (f *function) tree() *TreeFunc {
	out := &TreeFunc{Name: f.name, Pos: f.pos, Private: f.private, Args: argsOf(f.args), Results: typesOf(f.results)}
	for _, n := range f.notes {
		out.Notes = append(out.Notes, n.tree())
	}
	if f.body != nil {
		out.Body = f.body.tree()
	}
	return out
}

func argsOf(args []arg) []TreeArg {
	out := make([]TreeArg, len(args))
	for i, a := range args {
		out[i] = TreeArg{a.name, a.typ.tree(), a.notes.tree()}
	}
	return out
}

func (r *region) tree() *TreeRegion {
	out := &TreeRegion{Args: argsOf(r.args)}
	for _, o := range r.ops {
		out.Ops = append(out.Ops, o.tree())
	}
	return out
}

func (o *op) tree() *TreeOp {
	out := &TreeOp{
		Name: o.name, Pos: o.pos, In: typesOf(o.ins), Out: typesOf(o.outs), Attrs: o.attrs.tree(), Symbol: o.symbol.name,
	}
	for _, d := range o.defs {
		for i := range d.count {
			out.Results = append(out.Results, nth(d.name, i))
		}
	}
	for _, u := range o.operands {
		out.Operands = append(out.Operands, u.String())
	}
	for _, w := range o.words {
		out.Words = append(out.Words, w.tree())
	}
	for _, r := range o.regions {
		out.Regions = append(out.Regions, r.tree())
	}
	return out
}

// nth spells a result as an operand does.
func nth(name string, i int) string {
	if i == 0 {
		return name
	}
	return fmt.Sprintf("%s#%d", name, i)
}
