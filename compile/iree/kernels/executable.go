package kernels

import (
	"fmt"
	"slices"
	"strings"
)

// executable writes a stream.executable with one function of one result, run by that
// many workgroups; body gets its bindings, the result's last, then its sizes, which
// have these names, and the index of the workgroup.
func executable(f Form, name string, groups int64, bindings int, names []string, body func(b *builder, bindings, sizes []value, group value)) string {
	w := &writer{indent: f.Indent}
	counts, sizes := make([]string, len(names)), make([]value, len(names))
	for i, n := range names {
		counts[i], sizes[i] = "%"+n+": index", value{"%" + n, indexType}
	}
	w.open("stream.executable private @%s {", name)
	w.open("stream.executable.export public @%s workgroups(%s) -> (index, index, index) {", name, strings.Join(counts, ", "))
	w.line("%%groups = arith.constant %d : index", groups)
	w.line("%%one = arith.constant 1 : index")
	w.line("stream.return %%groups, %%one, %%one : index, index, index")
	w.close()
	w.open("builtin.module {")
	args, bound := make([]string, bindings), make([]value, bindings)
	for i := range bindings {
		bound[i] = value{fmt.Sprintf("%%b%d", i), typ{elem: "!stream.binding"}}
		args[i] = bound[i].name + ": !stream.binding"
	}
	args = slices.Insert(args, bindings-1, counts...)
	w.open("func.func @%s(%s) {", name, strings.Join(args, ", "))
	b := newBuilder(f.at(w.indent))
	group := b.def(typ{elem: index}, "stream.dispatch.workgroup.id[0] : index")
	body(b, bound, sizes, group)
	w.b.WriteString(b.String())
	w.line("return")
	w.close()
	w.close()
	w.close()
	return w.b.String()
}

// dealt is a dimension of the grid of workgroups: how much of a size each takes.
type dealt struct {
	of string
	by int64
	// least, if not 0, is the size down to which the parts of the second dimension are
	// smaller, where the first has so few that there were fewer than few workgroups: threads
	// would have nothing to do.
	least, few int64
}

// sized writes a stream.executable with one function of two operands in memory,
// named sizes, and one result; grid has up to three dimensions.
func sized(f Form, name string, names []string, grid []dealt, body func(b *builder, w, x, y value, sizes []value)) string {
	return sizedOf(f, name, 2, names, grid, func(b *builder, in []value, y value, sizes []value) { body(b, in[0], in[1], y, sizes) })
}

// sizedOf is sized with a number of operands.
func sizedOf(f Form, name string, operands int, names []string, grid []dealt, body func(b *builder, in []value, y value, sizes []value)) string {
	w := &writer{indent: f.Indent}
	args, sizes := make([]string, len(names)), make([]value, len(names))
	for i, n := range names {
		args[i], sizes[i] = "%"+n+": index", value{"%" + n, indexType}
	}
	list := strings.Join(args, ", ")
	w.open("stream.executable private @%s {", name)
	w.open("stream.executable.export public @%s workgroups(%s) -> (index, index, index) {", name, list)
	w.line("%%one = arith.constant 1 : index")
	counts := []string{"%one", "%one", "%one"}
	for i, d := range grid {
		counts[i] = fmt.Sprintf("%%count%d", i)
		w.line("%%by%d = arith.constant %d : index", i, d.by)
		if d.least == 0 {
			w.line("%s = arith.ceildivui %%%s, %%by%d : index", counts[i], d.of, i)
			continue
		}
		w.line("%%large = arith.ceildivui %%%s, %%by%d : index", d.of, i)
		w.line("%%few = arith.constant %d : index", d.few)
		w.line("%%each = arith.ceildivui %%few, %s : index", counts[0])
		w.line("%%least = arith.constant %d : index", d.least)
		w.line("%%small = arith.ceildivui %%%s, %%least : index", d.of)
		w.line("%%more = arith.minui %%each, %%small : index")
		w.line("%s = arith.maxui %%large, %%more : index", counts[i])
	}
	w.line("stream.return %s : index, index, index", strings.Join(counts, ", "))
	w.close()
	w.open("builtin.module {")
	in, bindings := make([]value, operands+1), make([]string, operands+1)
	for i := range in {
		in[i] = value{fmt.Sprintf("%%b%d", i), typ{elem: "!stream.binding"}}
		bindings[i] = in[i].name + ": !stream.binding"
	}
	w.open("func.func @%s(%s, %s, %s) {", name, strings.Join(bindings[:operands], ", "), list, bindings[operands])
	b := newBuilder(f.at(w.indent))
	body(b, in[:operands], in[operands], sizes)
	w.b.WriteString(b.String())
	w.line("return")
	w.close()
	w.close()
	w.close()
	return w.b.String()
}

// subspan is the memory of a binding.
func (b *builder) subspan(binding value, e element, sizes ...int64) memory {
	m := memory{elem: e, sizes: sizes}
	m.name = b.def(typ{}, "stream.binding.subspan %s[%s] : !stream.binding -> %s", binding.name, b.index(0).name, m).name
	return m
}

// least is the minimum of two indices.
func (b *builder) least(x, y value) value {
	return b.def(x.typ, "arith.minui %s, %s : %s", x.name, y.name, x.typ)
}
