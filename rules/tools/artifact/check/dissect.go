package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// CodeAsm is returned for a program whose code the compiler does not show; smallest
// input: a program for vmvx.
const CodeAsm errs.Code = "ARTIFACT_NO_ASM"

// Dispatches compiles a text up to its dispatches. It writes the text with one
// executable for each to flow, and their dependencies, for Graphviz, to graph.
func Dispatches(ctx context.Context, o compiler.Options, flow, graph string) error {
	dir, remove, err := atomicfile.Folder("skainet-dispatches-")
	if err != nil {
		return errs.Wrap(CodeRead, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	dot := filepath.Join(dir, "graph.dot")
	o.Out = filepath.Join(dir, "flow.mlir")
	o.Stage = append(o.Stage, "--compile-to=flow",
		"--iree-flow-dump-dispatch-graph", "--iree-flow-dump-dispatch-graph-output-file="+dot)
	if _, err := compiler.Compile(ctx, o); err != nil {
		return err
	}
	var files []atomicfile.File
	for to, from := range map[string]string{flow: o.Out, graph: dot} {
		data, err := os.ReadFile(from)
		if err != nil {
			return errs.Wrap(CodeRead, err, "the compiler did not write this file").In(to)
		}
		files = append(files, atomicfile.Bytes(to, data))
	}
	return atomicfile.WriteAll(files...)
}

// codeNames are the file extensions of code as text, in order of preference:
// for CPUs, CUDA, ROCm, Metal, and two for SPIR-V.
var codeNames = []string{".s", ".ptx", ".rocmasm", ".metal", ".spirv.mlir", ".mlir"}

// linkStatic is the flag for programs whose code is an object file.
const linkStatic = "--iree-llvmcpu-link-static"

// Asm compiles a text and writes the code of its executables as a tar of text
// files, one for each.
func Asm(ctx context.Context, o compiler.Options, out string) error {
	dir, remove, err := atomicfile.Folder("skainet-asm-")
	if err != nil {
		return errs.Wrap(CodeRead, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	files := filepath.Join(dir, "files")
	o.Out = filepath.Join(dir, "program.vmfb")
	if slices.Contains(o.Flags, linkStatic) {
		// The compiler must be told where the object file goes.
		o.Stage = append(o.Stage, "--iree-llvmcpu-static-library-output-path="+filepath.Join(dir, "library.o"))
	}
	o.Stage = append(o.Stage, "--iree-hal-dump-executable-intermediates-to="+files)
	if _, err := compiler.Compile(ctx, o); err != nil {
		return err
	}
	names, err := codeFiles(files)
	if err != nil {
		return err
	}
	return WriteFiles(out, files, names)
}

func codeFiles(dir string) ([]string, error) {
	all, err := os.ReadDir(dir)
	for _, suffix := range codeNames {
		var names []string
		for _, e := range all {
			if strings.HasSuffix(e.Name(), suffix) {
				names = append(names, e.Name())
			}
		}
		if len(names) > 0 {
			return names, nil
		}
	}
	return nil, errs.Wrap(CodeAsm, err, "the compiler shows no code for the program").
		Hint("a program without executables has none, nor does one for the interpreter VMVX")
}
