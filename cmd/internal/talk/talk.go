// Package talk is a conversation with a language model on a command line: it continues a
// prompt, or answers turn by turn, and writes the text as it is generated.
package talk

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/cmd/internal/chosen"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

type options struct {
	model            chosen.Model // a program, or a GGUF file
	context          int64
	tokenizer        string
	sampling         generate.Sampling
	prompt, system   string
	tokens           int
	full, date       string
	json, plain, one bool
	prompted         bool // --prompt was given
}

const long = `Chat continues the prompt and exits. Without --prompt it reads standard input,
one line per turn, and answers each. Only the model's text is written to standard output,
as it is generated; statistics go to standard error.

FILE.gguf is a language model of any family that "skainet chat --help" lists. It runs on the
CPU without a compiler, with the file's own tokenizer and chat template; with
--backend=iree it is compiled at first, and the program is kept. Where only the tool
iree-run-module is found, and no runtime library, answers are as with --one-call.

If the model's file has a chat template, turns are formatted with it, and their content is
plain text even if it spells a special token. Otherwise, or with --plain, the model
continues the text of the prompt, in which special tokens such as <end_of_turn> are
recognised.

A line that cannot be answered is reported, and the next one is read; the exit status is
then 1, except at a terminal.

Without --temperature the most likely token is always chosen. The same seed gives the
same text.`

// NewProgramCommand returns the command chat of a program that has its model: parts
// locates it. It takes a file in its place too.
func NewProgramCommand(parts *program.Parts) *cobra.Command {
	o := &options{}
	cmd := newCommand(o, parts)
	cmd.Use = "chat [FILE.gguf] [flags]"
	cmd.Args = cobra.MaximumNArgs(1)
	command.FlagTokenizer.Says("`file` with the tokenizer: a GGUF file, with or without tensors").Text(cmd, &o.tokenizer, "")
	o.model.Program.Flags(cmd)
	o.model.FileFlags(cmd)
	return cmd
}

// NewFileCommand returns the command chat for a model's file.
func NewFileCommand() *cobra.Command {
	o := &options{}
	cmd := newCommand(o, nil)
	cmd.Use = "chat FILE.gguf [flags]"
	cmd.Args = cobra.ExactArgs(1)
	at := &o.model.Program
	command.FlagDevice.Text(cmd, &at.Device, "cpu")
	command.FlagThreads.Count(cmd, &at.Threads)
	command.FlagLibrary.Text(cmd, &at.Library, "")
	command.FlagTool.Text(cmd, &at.Tool, "")
	o.model.FileFlags(cmd)
	cmd.Long += "\n\nFamilies, by general.architecture: " + strings.Join(fromgguf.Architectures(), ", ") + "."
	return cmd
}

func newCommand(o *options, parts *program.Parts) *cobra.Command {
	cmd := &cobra.Command{
		Short: "Talk to a language model",
		Long:  long,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.prompted = cmd.Flags().Changed("prompt")
			if len(args) == 1 {
				o.model.Path = command.Path(args[0])
			}
			return o.talk(cmd.Context(), parts, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.prompt, "prompt", "", "text to continue or answer; without it standard input is read")
	f.StringVar(&o.system, "system", "", "the system prompt, before the first turn; needs a chat template")
	f.IntVar(&o.tokens, "tokens", 256, "maximum number of tokens to generate; 0 until the context is full")
	f.Int64Var(&o.context, "context", 0, "positions of the context of FILE.gguf; 0 means 2048, or what the model was trained for if that is less")
	f.BoolVar(&o.json, "json", false, "end with a line of JSON: text, tokens (ids) and statistics")
	f.BoolVar(&o.plain, "plain", false, "continue the prompt's text even if there is a chat template")
	f.Float32Var(&o.sampling.Temperature, "temperature", 0, "0 always takes the most likely token; 0.8 is common")
	f.IntVar(&o.sampling.TopK, "top-k", 40, "sample from this many of the most likely tokens; 0 from all")
	f.Float32Var(&o.sampling.TopP, "top-p", 0.95, "sample from the most likely tokens with this total probability; 1 from all")
	f.Float32Var(&o.sampling.MinP, "min-p", 0.05, "sample from tokens whose probability is at least this fraction of the most likely one's; 0 from all")
	f.Float32Var(&o.sampling.RepeatPenalty, "repeat-penalty", 1, "above 1 makes the newest 64 tokens less likely")
	f.Uint64Var(&o.sampling.Seed, "seed", 0, "sampling seed")
	f.StringVar(&o.full, "full", "stop", "when the context is full: stop, or slide (drop the oldest half, except the system prompt)")
	f.StringVar(&o.date, "date", "", "date (2026-07-26), or date and time (2026-07-26T18:30:00), for a chat template that prints it; default the current one")
	f.BoolVar(&o.one, "one-call", false, "let the program sample all tokens of an answer in one call; nothing is written until it returns")
	return cmd
}

// talk opens the model and runs the conversation.
func (o options) talk(ctx context.Context, parts *program.Parts, stdin io.Reader, stdout, stderr io.Writer) error {
	if err := o.check(); err != nil {
		return err
	}
	tokenizer := o.model.Path
	if tokenizer == "" || o.tokenizer != "" {
		var err error
		if tokenizer, err = parts.File("tokenizer", o.tokenizer); err != nil {
			return err
		}
	}
	if o.model.Path != "" {
		if err := known(o.model.Path); err != nil {
			return err
		}
	}
	language, err := textmodel.Open(tokenizer)
	if err != nil {
		return err
	}
	if language.Date, err = o.at(); err != nil {
		return err
	}
	o.model.File.Import.Name, o.model.File.Import.Context, o.model.File.Run.Int8 = "chat", o.context, true
	o.model.File.Run.PerCall = true
	x, err := o.model.Open(ctx, parts, stderr)
	if err != nil {
		return err
	}
	defer x.Close()
	stateless := !backend.KeepsState(x)
	together := o.one || stateless
	if o.full == "slide" && together {
		return errs.New(codeFlags, "--full=slide without a runtime library: an answer is one call, which cannot slide").
			Hint("name the library with --library, or use --full=stop")
	}
	if stateless {
		fmt.Fprintln(stderr, "chat: no runtime library: each answer is one run of the tool over the whole conversation, as with --one-call; nothing is written until it returns")
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

// known is an error for a file that is no language model of a known architecture: what its
// tokenizer lacks says less.
func known(path string) error {
	f, err := gguf.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	v, ok := f.Get("general.architecture")
	if !ok {
		return nil
	}
	arch, err := v.Text()
	if err == nil {
		err = fromgguf.Check(arch)
	}
	return errs.WithFile(err, path)
}

// at returns the time for chat templates; it stays the same from turn to turn.
func (o *options) at() (time.Time, error) {
	if o.date == "" {
		return time.Now(), nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05"} {
		if at, err := time.ParseInLocation(layout, o.date, time.Local); err == nil {
			return at, nil
		}
	}
	return time.Time{}, errs.New(codeFlags, "--date=%s", o.date).Hint("give a date such as 2026-07-26, or a date and time such as 2026-07-26T18:30:00")
}

// check rejects invalid settings before anything is opened.
func (o *options) check() error {
	if o.full != "stop" && o.full != "slide" {
		return errs.New(codeFlags, "--full=%s", o.full).Hint("give stop or slide")
	}
	if o.full == "slide" && o.one {
		return errs.New(codeFlags, "--full=slide and --one-call: a single call cannot slide").Hint("use only one of them")
	}
	if _, err := o.at(); err != nil {
		return err
	}
	if o.context != 0 && o.model.Path == "" {
		return errs.New(codeFlags, "--context=%d without a file: a program has the context that it was built with", o.context).
			Hint("name a GGUF file, or leave --context out")
	}
	if o.tokens < 0 {
		return errs.New(codeFlags, "--tokens=%d", o.tokens).Hint("give a number of tokens, or 0")
	}
	return o.sampling.Check()
}
