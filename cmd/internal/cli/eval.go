package cli

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

type evalFlags struct {
	graph, output string
	inputs        []string
	weights       []string
	run           call.Results
	memory        command.ByteSize
	cache         string
	o             open.Options
}

func newEvalCommand() *cobra.Command {
	var f evalFlags
	f.memory = open.DefaultMaxMemory
	cmd := &cobra.Command{
		Use:   "eval --graph FILE.json [--input [NAME=]FILE.npy]... [--weights FILE] [--backend NAME] [--results DIR]",
		Short: "Run a graph on arrays",
		Long: `Eval reads a graph (see "skainet graph"), calls one of its entry points and
writes each result as DIR/NAME.npy, or prints the results. An input without a
name is for the first argument that has none yet; name=1,2,3 gives elements
instead of a file. Parameters come from a weight file of any format, by their
keys. The backend cpu is the reference; iree compiles the graph first, for x86
processors with AVX2 unless a flag names another target, with the compiler and in the
runtime that "skainet run" finds.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.eval(cmd) },
	}
	cmd.Flags().StringVar(&f.graph, "graph", "", "graph `file`")
	command.FlagEntry.Text(cmd, &f.run.Entry, "")
	cmd.Flags().StringArrayVar(&f.inputs, "input", nil, "`file` of an argument, name=file or name=elements; may be repeated")
	cmd.Flags().StringArrayVar(&f.weights, "weights", nil, "weight file, `[scope=]file`, for all scopes of parameters or for one; may be repeated")
	cmd.Flags().StringVar(&f.o.Backend, "backend", open.CPU, "`backend` to run on: "+strings.Join(open.Backends(), " or "))
	cmd.Flags().BoolVar(&f.o.Int8, "int8", false, "compute products with weights in Q4_0, Q5_0, Q8_0, Q4_K and Q6_K in integers: faster, less accurate (cpu only)")
	command.FlagResults.Says("`folder` for all results as NAME.npy, created if it does not exist").Text(cmd, &f.output, "")
	cmd.Flags().BoolVar(&f.run.JSON, "json", false, "print results as JSON, with all elements")
	cmd.Flags().Var(&f.memory, "max-memory", "maximum `size` of parameters and values at any time; a graph that needs more is rejected before a weight is read")
	command.FlagCompiler.Text(cmd, &f.o.Compiler, "")
	command.FlagLinker.Says("iree-lld `file`, if it is not next to iree-compile").Text(cmd, &f.o.Linker, "")
	command.FlagCompilerFlag.Says("`flag` of iree-compile, replacing all default ones; may be repeated").Texts(cmd, &f.o.Flags)
	command.FlagDevice.Text(cmd, &f.o.Device, "")
	command.FlagLibrary.Text(cmd, &f.o.Library, "")
	command.FlagTool.Text(cmd, &f.o.Tool, "")
	openfile.FetchFlag(cmd, &f.o.Fetch)
	openfile.CacheFlag(cmd, &f.cache)
	command.Required(cmd, "graph")
	return cmd
}

func (f *evalFlags) eval(cmd *cobra.Command) error {
	g, err := graphjson.ReadFile(f.graph)
	if err != nil {
		return err
	}
	f.o.MaxMemory = int64(f.memory)
	if err := f.files(); err != nil {
		return err
	}
	if f.o.Backend == open.IREE {
		if err := f.find(cmd); err != nil {
			return err
		}
	}
	x, err := open.Graph(cmd.Context(), g, f.o)
	if err != nil {
		return err
	}
	defer x.Close()
	entry, err := f.run.Pick(x.Contract())
	if err != nil {
		return err
	}
	texts, err := named(entry, f.inputs)
	if err != nil {
		return err
	}
	args, err := argtext.Parse(entry, texts)
	if err != nil {
		return err
	}
	results, err := x.Call(cmd.Context(), entry.Name, args...)
	if err != nil {
		return err
	}
	if f.output != "" {
		if err := os.MkdirAll(f.output, 0o777); err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot create the folder").In(f.output)
		}
		f.run.Outputs = []string{f.output}
	}
	files, err := f.run.Files(entry)
	if err != nil {
		return err
	}
	return f.run.Show(cmd, entry, results, files)
}

// find finds the compiler and the runtime.
func (f *evalFlags) find(cmd *cobra.Command) error {
	f.o.Progress.Fetching = progress.On(cmd.ErrOrStderr()).Fetching
	if err := openfile.FindRuntime(cmd.Context(), &f.o, f.cache); err != nil {
		return err
	}
	return openfile.FindCompiler(cmd.Context(), &f.o, f.cache)
}

// files sorts the weight files by their scopes.
func (f *evalFlags) files() error {
	f.o.Scopes = map[string]string{}
	for scope, paths := range command.Archives(f.weights, "") {
		if len(paths) > 1 {
			return errs.New(CodeUsage, "--weights %s and %s are both for one scope", paths[0], paths[1])
		}
		f.o.Scopes[scope] = paths[0]
	}
	f.o.Weights = f.o.Scopes[""]
	delete(f.o.Scopes, "")
	return nil
}

// named returns inputs in the syntax of argtext: name=file or name=elements.
func named(e *contract.Entry, inputs []string) ([]string, error) {
	taken := map[string]bool{}
	for _, in := range inputs {
		if name, _, ok := argument(in); ok {
			taken[name] = true
		}
	}
	var texts []string
	for _, in := range inputs {
		name, value, ok := argument(in)
		if !ok {
			for _, a := range e.Args {
				if !taken[a.Name] {
					name = a.Name
					break
				}
			}
			if name == "" {
				return nil, errs.New(CodeUsage, "--input %q: %s has fewer arguments", in, e.Name)
			}
			taken[name] = true
		}
		texts = append(texts, name+"="+value)
	}
	return texts, nil
}

// argument splits off the name; a path may also contain an equals sign, but
// a name has neither slash nor dot.
func argument(in string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(in, "=")
	if ok && !strings.ContainsAny(name, "/.") {
		return name, value, true
	}
	return "", in, false
}
