package paritymain

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/parity/layerdiff"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	ireetext "github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// bisection holds the options of --bisect.
type bisection struct {
	on               bool
	compiler, linker string
	flags            []string
	kernels          bool
	integerF16       bool
	wide, bytes      bool
	dir              string // of compiled programs
	programs         int
}

// layerDiff prints the first operation of each case that differs, and returns
// PARITY_MISMATCH if there is one.
func (o *options) layerDiff(ctx context.Context, g *dag.Graph, params cpu.Params, archives map[string][]string, cases []parity.Case, rules parity.Rules, stdout io.Writer) error {
	dir, remove, err := atomicfile.Folder("skainet-layerdiff-")
	if err != nil {
		return errs.Wrap(parity.CodeInput, err, "no folder for programs").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	o.bisect.dir = dir
	if o.compare.Only == "" && len(cases) > 1 {
		fmt.Fprintf(stdout, "trying all %d cases, from %s on; --only=CASE selects one, --help lists them\n", len(cases), cases[0].Name)
	}
	var first error
	for _, c := range cases {
		if !o.compare.Selected(c.Name) {
			continue
		}
		found, err := layerdiff.Find(ctx, layerdiff.Options{
			Graph: g, Rules: rules,
			Reference: func(_ context.Context, g *dag.Graph) (backend.Executable, error) {
				c, err := describe.Contract(g)
				if err != nil {
					return nil, err
				}
				return cpu.Load(g, c, params)
			},
			Candidate: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) {
				return o.compiled(ctx, g, archives)
			},
		}, c.Calls)
		switch {
		case errs.CodeOf(err) == layerdiff.CodeAgree:
			fmt.Fprintf(stdout, "%s: the backends agree\n", c.Name)
			continue
		case err != nil:
			return err
		}
		fmt.Fprintf(stdout, "%s: %s", c.Name, found.Text())
		if first == nil {
			first = errs.New(parity.CodeMismatch, "%s", found.Node.Op.Name).On(found.Node.Path)
		}
	}
	return first
}

// compiled compiles a graph for the program's target and loads it.
func (o *options) compiled(ctx context.Context, g *dag.Graph, archives map[string][]string) (backend.Executable, error) {
	if xla.IsFile(o.program) {
		return o.onXLA(ctx, g, archives)
	}
	form := ireetext.Options{Kernels: o.bisect.kernels, IntegerF16: o.bisect.integerF16, Wide: o.bisect.wide}
	if o.bisect.bytes {
		form.Instructions = []string{kernels.ByteProducts}
	}
	m, err := ireetext.Emit(g, form)
	if err != nil {
		return nil, err
	}
	o.bisect.programs++
	program := filepath.Join(o.bisect.dir, strconv.Itoa(o.bisect.programs)+".vmfb")
	_, err = compiler.Compile(ctx, compiler.Options{
		Compiler: o.bisect.compiler, Linker: o.bisect.linker, Flags: o.bisect.flags, Text: m.Text, TextName: g.Name, Out: program,
	})
	if err != nil {
		return nil, err
	}
	return iree.Open(iree.Options{
		Program: program, Contract: m.Contract, Archives: needed(m.Contract, archives), Device: o.device, Workers: o.threads,
		Library: o.library, Tool: o.tool, Runner: o.runner, ToolPrefix: o.toolPrefix,
	})
}

// onXLA loads a graph on XLA, which compiles an entry point when it is called.
func (o *options) onXLA(ctx context.Context, g *dag.Graph, archives map[string][]string) (backend.Executable, error) {
	c, err := describe.Contract(g)
	if err != nil {
		return nil, err
	}
	x := o.xla(needed(c, archives))
	x.Graph, x.Level, x.Lazy = g, o.level, true
	return xla.Open(ctx, x)
}

// needed returns the archives of the scopes that a part of a model has.
func needed(c *contract.Contract, archives map[string][]string) map[string][]string {
	of := map[string][]string{}
	for _, p := range c.Parameters {
		of[p.Scope] = archives[p.Scope]
	}
	return of
}
