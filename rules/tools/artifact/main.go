// Command artifact is what the rules run on finished models: it checks that
// archives fit a program, reports sizes and checks limits, compares a call's output,
// writes the tar, and shows the compiler's view of a program. It is a separate program so that a change to
// it recompiles and repacks nothing.
package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/rules/tools/artifact/check"
)

func main() { command.Tool(newCommand()) }

func newCommand() *cobra.Command {
	root := &cobra.Command{Use: "artifact", Short: "What build rules do with finished models"}
	root.AddCommand(checkCommand(), sizesCommand(), limitsCommand(), compareCommand(), tableCommand(), bundleCommand(), dispatchesCommand(), asmCommand())
	return root
}

// files holds the flags that several commands share.
type files struct {
	label, program, contract, text, out string
	archives, scopes, packed            []string // parallel lists, one element per archive
}

func (f *files) add(cmd *cobra.Command) *cobra.Command {
	cmd.Args = cobra.NoArgs
	cmd.Flags().StringVar(&f.label, "label", "", "target, for messages")
	cmd.Flags().StringVar(&f.program, "program", "", ".vmfb")
	command.FlagContract.Text(cmd, &f.contract, "")
	cmd.Flags().StringVar(&f.text, "text", "", "its text")
	cmd.Flags().StringVar(&f.out, "output", "", "file to write")
	cmd.Flags().StringArrayVar(&f.archives, "archive-file", nil, "archive; may be repeated")
	cmd.Flags().StringArrayVar(&f.scopes, "archive-scope", nil, "its scope, one for each")
	cmd.Flags().StringArrayVar(&f.packed, "archive-contract", nil, "the contract that it was packed for, one for each")
	return cmd
}

// named prefixes an error with the target.
func (f *files) named(err error) error {
	if err != nil && f.label != "" {
		return fmt.Errorf("%s: %w", f.label, err)
	}
	return err
}

func (f *files) list() ([]check.Archive, error) {
	if len(f.scopes) != len(f.archives) || len(f.packed) != len(f.archives) {
		return nil, errs.New(check.CodeRead, "%d archives, %d scopes and %d contracts are given", len(f.archives), len(f.scopes), len(f.packed)).
			Hint("give --archive-scope and --archive-contract with each --archive-file")
	}
	list := make([]check.Archive, len(f.archives))
	for i, path := range f.archives {
		list[i] = check.Archive{Scope: f.scopes[i], Path: path, Contract: f.packed[i]}
	}
	return list, nil
}

func checkCommand() *cobra.Command {
	var f files
	return f.add(&cobra.Command{Use: "check", RunE: func(*cobra.Command, []string) error {
		archives, err := f.list()
		if err != nil {
			return f.named(err)
		}
		c, err := check.ReadContract(f.contract)
		if err == nil {
			err = check.Fit(c, archives)
		}
		if err != nil {
			return f.named(err)
		}
		return atomicfile.WriteFile(f.out, fmt.Appendf(nil, "%s: the archives fit\n", c.Name))
	}})
}

func sizesCommand() *cobra.Command {
	var f files
	return f.add(&cobra.Command{Use: "sizes", RunE: func(*cobra.Command, []string) error {
		archives, err := f.list()
		if err != nil {
			return f.named(err)
		}
		s, err := check.Measure(f.text, f.program, archives)
		if err != nil {
			return f.named(err)
		}
		return atomicfile.WriteFile(f.out, s.Marshal())
	}})
}

func limitsCommand() *cobra.Command {
	var label string
	cmd := &cobra.Command{Use: "limits SIZES.json WHAT=BYTES...", Args: cobra.MinimumNArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		s, err := check.ReadSizes(args[0])
		if err != nil {
			return err
		}
		lines, err := s.CheckLimits(args[1:])
		for _, l := range lines {
			fmt.Fprintln(cmd.OutOrStdout(), l)
		}
		f := files{label: label}
		return f.named(err)
	}}
	cmd.Flags().StringVar(&label, "label", "", "target, for messages")
	return cmd
}

func compareCommand() *cobra.Command {
	var label string
	var t parity.Tolerance
	cmd := &cobra.Command{Use: "compare PRINTED.txt EXPECTED.txt", Args: cobra.ExactArgs(2), RunE: func(cmd *cobra.Command, args []string) error {
		var texts [2]string
		for i, path := range args {
			data, err := regular.Read(path, regular.MaxDocument)
			if err != nil {
				return err
			}
			texts[i] = string(data)
		}
		err := argtext.Compare(texts[0], texts[1], t)
		if err != nil {
			fmt.Fprintf(cmd.OutOrStdout(), "The program printed:\n%s", texts[0])
		}
		f := files{label: label}
		return f.named(err)
	}}
	cmd.Flags().StringVar(&label, "label", "", "target, for messages")
	cmd.Flags().Float64Var(&t.Abs, "atol", 0, "allowed difference")
	cmd.Flags().Float64Var(&t.Rel, "rtol", 0, "allowed difference relative to the expected value")
	return cmd
}

func tableCommand() *cobra.Command {
	var f files
	var programs, rows, sizes, scopes, paths []string
	cmd := &cobra.Command{Use: "table", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error {
		shipped, err := check.ShippedOf(programs, rows, sizes)
		if err != nil {
			return f.named(err)
		}
		archives, err := check.ShippedOf(f.archives, scopes, paths)
		if err != nil {
			return f.named(err)
		}
		table, err := check.Table(shipped, archives)
		if err != nil {
			return f.named(err)
		}
		return atomicfile.WriteFile(f.out, table)
	}}
	cmd.Flags().StringVar(&f.label, "label", "", "target, for messages")
	cmd.Flags().StringVar(&f.out, "output", "", "file to write")
	cmd.Flags().StringArrayVar(&programs, "program-label", nil, "label of a program; may be repeated")
	cmd.Flags().StringArrayVar(&rows, "row", nil, "its row of the target table, for each")
	cmd.Flags().StringArrayVar(&sizes, "sizes", nil, "its sizes, for each")
	cmd.Flags().StringArrayVar(&f.archives, "archive-label", nil, "label of an archive; may be repeated")
	cmd.Flags().StringArrayVar(&scopes, "archive-scope", nil, "its scope, one for each")
	cmd.Flags().StringArrayVar(&paths, "archive-file", nil, "the archive itself, for each")
	return cmd
}

func bundleCommand() *cobra.Command {
	var f files
	var b check.Bundle
	cmd := f.add(&cobra.Command{Use: "bundle", RunE: func(*cobra.Command, []string) (err error) {
		if b.Archives, err = f.list(); err != nil {
			return f.named(err)
		}
		b.Program, b.Contract = f.program, f.contract
		return f.named(b.Write(f.out))
	}})
	cmd.Flags().StringVar(&b.Name, "name", "", "folder in the tar")
	cmd.Flags().StringVar(&b.Target, "target", "", "row of the target table")
	cmd.Flags().StringVar(&b.Device, "device", "", "the runtime's device")
	cmd.Flags().StringToStringVar(&b.Alternatives, "alternative", nil, "TARGET=FILE, the program for another row; may be repeated")
	cmd.Flags().StringVar(&b.Runner, "runner", "", "program for the target that runs it")
	cmd.Flags().StringToStringVar(&b.Documents, "document", nil, "NAME=FILE in the tar, such as the licence of the weights; may be repeated")
	cmd.Flags().StringVar(&b.Plugin, "plugin", "", "XLA's plugin, for a program of XLA")
	return cmd
}

// compile adds the flags shared by the commands that compile.
func compile(f *files, o *compiler.Options, cmd *cobra.Command, then func(ctx context.Context) error) *cobra.Command {
	f.add(cmd)
	command.FlagCompiler.Text(cmd, &o.Compiler, "")
	command.FlagLinker.Text(cmd, &o.Linker, "")
	command.FlagCompilerFlag.Texts(cmd, &o.Flags)
	cmd.RunE = func(cmd *cobra.Command, _ []string) (err error) {
		if o.Text, err = regular.Read(f.text, regular.MaxText); err != nil {
			return err
		}
		o.TextName = f.text
		return f.named(then(cmd.Context()))
	}
	return cmd
}

func dispatchesCommand() *cobra.Command {
	var f files
	var o compiler.Options
	var graph string
	cmd := compile(&f, &o, &cobra.Command{Use: "dispatches"}, func(ctx context.Context) error {
		return check.Dispatches(ctx, o, f.out, graph)
	})
	cmd.Flags().StringVar(&graph, "graph", "", "graph to write")
	return cmd
}

func asmCommand() *cobra.Command {
	var f files
	var o compiler.Options
	return compile(&f, &o, &cobra.Command{Use: "asm"}, func(ctx context.Context) error { return check.Asm(ctx, o, f.out) })
}
