package call

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

type runFlags struct {
	Results
	contract, device, library, tool string
	plugin, weightForm              string
	archives, defaults, toolPrefix  []string
	alternatives, inputs, sizes     []string
	buckets                         []string
	threads                         int
	files                           Files // nil: only programs
	makesUp                         bool  // arguments that are not given, of --sizes
}

// modelHelp is what the help of commands says of model files.
const modelHelp = `

FILE may also be a model file: ONNX, StableHLO text, GGUF or a graph. It needs no contract.
The CPU backend runs it as it is; with --backend=iree, or --backend=xla and the plugin of
--plugin, it is compiled at first, and the program is kept. With --device=xla+process://cpu a
plugin runs in a process of its own, whose end is an error here. Sizes that the file leaves
open are those of the arrays that are given; --shape gives them names, for a program of any
size, or other numbers.`

// tableHelp is what the help of run says of a model file's results.
const tableHelp = `
Each result of a model file is a line: its type, its first elements, and the file that
--results writes it to.

A program that "skainet compile" made is called without --contract and --archive where its
contract and archives still lie beside it.`

const deviceHelp = "`device` to run on: cpu; a driver of IREE's runtime such as vulkan, with ://PATH after it for one of its devices; " +
	"or of XLA a platform such as cuda, with :N after it for one of its devices, and xla+process:// before it for a process of its own"

// NewRunCommand returns the command run; files may be nil.
func NewRunCommand(files Files) *cobra.Command {
	f := runFlags{files: files}
	use, more := "run PROGRAM.vmfb --contract FILE [--entry NAME] [ARGUMENT=VALUE...]", ""
	if files != nil {
		use, more = "run FILE [--entry NAME] [ARGUMENT=VALUE...]", modelHelp+tableHelp
	}
	cmd := &cobra.Command{
		Use:   use,
		Short: "Call an entry point of a program",
		Long: `Run calls one entry point and prints its results. An argument is given by
name, as name=FILE.npy or name=1,2,3 with all elements in row-major order; @
before a file's name, whatever it ends in, says that it is one. One size that is open
follows from the number of elements. Elements are
true, false, 1 or 0; integers such as 12 or 0x1f; or numbers such as -1.5,
1e-3, 0x1.8p-3, inf or nan. With --help after a model file, or with the contract of a
program, the entry points are listed with their arguments.
The runtime is libireert.so where it is named or found, else the tool
iree-run-module, which is looked for as well. Of a program, and with --json, results that --results writes to
files are not printed.` + more,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runProgram(cmd, &f, args[0], args[1:]) },
	}
	f.add(cmd)
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help(cmd, args)
		f.listEntries(cmd)
	})
	command.FlagResults.Texts(cmd, &f.Outputs)
	cmd.Flags().BoolVar(&f.JSON, "json", false, "print results as JSON, with all elements")
	return cmd
}

// listEntries appends a program's entry points to the command's help if a program
// is named, as in the scripts of `bazel run`.
func (f *runFlags) listEntries(cmd *cobra.Command) {
	c, err := f.named(cmd, cmd.Flags().Args())
	if c == nil && err == nil {
		return
	}
	if err == nil {
		var text string
		if text, err = argtext.Usage(c, f.Entry); err == nil {
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s", text)
			return
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "skainet: %v\n", err)
}

// named returns the contract of the program or the model file that the words before --help name,
// nil if there is none.
func (f *runFlags) named(cmd *cobra.Command, args []string) (*contract.Contract, error) {
	if f.contract != "" {
		return contract.ReadFile(f.contract)
	}
	if f.files == nil || len(args) == 0 {
		return nil, nil
	}
	p, err := f.files.Program(args[0])
	if err != nil {
		return nil, err
	}
	if p != nil {
		return p.Contract(), nil
	}
	if isProgram(args[0]) {
		if err := f.beside(args[0]); err != nil || f.contract == "" {
			return nil, err
		}
		return contract.ReadFile(f.contract)
	}
	if err := f.files.Check(args[0]); err != nil {
		return nil, err
	}
	on, err := f.machine()
	if err != nil {
		return nil, err
	}
	m, err := f.files.Import(cmd, args[0], nil, on)
	if err != nil {
		return nil, err
	}
	return m.Contract(), nil
}

// add declares the flags that say what to load and where.
func (f *runFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	command.FlagContract.Text(cmd, &f.contract, "")
	command.FlagEntry.Text(cmd, &f.Entry, "")
	command.FlagArchive.Texts(cmd, &f.archives)
	flags.StringArrayVar(&f.defaults, "default-archive", nil, "archive, `scope=file`, of a scope that no --archive names, for build rules")
	command.FlagDevice.Says(deviceHelp).Text(cmd, &f.device, "cpu")
	command.FlagThreads.Count(cmd, &f.threads)
	command.FlagLibrary.Text(cmd, &f.library, "")
	command.FlagTool.Text(cmd, &f.tool, "")
	command.FlagPlugin.Text(cmd, &f.plugin, "")
	command.FlagWeightForm.Text(cmd, &f.weightForm, "")
	sizesHelp := "dynamic sizes that XLA compiles for before the first call, `NAME=N,...`; may be repeated"
	if f.makesUp {
		sizesHelp = "dynamic sizes of made-up arguments, which XLA compiles for before the first call, `NAME=N,...`; may be repeated"
	}
	flags.StringArrayVar(&f.sizes, "sizes", nil, sizesHelp)
	flags.StringArrayVar(&f.buckets, "buckets", nil, "sizes, `NAME=N,N,...`, up to which XLA compiles one program for all smaller ones, or auto for powers of two; may be repeated")
	command.FlagToolPrefix.Texts(cmd, &f.toolPrefix)
	flags.StringArrayVar(&f.alternatives, "alternative", nil, "the program compiled for another processor, a .vmfb `file`, of which the best that this one can run is called; may be repeated")
	flags.StringVar(&f.Text, "text", "", "`file` for the output instead of standard output, for build rules")
	flags.StringVar(&f.Entry, "function", "", "alias of --entry, the name in IREE's own tools")
	cmd.MarkFlagsMutuallyExclusive("entry", "function")
	f.calls(cmd)
}

// options returns what to load.
func (f *runFlags) options(program string, c *contract.Contract) (iree.Options, error) {
	if len(f.alternatives) > 0 {
		if len(f.toolPrefix) > 0 {
			return iree.Options{}, errUsage("--alternative and --tool-prefix are both given, and what the emulator's processor can run is not known").Hint("name the program alone")
		}
		best, err := iree.Best(append([]string{program}, f.alternatives...), processor.Here())
		if err != nil {
			return iree.Options{}, err
		}
		program = best
	}
	return iree.Options{
		Program: program, Contract: c, Archives: f.archivesOf(c), Device: f.device, Workers: f.threads,
		Library: f.library, Tool: f.tool, ToolPrefix: f.toolPrefix,
	}, nil
}

// archivesOf returns the archives of each scope.
func (f *runFlags) archivesOf(c *contract.Contract) map[string][]string {
	archives := map[string][]string{}
	for _, a := range f.given() {
		scope, path := command.Scoped(a)
		if len(c.Parameters) == 0 && isEmpty(path) {
			continue // the archive of a model without parameters, which rules pass like any other
		}
		archives[scope] = append(archives[scope], path)
	}
	return archives
}

// given returns the archives, with those of scopes that the user leaves to the rule.
func (f *runFlags) given() []string {
	named := command.Archives(f.archives, command.DefaultScope)
	all := slices.Clone(f.archives)
	for _, a := range f.defaults {
		if scope, _ := command.Scoped(a); named[scope] == nil {
			all = append(all, a)
		}
	}
	return all
}

// isEmpty reports whether an archive has no parameters.
func isEmpty(path string) bool {
	a, err := irpa.Open(path)
	if err != nil {
		return false
	}
	defer a.Close()
	return len(a.Entries()) == 0
}

func errUsage(what string, args ...any) *errs.Error {
	return errs.New(command.CodeUsage, what, args...)
}

func runProgram(cmd *cobra.Command, f *runFlags, path string, texts []string) error {
	to, err := f.callee(cmd, path, texts)
	if err != nil {
		return err
	}
	entry, err := f.Pick(to.contract)
	if err != nil {
		return err
	}
	// The command line is fully checked before the program is
	// loaded, which may take long.
	files, err := f.Files(entry)
	if err != nil {
		return err
	}
	if err := f.checkDistinct(path, to.texts, files); err != nil {
		return err
	}
	args, err := argtext.Parse(entry, to.texts)
	if err != nil {
		return err
	}
	x, err := to.open(cmd.Context())
	if err != nil {
		return err
	}
	defer x.Close()
	results, err := x.Call(cmd.Context(), entry.Name, args...)
	if err != nil {
		return err
	}
	f.table = to.model
	return f.Show(cmd, entry, results, files)
}

// reads lists the files that are read before a call, except
// those of arguments: a result may replace its argument.
func (f *runFlags) reads(program string) []string {
	files := append([]string{program, f.contract, f.library, f.tool}, f.alternatives...)
	for _, a := range f.given() {
		_, path := command.Scoped(a)
		files = append(files, path)
	}
	return files
}

// checkDistinct returns an error if an output would replace an input or another output.
func (f *runFlags) checkDistinct(program string, texts, outputs []string) error {
	taken := f.reads(program)
	for _, out := range outputs {
		if err := command.Apart(out, taken...); err != nil {
			return err
		}
		taken = append(taken, out)
	}
	for _, t := range texts {
		_, value, _ := strings.Cut(t, "=")
		taken = append(taken, strings.TrimPrefix(value, "@"))
	}
	return command.Apart(f.Text, taken...)
}
