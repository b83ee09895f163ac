package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/xlacall"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile/contract"
)

func newRunCommand() *cobra.Command { return call.NewRunCommand(&modelFiles{}) }

func newBenchCommand() *cobra.Command { return call.NewBenchCommand(&modelFiles{}) }

// modelFiles lets run and bench take model files.
type modelFiles struct{ o openfile.Options }

// Flags implements call.Files.
func (f *modelFiles) Flags(cmd *cobra.Command) { f.o.Flags(cmd) }

// Check implements call.Files.
func (f *modelFiles) Check(path string) error { return openfile.Check(path) }

// Import implements call.Files.
func (f *modelFiles) Import(cmd *cobra.Command, path string, texts []string, m call.Machine) (call.Model, error) {
	o := f.o
	o.Run.Device, o.Run.Workers, o.Run.Library, o.Run.Tool = m.Device, m.Threads, m.Library, m.Tool
	o.Run.Plugin, o.Run.WeightForm, o.Run.Sizes = m.Plugin, m.WeightForm, m.Sizes
	var err error
	if o.Run.Buckets, err = xla.ParseBuckets(m.Buckets...); err != nil {
		return nil, err
	}
	if m.MakesUp && !o.XLA() {
		o.Run.Sizes = nil
	}
	o.Run.Progress = progress.On(cmd.ErrOrStderr())
	imported, args, err := openfile.Import(path, texts, o)
	if err != nil {
		return nil, err
	}
	return &importedFile{imported, args}, nil
}

// Runtime implements call.Files.
func (f *modelFiles) Runtime(cmd *cobra.Command, m *call.Machine) error {
	o := f.o.Run
	o.Library, o.Tool, o.Progress = m.Library, m.Tool, progress.On(cmd.ErrOrStderr())
	err := openfile.FindRuntime(cmd.Context(), &o, f.o.Cache)
	m.Library, m.Tool = o.Library, o.Tool
	return err
}

// Program implements call.Files: files of XLA's programs have their contracts in them.
func (f *modelFiles) Program(path string) (call.Program, error) { return xlacall.Program(path) }

// Beside implements call.Files.
func (f *modelFiles) Beside(program, scope string) (document, archive string) {
	return open.Beside(program, scope)
}

type importedFile struct {
	model *openfile.Model
	args  []string
}

// Contract implements call.Model.
func (f *importedFile) Contract() *contract.Contract { return f.model.Contract }

// Backend implements call.Model.
func (f *importedFile) Backend() string { return f.model.Backend() }

// Arguments implements call.Model.
func (f *importedFile) Arguments() []string { return f.args }

// Open implements call.Model.
func (f *importedFile) Open(ctx context.Context) (backend.Executable, error) {
	return f.model.Open(ctx)
}
