// Package chosen opens the model that a command runs: the program that was built next to
// the command, or a model's file in its place, on the CPU backend or compiled.
//
// # Errors
//
// USAGE for flags of a file without one; otherwise those of packages program and openfile.
//
// # Determinism
//
// As those packages.
package chosen

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Model says which model, and where it runs.
type Model struct {
	Path    string // of a model's file, in place of the program
	Program program.Options
	File    openfile.Options

	ofFile *pflag.FlagSet
}

// Flags declares --model and the flags of a program and of a file.
func (m *Model) Flags(cmd *cobra.Command) {
	cmd.Flags().Var((*userPath)(&m.Path), "model", "model `file`, in place of the program next to this one")
	m.Program.Flags(cmd)
	m.FileFlags(cmd)
	cmd.MarkFlagsMutuallyExclusive("model", "program")
}

// FileFlags declares the flags of a file alone.
func (m *Model) FileFlags(cmd *cobra.Command) {
	var of cobra.Command
	m.File.BackendFlag(&of)
	m.File.CompileFlags(&of)
	command.FlagPlugin.Text(&of, &m.File.Run.Plugin, "")
	command.FlagWeightForm.Text(&of, &m.File.Run.WeightForm, "")
	of.Flags().Var(&m.File.Run.Buckets, "buckets", xla.BucketsHelp)
	m.ofFile = of.Flags()
	cmd.Flags().AddFlagSet(m.ofFile)
}

// Open loads the model's file, which is compiled at first where the backend needs that, or
// the program among parts.
func (m *Model) Open(ctx context.Context, parts *program.Parts, stderr io.Writer) (backend.Executable, error) {
	if m.Path == "" {
		if err := m.unused(); err != nil {
			return nil, err
		}
		return parts.Open(m.Program)
	}
	to, at := m.File, m.Program
	to.Import.Inline = modelfile.DefaultInline
	to.Run.Device, to.Run.Workers, to.Run.Library, to.Run.Tool = at.Device, at.Threads, at.Library, at.Tool
	to.Run.Progress = progress.On(stderr)
	opened, _, err := openfile.Import(m.Path, nil, to)
	if err != nil {
		return nil, err
	}
	return opened.Open(ctx)
}

// unused is an error if a flag is given that says how a file runs.
func (m *Model) unused() (err error) {
	if m.ofFile == nil {
		return nil
	}
	m.ofFile.VisitAll(func(f *pflag.Flag) {
		if f.Changed && err == nil {
			err = errs.New(command.CodeUsage, "--%s is for a model's file, and the program is compiled already", f.Name).
				Hint("name the model's file too, or leave --%s out", f.Name)
		}
	})
	return err
}

// userPath is a flag for a file, relative to the user's folder.
type userPath string

// Set implements pflag.Value.
func (p *userPath) Set(text string) error {
	*p = userPath(command.Path(text))
	return nil
}

func (p *userPath) String() string { return string(*p) }

// Type is the name of a value in help texts.
func (p *userPath) Type() string { return "file" }
