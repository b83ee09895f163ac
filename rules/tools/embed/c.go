package main

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// elements holds IREE's codes of element types (iree/hal/buffer_view.h), as in
// package ireert and toolchains/iree/runtime/ireert.h.
var elements = map[dtype.DType]uint32{
	dtype.Bool: 0x13000008, dtype.I8: 0x10000008, dtype.I16: 0x10000010, dtype.I32: 0x10000020, dtype.I64: 0x10000040,
	dtype.U8: 0x12000008, dtype.U16: 0x12000010, dtype.U32: 0x12000020, dtype.U64: 0x12000040,
	dtype.F16: 0x21000010, dtype.BF16: 0x22000010, dtype.F32: 0x21000020, dtype.F64: 0x21000040,
}

// header writes macros, each name only once.
type header struct {
	strings.Builder
	defined map[string]bool
}

func (h *header) define(name, format string, args ...any) error {
	if h.defined[name] {
		return errs.New(CodeNames, "the C name %s is used twice", name).
			Hint("names of entry points, arguments and results must differ in more than case; rename one in the model")
	}
	h.defined[name] = true
	fmt.Fprintf(h, "#define %s %s\n", name, fmt.Sprintf(format, args...))
	return nil
}

func writeC(o options, in *inputs) error {
	h := &header{defined: map[string]bool{}}
	upper := strings.ToUpper(o.name)
	fmt.Fprintf(h, `// Made by iree_c_embed from %s; do not edit.
//
// A compiled program as bytes, to be given to ireert_load_memory (and its archive, or each of them, to
// ireert_params_memory), and the arguments and results of its entry points. An element type is
// one of IREE's codes; a dimension of -1 is dynamic.
#ifndef %s_H_
#define %s_H_

#ifdef __cplusplus
extern "C" {
#endif

`, o.label, upper, upper)
	if err := h.files(o, in); err != nil {
		return err
	}
	for i := range in.contract.Entries {
		if err := h.entry(upper, in.contract.Name, &in.contract.Entries[i]); err != nil {
			return err
		}
	}
	h.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	var c strings.Builder
	fmt.Fprintf(&c, "// Made by iree_c_embed from %s; do not edit.\n#include \"%s\"\n", o.label, o.includeName)
	bytesOf(&c, o.name+"_program", in.program)
	for i, archive := range in.archives {
		bytesOf(&c, o.archiveName(i), archive)
	}
	if len(in.archives) > 1 {
		fmt.Fprintf(&c, "\nconst struct %s_archive_part %s_archives[%d] = {\n", o.name, o.name, len(in.archives))
		for i, archive := range in.archives {
			fmt.Fprintf(&c, "  {%s, %d},\n", o.archiveName(i), len(archive))
		}
		c.WriteString("};\n")
	}
	return atomicfile.WriteAll(atomicfile.Bytes(o.header, []byte(h.String())), atomicfile.Bytes(o.source, []byte(c.String())))
}

// archiveName returns the name of an archive's array, numbered if there are
// several.
func (o options) archiveName(i int) string {
	if len(o.archives) == 1 {
		return o.name + "_archive"
	}
	return fmt.Sprintf("%s_archive_%d", o.name, i+1)
}

// files writes the declarations of the arrays.
func (h *header) files(o options, in *inputs) error {
	upper := strings.ToUpper(o.name)
	fmt.Fprintf(h, "extern const unsigned char %s_program[%d];\n", o.name, len(in.program))
	if err := h.define(upper+"_PROGRAM_SIZE", "%d", len(in.program)); err != nil {
		return err
	}
	switch len(in.archives) {
	case 0:
		return nil
	case 1:
		fmt.Fprintf(h, "\nextern const unsigned char %s_archive[%d];\n", o.name, len(in.archives[0]))
		if err := h.define(upper+"_ARCHIVE_SIZE", "%d", len(in.archives[0])); err != nil {
			return err
		}
	default: // each goes to ireert_params_memory, with the same scope
		h.WriteByte('\n')
		for i, archive := range in.archives {
			fmt.Fprintf(h, "extern const unsigned char %s[%d];\n", o.archiveName(i), len(archive))
		}
		fmt.Fprintf(h, "struct %s_archive_part { const unsigned char* data; long long size; };\n", o.name)
		fmt.Fprintf(h, "extern const struct %s_archive_part %s_archives[%d];\n", o.name, o.name, len(in.archives))
		if err := h.define(upper+"_ARCHIVES", "%d", len(in.archives)); err != nil {
			return err
		}
	}
	return h.define(upper+"_SCOPE", "%q", o.scope)
}

func (h *header) entry(upper, module string, e *contract.Entry) error {
	prefix := upper + "_" + strings.ToUpper(e.Name)
	fmt.Fprintf(h, "\n// Entry point %s.\n", e.Name)
	if err := h.define(prefix+"_FUNCTION", "\"%s.%s\"", module, e.Name); err != nil {
		return err
	}
	for _, side := range []struct {
		name string
		list []contract.Named
	}{{"ARG", e.Args}, {"RESULT", e.Results}} {
		if err := h.define(prefix+"_"+side.name+"S", "%d", len(side.list)); err != nil {
			return err
		}
		for i, n := range side.list {
			fmt.Fprintf(h, "// %s: %s\n", n.Name, n.Type())
			if err := h.named(prefix+"_"+side.name+"_"+strings.ToUpper(n.Name), i, n); err != nil {
				return err
			}
		}
	}
	return nil
}

func (h *header) named(prefix string, index int, n contract.Named) error {
	element, ok := elements[n.DType]
	if !ok {
		return errs.New(CodeNames, "%s is %s, which cannot be passed from C", n.Name, n.Type())
	}
	dims := make([]string, len(n.Shape))
	for i, d := range n.Shape {
		dims[i] = fmt.Sprint(d.Size)
		if d.Size == shape.Dynamic {
			dims[i] = "-1"
		}
	}
	lines := [][2]string{
		{"_INDEX", fmt.Sprint(index)},
		{"_DTYPE", fmt.Sprintf("0x%08x", element)},
		{"_RANK", fmt.Sprint(len(dims))},
		{"_DIMS", "{" + strings.Join(dims, ", ") + "}"},
	}
	if bytes, err := n.Type().Bytes(); err == nil { // not for a dynamic dimension
		lines = append(lines, [2]string{"_BYTES", fmt.Sprint(bytes)})
	}
	for _, l := range lines {
		if l[1] == "{}" { // C has no empty initialiser
			l[1] = "{0}"
		}
		if err := h.define(prefix+l[0], "%s", l[1]); err != nil {
			return err
		}
	}
	return nil
}

// bytesOf writes an array aligned to 64 bytes, as IREE requires to use it in place.
func bytesOf(b *strings.Builder, name string, data []byte) {
	fmt.Fprintf(b, "\n__attribute__((aligned(64))) const unsigned char %s[%d] = {", name, len(data))
	for i, v := range data {
		if i%20 == 0 {
			b.WriteString("\n ")
		}
		fmt.Fprintf(b, " %d,", v)
	}
	b.WriteString("\n};\n")
}
