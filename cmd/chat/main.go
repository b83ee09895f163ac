// Command chat talks with a language model: it continues a prompt, or answers turn by
// turn, and writes the text as it comes.
package main

import (
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

func main() {
	command.Main("chat", func(ctx context.Context) int { return run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) })
}

// parts are beside the program of a model; //text/generate:defs.bzl sets them.
var parts program.Parts

type options struct {
	program          program.Options
	tokenizer        string
	sampling         generate.Sampling
	prompt, system   string
	tokens           int
	full             string
	json, plain, one bool
	prompted         bool // --prompt was given
}

const long = `Chat continues the prompt and ends. Without --prompt it reads the standard input,
a line a turn, and answers each. What the model writes goes to the standard output as
it comes, and nothing else; figures go to the standard error.

A model whose file has a chat template gets the turns as that writes them, and takes
what they say as text, whatever tokens it spells. Another one, and any with --plain,
goes on from the text of the prompt, in which tokens such as <end_of_turn> are taken as
such.

A line that cannot be answered is reported, and the next one is read; the exit status is
then 1, except at a terminal.

Without --temperature the likeliest token is taken each time. Texts depend on the seed,
and are the same for the same one.`

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o options
	cmd := &cobra.Command{
		Use:   "chat [flags]",
		Short: "Talk with a language model",
		Long:  long,
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.prompted = cmd.Flags().Changed("prompt")
			return talk(cmd.Context(), o, stdin, stdout, stderr)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.prompt, "prompt", "", "text to continue, or to answer; without it the standard input is read")
	f.StringVar(&o.system, "system", "", "what the model is told before the first turn; needs a chat template")
	f.IntVar(&o.tokens, "tokens", 256, "tokens to write at most; 0 as many as there is room for")
	f.BoolVar(&o.json, "json", false, "end with a line of JSON: text, tokens (ids) and figures")
	f.BoolVar(&o.plain, "plain", false, "continue the prompt's text though there is a chat template")
	f.Float32Var(&o.sampling.Temperature, "temperature", 0, "0 takes the likeliest token; 0.8 is common")
	f.IntVar(&o.sampling.TopK, "top-k", 40, "draw from so many of the likeliest tokens; 0 from all")
	f.Float32Var(&o.sampling.TopP, "top-p", 0.95, "draw from the likeliest tokens that have this share of the probability; 1 from all")
	f.Float32Var(&o.sampling.MinP, "min-p", 0.05, "draw from tokens at least this likely beside the likeliest; 0 from all")
	f.Float32Var(&o.sampling.RepeatPenalty, "repeat-penalty", 1, "above 1 makes the newest 64 tokens less likely")
	f.Uint64Var(&o.sampling.Seed, "seed", 0, "seed of the draws")
	f.StringVar(&o.full, "full", "stop", "where the context is full: stop, or slide (forget the oldest half, but for the system prompt)")
	f.BoolVar(&o.one, "one-call", false, "let the program choose all tokens of an answer in one call; nothing is written before that")
	command.FlagTokenizer.Says("`file` with the tokenizer: a GGUF file, with or without tensors").Text(cmd, &o.tokenizer, "")
	o.program.Flags(cmd)
	return command.Run(ctx, cmd, args, stdout, stderr)
}

// talk opens the model and answers.
func talk(ctx context.Context, o options, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	tokenizer, err := parts.File("tokenizer", o.tokenizer)
	if err != nil {
		return err
	}
	language, err := textmodel.Open(tokenizer)
	if err != nil {
		return err
	}
	x, err := parts.Open(o.program)
	if err != nil {
		return err
	}
	defer x.Close()
	stateless := program.Stateless(x)
	together := o.one || stateless
	if o.full == "slide" && together {
		return errs.New(codeFlags, "--full=slide, and no runtime library, so that an answer is one call, which does not slide").
			Hint("name the library with --library, or let it stop")
	}
	session, err := generate.NewSession(x, generate.Options{Slide: o.full == "slide", Stateless: stateless})
	if err != nil {
		return err
	}
	model, err := textmodel.New(language, session, together)
	if err != nil {
		return err
	}
	t := &talker{options: o, model: model, chat: language.Template != nil && !o.plain, together: together, stdout: stdout, stderr: stderr}
	return t.run(ctx, stdin)
}

// check refuses settings before anything is opened.
func (o *options) check() error {
	if o.full != "stop" && o.full != "slide" {
		return errs.New(codeFlags, "--full=%s", o.full).Hint("give stop or slide")
	}
	if o.full == "slide" && o.one {
		return errs.New(codeFlags, "--full=slide and --one-call: one call does not slide").Hint("give one of the two")
	}
	if o.tokens < 0 {
		return errs.New(codeFlags, "--tokens=%d", o.tokens).Hint("give a number of tokens, or 0")
	}
	return o.sampling.Check()
}
