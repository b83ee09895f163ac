// Command perplexity measures how well a language model predicts a text.
package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

func main() { command.Program(newCommand()) }

// parts locates the program of a model; //text/generate:defs.bzl sets it.
var parts program.Parts

type options struct {
	program   program.Options
	tokenizer string
	window    int
	json      bool
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "perplexity [flags] FILE",
		Short: "Print how well a language model predicts a text, in nats per token",
		Long: `Perplexity gives the mean of minus the natural logarithm of the probability that
the model gives each token of the text, and e to that power.

The model sees the text in windows of --window tokens, each half a window further on
than the one before. Each begins with the token that begins a text, as llama.cpp's
perplexity has it; that is not counted. A token is counted once, in the first window
that has it, so that in all but the first window half of the tokens, the older ones,
are only seen. Where a model has no token that begins a text, the first token of the
file is not counted. A larger window shows more of what is before a token, and gives
lower figures; compare those of the same window only.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return measure(cmd.Context(), o, args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.window, "window", 256, "tokens that the model sees at once, including the BOS token")
	f.BoolVar(&o.json, "json", false, "print JSON: tokens, nats_per_token and perplexity; null if infinite")
	command.FlagTokenizer.Says("`file` with the tokenizer: a GGUF file, with or without tensors").Text(cmd, &o.tokenizer, "")
	o.program.Flags(cmd)
	return cmd
}

func measure(ctx context.Context, o options, path string, stdout, stderr io.Writer) error {
	path = command.Path(path)
	text, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return err
	}
	file, err := parts.File("tokenizer", o.tokenizer)
	if err != nil {
		return err
	}
	language, err := textmodel.Open(file)
	if err != nil {
		return err
	}
	tokens, err := language.Tokens.Encode(string(text), false)
	if err != nil {
		return errs.WithFile(err, path)
	}
	x, err := parts.Open(o.program)
	if err != nil {
		return err
	}
	defer x.Close()
	size, err := generate.Vocabulary(x)
	if err != nil {
		return err
	}
	if n := language.Tokens.Size(); n != size {
		return errs.New(generate.CodeProgram, "the tokenizer has %d tokens, but the program has %d", n, size).
			Hint("take both from the same weights")
	}
	w := windows(o.window, language.Tokens.Specials(), len(tokens), stderr)
	if err := score(ctx, o.json, x, tokens, w, stdout); err != nil {
		return errs.WithFile(err, path)
	}
	return nil
}

// windows returns the windows over a text with the given number of tokens.
func windows(size int, s tokenizer.Specials, tokens int, stderr io.Writer) generate.Windows {
	w := generate.Windows{Size: size, BOS: -1, Progress: func(done int) {
		fmt.Fprintf(stderr, "%d of %d tokens\n", done, tokens)
	}}
	if s.AddBOS {
		w.BOS = s.BOS
	}
	return w
}

// score computes and prints the perplexity.
func score(ctx context.Context, asJSON bool, program backend.Executable, tokens []int32, w generate.Windows, stdout io.Writer) error {
	p, err := generate.Measure(ctx, program, tokens, w)
	if err != nil {
		return err
	}
	if asJSON {
		return command.PrintJSON(stdout, "result", "", p)
	}
	return command.Print(stdout, "result", fmt.Sprintf("%d tokens, %.4f nats per token, perplexity %.3f\n", p.Tokens, p.Nats, p.Perplexity))
}
