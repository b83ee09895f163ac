package main

import (
	"context"
	"io"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// open loads the model's file, or else the program next to this one.
func (o *options) open(ctx context.Context, stderr io.Writer) (backend.Executable, error) {
	if o.model == "" {
		return parts.Open(o.program)
	}
	to := o.file
	to.Import.Inline = modelfile.DefaultInline
	to.Run.Device, to.Run.Workers, to.Run.Library, to.Run.Tool = o.program.Device, o.program.Threads, o.program.Library, o.program.Tool
	to.Run.Progress = progress.On(stderr)
	m, _, err := openfile.Import(o.model, nil, to)
	if err != nil {
		return nil, err
	}
	return m.Open(ctx)
}

// tokens loads the tokenizer: the given one, that in the model's file, or the one next to
// this program.
func (o *options) tokens() (tokenizer.Tokenizer, error) {
	if o.model == "" || o.tokenizer != "" {
		path, err := parts.File("tokenizer", o.tokenizer)
		if err != nil {
			return nil, err
		}
		return tokenizer.Load(path)
	}
	format, err := modelfile.FormatOf(o.model)
	if err != nil {
		return nil, err
	}
	if format != gguf.Format {
		return nil, errs.New(command.CodeUsage, "a file of format %s has no tokenizer", format).In(o.model).
			Hint("name its tokenizer.json with --tokenizer")
	}
	f, err := gguf.Open(o.model)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := tokenizer.FromGGUF(f)
	return t, errs.WithFile(err, o.model)
}

// has reports whether a file is given, or is next to this program and belongs to its model.
func (o *options) has(name, given string) bool {
	return given != "" || o.model == "" && parts.Files[name] != ""
}
