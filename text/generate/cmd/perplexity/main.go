// Command perplexity measures how well a language model expects a text.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
	"github.com/skainet-dev/skainet-go/internal/interrupt"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/generate/launch"
)

func main() {
	ctx, stop := interrupt.Context(context.Background())
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

type options struct {
	launch launch.Options
	window int
	json   bool
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	ran := false
	cmd := &cobra.Command{
		Use:   "perplexity [flags] FILE",
		Short: "Print how well a language model expects a text, in nats per token",
		Long: `Perplexity gives the mean of minus the natural logarithm of the probability that
the model gives each token of the text, and e to that power. The first token, before
which there is nothing, is not counted. The text is looked at in windows; each but
the first begins with half a window that was counted before.`,
		Args:          cobra.ExactArgs(1),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			ran = true
			return measure(cmd.Context(), o, args[0], stdout, stderr)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.window, "window", 256, "tokens that the model sees at once")
	f.BoolVar(&o.json, "json", false, "print JSON")
	o.launch.Flags(cmd)
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	if err := cmd.ExecuteContext(ctx); err != nil {
		if ctx.Err() != nil {
			fmt.Fprintln(stderr, "perplexity: interrupted")
			return interrupt.ExitStatus
		}
		if !ran {
			fmt.Fprintln(stderr, "perplexity:", errs.Wrap("USAGE", err, "").Hint("see perplexity --help"))
			return 2
		}
		fmt.Fprintln(stderr, "perplexity:", err)
		return 1
	}
	return 0
}

func measure(ctx context.Context, o options, path string, stdout, stderr io.Writer) error {
	// bazel run starts programs in a folder of its own.
	if dir := os.Getenv("BUILD_WORKING_DIRECTORY"); dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	text, err := filemap.ReadFile(path, filemap.MaxDocument)
	if err != nil {
		return err
	}
	language, err := o.launch.Language()
	if err != nil {
		return err
	}
	tokens, err := language.Tokens.Encode(string(text), true)
	if err != nil {
		return errs.WithFile(err, path)
	}
	program, _, err := o.launch.Open()
	if err != nil {
		return err
	}
	defer program.Close()
	size, err := generate.Vocabulary(program)
	if err != nil {
		return err
	}
	if n := language.Tokens.Size(); n != size {
		return errs.New(generate.CodeProgram, "the tokenizer has %d tokens, the program %d", n, size).
			Hint("take both from the same weights")
	}
	if err := score(ctx, o, program, tokens, stdout, stderr); err != nil {
		return errs.WithFile(err, path)
	}
	return nil
}

// score measures and prints.
func score(ctx context.Context, o options, program backend.Executable, tokens []int32, stdout, stderr io.Writer) error {
	p, err := generate.Measure(ctx, program, tokens, o.window, func(done int) {
		fmt.Fprintf(stderr, "%d of %d tokens\n", done, len(tokens))
	})
	if err != nil {
		return err
	}
	line := fmt.Sprintf("%d tokens, %.4f nats per token, perplexity %.3f", p.Tokens, p.Nats, p.Perplexity)
	if o.json {
		b, err := json.Marshal(p)
		if err != nil {
			return errs.Wrap("FILE_WRITE", err, "cannot write the figures")
		}
		line = string(b)
	}
	if _, err := fmt.Fprintln(stdout, line); err != nil {
		return errs.Wrap("FILE_WRITE", err, "cannot write the figures")
	}
	return nil
}
