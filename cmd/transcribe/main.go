// Command transcribe prints a transcript of a WAV file.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/skainet-dev/skainet-go/audio/chunk"
	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/whisper"
)

func main() { command.Program(newCommand()) }

type options struct {
	program             program.Options
	tokenizer, settings string
	language            string
	translate, json     bool
	vad                 bool
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "transcribe [flags] CLIP.wav",
		Short: "Print a transcript of a WAV file",
		Long: `Transcribe prints what is said in a WAV file of any rate, depth and number of
channels, and nothing else, on the standard output.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return transcribe(cmd.Context(), o, args[0], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.language, "language", "", "code of the spoken language, such as de; detected by default")
	f.BoolVar(&o.translate, "translate", false, "translate into English")
	f.BoolVar(&o.vad, "vad", false, "transcribe only where Silero's model hears speech: no text is made up in silence and noise")
	f.BoolVar(&o.json, "json", false, "print JSON with times, tokens and log probabilities")
	f.StringVar(&o.settings, "settings", "", "`file` with the model's settings, its config.json, instead of the one next to this program")
	command.FlagTokenizer.Text(cmd, &o.tokenizer, "")
	o.program.Flags(cmd)
	return cmd
}

func transcribe(ctx context.Context, o options, path string, stdout, stderr io.Writer) error {
	path = command.Path(path)
	clip, err := wav.DecodeFile(path)
	if err != nil {
		return err
	}
	for _, note := range clip.Notes {
		fmt.Fprintf(stderr, "transcribe: %s: %s\n", path, note)
	}
	x, err := open(o.program)
	if err != nil {
		return err
	}
	defer x.Close()
	tokens, settings, err := decoding(o)
	if err != nil {
		return err
	}
	r, err := whisper.NewRecognizer(x, tokens, settings)
	if err != nil {
		return err
	}
	var windows func([]float32, int) ([]chunk.Range, error)
	if o.vad {
		detector, closeVAD, err := openVAD(o.program)
		if err != nil {
			return err
		}
		defer closeVAD()
		windows = func(samples []float32, rate int) ([]chunk.Range, error) { return spoken(ctx, detector, samples, rate) }
	}
	bar := newBar(stderr, clip.Seconds())
	t, err := r.Transcribe(ctx, clip, whisper.Options{
		Language: o.language, Translate: o.translate, Windows: windows,
		Progress: func(s float64) { _ = bar.Set64(int64(s)) }, // failing to draw the bar is harmless
	})
	_ = bar.Exit()
	if err != nil {
		return errs.WithFile(err, path)
	}
	if o.json {
		return command.PrintJSON(stdout, "transcript", "  ", t)
	}
	return command.Print(stdout, "transcript", t.Text+"\n")
}

// newBar returns a progress bar that draws only on a terminal.
func newBar(stderr io.Writer, seconds float64) *progressbar.ProgressBar {
	f, ok := stderr.(*os.File)
	return progressbar.NewOptions64(max(int64(seconds), 1),
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetVisibility(ok && term.IsTerminal(int(f.Fd()))),
		progressbar.OptionSetDescription("transcribing"),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionShowCount(),
	)
}
