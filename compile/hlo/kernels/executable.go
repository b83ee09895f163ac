package kernels

import (
	"fmt"
	"strings"
)

// executable writes a stream.executable with one function, run by that many
// workgroups; body gets its bindings, those of the operands before those of the
// results, and the number of the workgroup.
func executable(indent, name string, groups int64, bindings int, body func(b *builder, bindings []value, group value)) string {
	w := &writer{indent: indent}
	w.open("stream.executable private @%s {", name)
	w.open("stream.executable.export public @%s workgroups() -> (index, index, index) {", name)
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
	w.open("func.func @%s(%s) {", name, strings.Join(args, ", "))
	b := newBuilder(w.indent)
	group := b.def(typ{elem: index}, "stream.dispatch.workgroup.id[0] : index")
	body(b, bound, group)
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

// least is the smaller of two indexes.
func (b *builder) least(x, y value) value {
	return b.def(x.typ, "arith.minui %s, %s : %s", x.name, y.name, x.typ)
}
