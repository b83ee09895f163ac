package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

type runFlags struct {
	contract, entry, device, library, tool, text string
	archives, toolPrefix, outputs                []string
	workers                                      cores
	asJSON                                       bool
}

func newRunCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run PROGRAM.vmfb --contract FILE [--entry NAME] [ARGUMENT=VALUE...]",
		Short: "Call an entry point of a program",
		Long: `Run calls one entry point and prints its results. An argument is given by
name, as name=FILE.npy or name=1,2,3 with all elements in row-major order; @
before a file's name, whatever it ends in, says that it is one. Elements are
true, false, 1 or 0; integers such as 12 or 0x1f; or numbers such as -1.5,
1e-3, 0x1.8p-3, inf or nan. With --contract, --help lists the entry points with
their arguments.
The runtime is libireert.so where it is named or found, else the tool
iree-run-module. Results that --output writes to files are not printed.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runProgram(cmd, &f, args[0], args[1:]) },
	}
	f.add(cmd)
	help := cmd.HelpFunc()
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		help(cmd, args)
		f.listEntries(cmd)
	})
	cmd.Flags().StringArrayVarP(&f.outputs, "output", "o", nil, "`folder` for all results as NAME.npy, made if it is not there, or name=file.npy for one; may be given again")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print results as JSON, with all elements")
	return cmd
}

// listEntries goes on from the help of the command with what a program takes, where one
// is named, as it is by the scripts of `bazel run`.
func (f *runFlags) listEntries(cmd *cobra.Command) {
	if f.contract == "" {
		return
	}
	c, err := readContract(f.contract)
	if err == nil {
		var text string
		if text, err = argtext.Usage(c, f.entry); err == nil {
			fmt.Fprintf(cmd.OutOrStdout(), "\n%s", text)
			return
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "skainet: %v\n", err)
}

// add declares the flags that say what to load and where.
func (f *runFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.contract, "contract", "", "contract `file` of the program")
	flags.StringVar(&f.entry, "entry", "", "entry point's `name`; may be left out where there is one")
	flags.StringArrayVar(&f.archives, "archive", nil, "parameter archive as `scope=file`; may be given again")
	flags.StringVar(&f.device, "device", "local-task", "`device` to run on: local-sync, local-task, vulkan, vulkan://PATH")
	flags.Var(&f.workers, "workers", "threads of local-task, 0 for one per core")
	flags.StringVar(&f.text, "text", "", "`file` for what is printed in place of the standard output, for build rules")
	flags.StringVar(&f.library, "library", "", "libireert.so `file`")
	flags.StringVar(&f.tool, "tool", "", "iree-run-module `file`, used where there is no library")
	flags.StringArrayVar(&f.toolPrefix, "tool-prefix", nil, "`word` to put before the tool, such as an emulator; may be given again")
	flags.StringVar(&f.entry, "function", "", "the same as --entry, as IREE's own tools call it")
	cmd.MarkFlagsMutuallyExclusive("entry", "function")
	required(cmd, "contract")
}

// options says what to load.
func (f *runFlags) options(program string, c *contract.Contract) (iree.Options, error) {
	archives := map[string][]string{}
	for _, a := range f.archives {
		scope, path, ok := strings.Cut(a, "=")
		if !ok {
			return iree.Options{}, errUsage("--archive %q is not of the form scope=file", a)
		}
		if len(c.Parameters) == 0 && isEmpty(path) {
			continue // that of a model without parameters, which rules pass on as any
		}
		archives[scope] = append(archives[scope], path)
	}
	return iree.Options{
		Program: program, Contract: c, Archives: archives, Device: f.device, Workers: int(f.workers),
		Library: f.library, Tool: f.tool, ToolPrefix: f.toolPrefix,
	}, nil
}

// isEmpty says whether an archive has no parameter.
func isEmpty(path string) bool {
	a, err := irpa.Open(path)
	if err != nil {
		return false
	}
	defer a.Close()
	return len(a.Entries()) == 0
}

func errUsage(what string, args ...any) error { return errs.New(CodeUsage, what, args...) }

func runProgram(cmd *cobra.Command, f *runFlags, program string, texts []string) error {
	c, err := readContract(f.contract)
	if err != nil {
		return err
	}
	entry, err := f.pick(c)
	if err != nil {
		return err
	}
	// All that can be wrong with the command line is found before the program is
	// loaded, which may take long.
	files, err := f.outputFiles(entry)
	if err != nil {
		return err
	}
	if err := f.apart(program, texts, files); err != nil {
		return err
	}
	args, err := argtext.Parse(entry, texts)
	if err != nil {
		return err
	}
	o, err := f.options(program, c)
	if err != nil {
		return err
	}
	x, err := iree.Open(o)
	if err != nil {
		return err
	}
	defer x.Close()
	results, err := x.Call(cmd.Context(), entry.Name, args...)
	if err != nil {
		return err
	}
	return f.show(cmd, entry, results, files)
}

// pick finds the entry point; the only one needs no name.
func (f *runFlags) pick(c *contract.Contract) (*contract.Entry, error) {
	if f.entry == "" && len(c.Entries) == 1 {
		return &c.Entries[0], nil
	}
	return c.Entry(f.entry)
}

// outputFiles gives the file of each result, "" for one that is printed. A file
// that is named goes before a folder.
func (f *runFlags) outputFiles(e *contract.Entry) ([]string, error) {
	files := make([]string, len(e.Results))
	folder := ""
	for _, o := range f.outputs {
		name, path, one := strings.Cut(o, "=")
		if !one {
			if o == "" || folder != "" {
				return nil, errs.New(CodeUsage, "--output %q is no folder, or a second one", o).Hint("give one folder, or name=file.npy")
			}
			if st, err := os.Stat(o); err == nil && !st.IsDir() {
				return nil, errs.New(CodeUsage, "--output %q is no folder", o).Hint("give a folder, or name=file.npy")
			}
			folder = o
			continue
		}
		i := slices.IndexFunc(e.Results, func(r contract.Named) bool { return r.Name == name })
		switch {
		case i < 0:
			return nil, errs.New(CodeUsage, "--output %q names no result of %s", o, e.Name).Hint("it gives %s", resultNames(e))
		case path == "":
			return nil, errs.New(CodeUsage, "--output %q names no file", o).Hint("leave it out to print the result")
		case files[i] != "":
			return nil, errs.New(CodeUsage, "--output %q is a second file for this result", o).Hint("give one, and copy it")
		}
		files[i] = path
	}
	for i, r := range e.Results {
		if files[i] == "" && folder != "" {
			files[i] = filepath.Join(folder, r.Name+".npy")
		}
		if files[i] != "" && r.DType.NumPy() == "" {
			return nil, errs.New(npy.CodeDType, "result %q is %s, which a .npy file cannot hold", r.Name, r.Type()).On(e.Name).
				Hint("print it with --json")
		}
	}
	return files, nil
}

// reads lists the files that are read before a call. Those of arguments are not
// among them: a result may take the place of the argument that it goes on from.
func (f *runFlags) reads(program string) []string {
	files := []string{program, f.contract, f.library, f.tool}
	for _, a := range f.archives {
		_, path, _ := strings.Cut(a, "=")
		files = append(files, path)
	}
	return files
}

// apart finds outputs that would replace what is read, or each other.
func (f *runFlags) apart(program string, texts, outputs []string) error {
	taken := f.reads(program)
	for _, out := range outputs {
		if err := apart(out, taken...); err != nil {
			return err
		}
		taken = append(taken, out)
	}
	for _, t := range texts {
		_, value, _ := strings.Cut(t, "=")
		taken = append(taken, strings.TrimPrefix(value, "@"))
	}
	return apart(f.text, taken...)
}

func (f *runFlags) show(cmd *cobra.Command, e *contract.Entry, results []tensor.Value, files []string) error {
	for _, o := range f.outputs {
		if strings.Contains(o, "=") {
			continue
		}
		if err := os.MkdirAll(o, 0o777); err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot make the folder").In(o)
		}
	}
	var names []contract.Named
	var values []tensor.Value
	for i, v := range results {
		if files[i] == "" {
			names, values = append(names, e.Results[i]), append(values, v)
			continue
		}
		if err := npy.WriteFile(files[i], v); err != nil {
			return err
		}
	}
	if f.asJSON {
		doc, err := argtext.JSON(e.Name, names, values)
		if err != nil {
			return err
		}
		return emit(cmd, f.text, doc)
	}
	text, err := argtext.Text(names, values)
	if err != nil {
		return err
	}
	return emit(cmd, f.text, []byte(text))
}

// resultNames are the results of an entry point, for messages.
func resultNames(e *contract.Entry) string {
	var names []string
	for _, r := range e.Results {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
