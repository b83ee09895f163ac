package embedding

import (
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// tokens loads the tokenizer: the given one, that in the model's file, or the one next to
// this program.
func (o *options) tokens() (tokenizer.Tokenizer, error) {
	if o.model.Path == "" || o.tokenizer != "" {
		path, err := o.parts.File("tokenizer", o.tokenizer)
		if err != nil {
			return nil, err
		}
		return tokenizer.Load(path)
	}
	format, err := modelfile.FormatOf(o.model.Path)
	if err != nil {
		return nil, err
	}
	if format != gguf.Format {
		return nil, errs.New(command.CodeUsage, "a file of format %s has no tokenizer", format).In(o.model.Path).
			Hint("name its tokenizer.json with --tokenizer")
	}
	f, err := gguf.Open(o.model.Path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := tokenizer.FromGGUF(f)
	return t, errs.WithFile(err, o.model.Path)
}

// has reports whether a file is given, or is next to this program and belongs to its model.
func (o *options) has(name, given string) bool {
	return given != "" || o.model.Path == "" && o.parts.Files[name] != ""
}
