package talk

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
)

// fileFlags declares the flags that say where a model's file runs, besides those of a
// program.
func (o *options) fileFlags(cmd *cobra.Command) {
	o.model.BackendFlag(cmd)
	o.model.CompileFlags(cmd)
}

// openFile opens a language model of any family: on the CPU with its weights as they lie in
// the file, or as a program that is compiled for it at first.
func openFile(ctx context.Context, path string, positions int64, o openfile.Options, at program.Options, stderr io.Writer) (backend.Executable, error) {
	o.Import.Name, o.Import.Context, o.Import.Inline = "chat", positions, modelfile.DefaultInline
	o.Run.Device, o.Run.Workers, o.Run.Library, o.Run.Tool = at.Device, at.Threads, at.Library, at.Tool
	o.Run.Int8, o.Run.Progress = true, progress.On(stderr)
	m, _, err := openfile.Import(path, nil, o)
	if err != nil {
		return nil, err
	}
	return m.Open(ctx)
}
