// Package paritymain is the main function of the programs that iree_parity_test
// generates, and of the one for models that are graph files: it runs a compiled program
// and the CPU reference on the same calls and compares them.
//
// # Errors
//
// Main prints a report, then one coded error, and returns 1; 2 for wrong usage.
// A run in which nothing was compared is an error.
//
// # Determinism
//
// As the backends.
package paritymain

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/backend/parity/paritytext"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Model is what the generated program binds; nothing, for the program that reads the
// model from --graph.
type Model struct {
	Name  string
	Build lang.Constructor
	Cases func(*contract.Contract) ([]parity.Case, error) // nil: parity.MadeUp
}

type options struct {
	program, contract, index      string
	dtype, weights                string
	archives                      []string
	device, library, tool, runner string
	plugin, level                 string
	kept                          *cache.Cache // of XLA's programs, which the cases share
	toolPrefix                    []string
	threads                       int
	bisect                        bisection
	compare                       paritytext.Options
	graph                         string
}

// Main runs the comparison that args describe.
func Main(m Model, args []string, stdout, stderr io.Writer) int {
	var o options
	cmd := &cobra.Command{
		Use: "parity --program FILE --contract FILE [--archive [SCOPE=]FILE]...", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), m, o, stdout) },
	}
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help(cmd, args)
		o.listCases(m, cmd.OutOrStdout())
	})
	f := cmd.Flags()
	f.StringVar(&o.program, "program", "", "compiled program (.vmfb, or .xla)")
	command.FlagContract.Text(cmd, &o.contract, "")
	if m.Build == nil {
		f.StringVar(&o.graph, "graph", "", "graph `file` that the program was exported from")
		command.Required(cmd, "graph")
	}
	f.StringVar(&o.index, "index", "", "weights index that the program was exported from")
	f.StringVar(&o.dtype, "dtype", "", "precision that it was exported in")
	f.StringVar(&o.weights, "weights", "", "weight policy that it was exported with")
	command.FlagArchive.Texts(cmd, &o.archives)
	command.FlagDevice.Text(cmd, &o.device, "local-sync")
	command.FlagLibrary.Text(cmd, &o.library, "")
	command.FlagTool.Text(cmd, &o.tool, "")
	command.FlagRunner.Text(cmd, &o.runner, "")
	command.FlagPlugin.Text(cmd, &o.plugin, "")
	command.FlagLevel.Says("`name` of the level of a program of XLA, for --bisect").Text(cmd, &o.level, "")
	command.FlagToolPrefix.Says("`word` to put before the tool or the static runner, such as an emulator; may be repeated").Texts(cmd, &o.toolPrefix)
	command.FlagThreads.Count(cmd, &o.threads)
	f.StringVar(&o.compare.Suggest, "layer-diff", "", "target that names the first operation that differs, for the message of a failure")
	f.BoolVar(&o.bisect.on, "bisect", false, "name the first operation that differs; needs a compiler")
	command.FlagCompiler.Says("iree-compile `file`, for --bisect").Text(cmd, &o.bisect.compiler, "")
	command.FlagLinker.Says("iree-lld `file`, for --bisect").Text(cmd, &o.bisect.linker, "")
	command.FlagCompilerFlag.Texts(cmd, &o.bisect.flags)
	f.BoolVar(&o.bisect.kernels, "kernels", false, "compile the text with kernels, as for CPUs")
	f.BoolVar(&o.bisect.bytes, "bytes", false, "compile the text for processors that multiply bytes")
	f.BoolVar(&o.bisect.wide, "wide", false, "compile the text for processors with 32 vector registers of 64 bytes")
	f.BoolVar(&o.bisect.integerF16, "integer-f16", false, "compile the text for processors without f16")
	o.compare.Flags(cmd)
	return command.Run(context.Background(), cmd, args, stdout, stderr)
}

// listCases prints the names that --only accepts, if the contract is given.
func (o *options) listCases(m Model, out io.Writer) {
	if o.contract == "" {
		return
	}
	_, cases, err := o.read(m)
	if err != nil {
		fmt.Fprintf(out, "\nCases cannot be listed: %v\n", err)
		return
	}
	fmt.Fprintln(out, "\nCases:")
	for _, c := range cases {
		fmt.Fprintln(out, "  "+c.Name)
	}
}

// read returns the contract and the cases.
func (o *options) read(m Model) (*contract.Contract, []parity.Case, error) {
	c, err := contract.ReadFile(o.contract)
	if err != nil {
		return nil, nil, err
	}
	cases, err := o.compare.Cases(c, m.Cases)
	return c, cases, err
}

func run(ctx context.Context, m Model, o options, stdout io.Writer) error {
	c, cases, err := o.read(m)
	if err != nil {
		return err
	}
	if err := o.compare.Check(cases); err != nil {
		return err
	}
	index, err := export.ReadIndex(o.index)
	if err != nil {
		return err
	}
	// The reference applies the program's passes, since it reads the same archive.
	name, model := m.Name, export.Constructed(m.Build)
	if m.Build == nil {
		name, model = c.Name, export.Stored(o.graph)
	}
	g, err := model.Graph(cpu.Evaluate, name, index, o.dtype, o.weights)
	if err != nil {
		return err
	}
	archives := command.Archives(o.archives, command.DefaultScope)
	// A model without parameters has an archive too, an empty one, which its
	// program would reject.
	if len(c.Parameters) == 0 {
		clear(archives)
	}
	params, closeArchives, err := reader(c, archives)
	if err != nil {
		return err
	}
	defer closeArchives()

	folder, remove, err := atomicfile.Folder("skainet-parity-")
	if err != nil {
		return errs.Wrap(parity.CodeInput, err, "no folder for programs").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	if o.kept, err = cache.Open(folder); err != nil {
		return err
	}

	reference := func() (backend.Executable, error) { return cpu.Load(g, c, params) }
	candidate := func() (backend.Executable, error) {
		if xla.IsFile(o.program) {
			x := o.xla(archives)
			x.Program = o.program
			return xla.Open(ctx, x)
		}
		return iree.Open(iree.Options{
			Program: o.program, Contract: c, Archives: archives, Device: o.device, Workers: o.threads,
			Library: o.library, Tool: o.tool, Runner: o.runner, ToolPrefix: o.toolPrefix,
		})
	}
	if o.bisect.on {
		return o.layerDiff(ctx, g, params, archives, cases, o.compare.Rules(), stdout)
	}
	return o.compare.Compare(ctx, cases, reference, candidate, stdout)
}

// xla returns where a program of XLA runs.
func (o *options) xla(archives map[string][]string) xla.Options {
	return xla.Options{Archives: archives, Plugin: o.plugin, Device: o.device, Threads: o.threads, Lazy: true, Cache: o.kept}
}

// reader returns parameters from the archives, in the types of the contract.
func reader(c *contract.Contract, archives map[string][]string) (cpu.Params, func(), error) {
	var open []*irpa.File
	closeAll := func() {
		for _, f := range open {
			f.Close()
		}
	}
	files := map[string][]*irpa.File{}
	for scope, paths := range archives {
		for _, path := range paths {
			f, err := irpa.Open(path)
			if err != nil {
				closeAll()
				return nil, nil, err
			}
			open = append(open, f)
			files[scope] = append(files[scope], f)
		}
	}
	types := map[[2]string]tensor.Type{}
	for _, p := range c.Parameters {
		t, err := p.Stored()
		if err != nil {
			closeAll()
			return nil, nil, err
		}
		types[[2]string{p.Scope, p.Key}] = t
	}
	params := func(scope, key string) (tensor.Value, error) {
		for _, f := range files[scope] {
			if _, ok := f.Entry(key); !ok {
				continue
			}
			b, err := f.Tensor(key)
			if err != nil {
				return tensor.Value{}, err
			}
			data, err := b.Bytes()
			return tensor.Value{Type: types[[2]string{scope, key}], Bytes: data}, err
		}
		return tensor.Value{}, errs.New(parity.CodeInput, "no archive of scope %q holds the parameter", scope).On(key)
	}
	return params, closeAll, nil
}
