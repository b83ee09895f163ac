package verify

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mutant is a text with one change.
type mutant struct {
	name string // function/kind/line:column
	text string
	line string // the changed line, for messages
	op   string // the operation, or "" for a function or a global
	// harmless returns why the text is still valid: the mutation is
	// of an unused value.
	harmless bool
}

// executables splits a text into the text without kernels, and each kernel
// by its symbol, with the @.
func executables(text string) (rest string, kernels map[string]string) {
	var left, kernel []string
	kernels = map[string]string{}
	symbol, depth := "", 0
	for _, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, "  stream.executable private "); ok {
			symbol, _, _ = strings.Cut(name, " ")
		}
		if symbol == "" {
			left = append(left, line)
			continue
		}
		kernel = append(kernel, line)
		depth += strings.Count(line, "{") - strings.Count(line, "}")
		if depth == 0 {
			kernels[symbol] = strings.Join(kernel, "\n")
			symbol, kernel = "", nil
		}
	}
	return strings.Join(left, "\n"), kernels
}

// pieces splits a module written by this repository into texts of one function
// each, with the private symbols that it refers to, so that many mutations
// are cheap.
func pieces(text string) map[string]string {
	text, kernels := executables(text)
	parts := strings.Split(text, "\n  func.func ")
	head := strings.Split(parts[0], "\n")
	last := len(parts) - 1
	parts[last] = strings.TrimSuffix(parts[last], "\n}\n")
	private := map[string]string{}
	for _, p := range parts[1:] {
		called, _, _ := strings.Cut(p, "(")
		if f, ok := strings.CutPrefix(called, "private "); ok {
			private[f] = p
		}
	}
	out := map[string]string{}
	for _, p := range parts[1:] {
		name, _, _ := strings.Cut(p, "(")
		if strings.HasPrefix(name, "private ") {
			continue
		}
		body := "\n  func.func " + p
		for more := true; more; { // including callees of private functions
			more = false
			for _, f := range slices.Sorted(maps.Keys(private)) {
				if strings.Contains(body, " "+f+"(") && !strings.Contains(body, "func.func private "+f+"(") {
					body, more = "\n  func.func "+private[f]+body, true
				}
			}
		}
		keep := head[:1:1]
		for _, symbol := range slices.Sorted(maps.Keys(kernels)) {
			if strings.Contains(body, symbol+"::") {
				keep = append(keep, kernels[symbol])
			}
		}
		foreign := false // in a function of IREE's own dialect
		for _, line := range head[1:] {
			if symbol, ok := strings.CutPrefix(line, "  util.func private "); ok {
				symbol, _, _ = strings.Cut(symbol, "(")
				foreign = strings.Contains(body, "util.call "+symbol+"(")
			}
			if foreign {
				keep = append(keep, line)
				foreign = line != "  }"
			}
			if strings.HasPrefix(line, "  util.global") {
				symbol := line[strings.Index(line, "@"):]
				symbol = symbol[:strings.Index(symbol, " ")]
				if strings.Contains(body, symbol+" ") {
					keep = append(keep, line)
				}
			}
		}
		out[strings.TrimPrefix(name, "@")] = strings.Join(keep, "\n") + body + "\n}\n"
	}
	return out
}

// mutants mutates each use, definition and type of a text in turn, if want
// selects its kind and operation: each mutant is a copy of the text.
func mutants(name, text string, want func(kind, op string) bool) []mutant {
	p := newParser(text)
	m := p.module()
	if p.fault != nil {
		panic(p.fault.what) // an error in the test's own texts
	}
	g := &mutator{name: name, text: text, want: want}
	for _, x := range m.globals {
		g.types("global", x.typ)
	}
	for _, f := range m.funcs {
		for _, a := range f.args {
			g.subject = a.name
			g.types("argument", a.typ)
		}
		g.subject = ""
		g.types("result", f.results...)
		if f.body != nil {
			g.region(f.body)
		}
	}
	return g.out
}

type mutator struct {
	name, text string
	want       func(kind, op string) bool
	of         string // operation that is being changed
	subject    string // value whose definition or type is being changed
	out        []mutant
}

// unused counts occurrences in the text, independently of the parser.
func (g *mutator) unused() bool {
	if g.subject == "" {
		return false
	}
	for rest, n := g.text, 0; ; n++ {
		i := strings.Index(rest, g.subject)
		if i < 0 {
			return n <= 1
		}
		if rest = rest[i+len(g.subject):]; rest != "" && inName(rest[0]) {
			n-- // a longer name
		}
	}
}

// edit replaces text[from:to].
func (g *mutator) edit(kind string, from, to int, with string) {
	if !g.want(kind, g.of) {
		return
	}
	text := g.text[:from] + with + g.text[to:]
	start := strings.LastIndexByte(text[:from], '\n') + 1
	line, _, _ := strings.Cut(text[start:], "\n")
	g.out = append(g.out, mutant{fmt.Sprintf("%s/%s/%s", g.name, kind, lines(g.text, []int{from})[from]), text, strings.TrimSpace(line), g.of, g.unused()})
}

func (g *mutator) region(r *region) {
	for _, o := range r.ops {
		g.op(o)
		for _, inner := range o.regions {
			g.region(inner)
		}
	}
}

func (g *mutator) op(o *op) {
	g.of, g.subject = o.name, ""
	defer func() { g.of = "" }()
	for i, u := range o.operands {
		end := u.pos + len(u.name)
		if strings.HasPrefix(g.text[end:], "#") {
			end = lex(g.text, end).end()
		}
		g.edit("rename", u.pos, end, "%nowhere")
		switch {
		case len(o.carried) > 0 || o.name == "stablehlo.reduce": // its name or "init:" is part of it
		case strings.HasPrefix(g.text[end:], ", "):
			g.edit("drop", u.pos, end+2, "")
		case strings.HasSuffix(g.text[:u.pos], ", "):
			g.edit("drop", u.pos-2, end, "")
		default:
			g.edit("drop", u.pos, end, "")
		}
		if o.function && i > 0 && u.pos > o.operands[i-1].pos && !o.list[i].equal(o.list[i-1]) {
			prev := o.operands[i-1]
			at := prev.pos + len(prev.name)
			if strings.HasPrefix(g.text[at:], "#") {
				at = lex(g.text, at).end()
			}
			g.edit("swap", prev.pos, end, g.text[u.pos:end]+g.text[at:u.pos]+g.text[prev.pos:at])
		}
	}
	if len(o.defs) > 0 {
		d := o.defs[0]
		start := strings.LastIndexByte(g.text[:d.pos], '\n') + 1
		if n := strings.IndexByte(g.text[start:], '\n') + 1; len(o.regions) == 0 {
			g.edit("twice", start, start, g.text[start:start+n])
		}
		g.subject = d.name
		g.edit("undefine", d.pos, o.pos, "")
		g.edit("name", d.pos, d.pos+len(d.name), "%other")
	}
	if o.symbol.name != "" {
		g.subject = ""
		g.edit("symbol", o.symbol.pos, o.symbol.pos+1, "@un")
	}
	if g.subject = ""; len(o.operands) == 0 && len(o.defs) == 1 { // constant, iota
		g.subject = o.defs[0].name
	}
	g.types("type", o.list...)
	for i, t := range o.outs {
		// A broadcast of a broadcast leaves the inner one unused, an argsort the
		// sorted values: changing the size of a dynamic one is not an error.
		if len(o.defs) == 1 {
			if g.subject = o.defs[0].name; o.defs[0].count > 1 {
				g.subject += fmt.Sprintf("#%d", i)
			}
		}
		g.types("type", t)
	}
}

// types mutates the element type and the shape of types in place.
func (g *mutator) types(kind string, list ...typ) {
	for _, t := range list {
		elem := "f64"
		if t.elem == "f64" {
			elem = "i32"
		}
		spelled := t.String()
		g.edit(kind+"-element", t.pos, t.pos+len(spelled), typ{tensor: true, dims: t.dims, elem: elem}.String())
		g.edit(kind+"-rank", t.pos, t.pos+len(spelled), typ{tensor: true, dims: append([]int64{1}, t.dims...), elem: t.elem}.String())
		for i, d := range t.dims {
			dims := append([]int64{}, t.dims...)
			dims[i] = d + 1
			g.edit(fmt.Sprintf("%s-size%d", kind, i), t.pos, t.pos+len(spelled), typ{tensor: true, dims: dims, elem: t.elem}.String())
		}
	}
}
