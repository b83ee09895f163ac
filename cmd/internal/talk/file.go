package talk

import (
	"context"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
)

// openFile opens a language model of any family on the CPU, with its weights as they lie
// in the file.
func openFile(ctx context.Context, path string, positions int64) (backend.Executable, error) {
	f, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	index := f.Index()
	if err := f.Close(); err != nil {
		return nil, errs.WithFile(err, path)
	}
	g, err := export.Capture(cpu.Evaluate, "chat", index, fromgguf.Constructor(fromgguf.Options{Context: positions}), "", "")
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return open.Graph(ctx, g, open.Options{Backend: open.CPU, Weights: path, Int8: true})
}
