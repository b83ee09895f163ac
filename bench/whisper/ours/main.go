// Command ours is this repository's Whisper as a contestant of the benchmark: on one
// thread, in process.
package main

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/audio/mel"
	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/whisper/contestant"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/whisper"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// codeClip is the code of a clip whose rate is not Whisper's.
const codeClip errs.Code = "BENCH_CLIP"

type files struct {
	program, contract, tokenizer, settings, library, clip string
	archives                                              []string
}

func main() {
	var f files
	cmd := &cobra.Command{
		Use: "ours", Args: cobra.NoArgs,
		Short: "Transcribe a clip once for each line of the standard input",
		RunE:  func(cmd *cobra.Command, _ []string) error { return serve(cmd.Context(), f) },
	}
	command.FlagContract.Text(cmd, &f.contract, "")
	command.FlagArchive.Texts(cmd, &f.archives)
	command.FlagTokenizer.Text(cmd, &f.tokenizer, "")
	command.FlagLibrary.Text(cmd, &f.library, "")
	for name, to := range map[string]*string{"program": &f.program, "settings": &f.settings, "clip": &f.clip} {
		cmd.Flags().StringVar(to, name, "", "`file` of the "+name)
	}
	command.Required(cmd, "program", "contract", "archive", "tokenizer", "settings", "library", "clip")
	command.Main("ours", func(ctx context.Context) int {
		return command.Run(ctx, cmd, os.Args[1:], os.Stdout, os.Stderr)
	})
}

func serve(ctx context.Context, f files) error {
	clip, err := wav.DecodeFile(f.clip)
	if err != nil {
		return err
	}
	if clip.Rate != mel.SampleRate {
		return errs.New(codeClip, "%d samples a second, want %d: resampling is not measured", clip.Rate, mel.SampleRate).In(f.clip)
	}
	program, err := open(f)
	if err != nil {
		return err
	}
	defer program.Close()
	tokens, err := tokenizer.Load(f.tokenizer)
	if err != nil {
		return err
	}
	settings, err := whisper.LoadSettings(f.settings)
	if err != nil {
		return err
	}
	recognizer, err := whisper.NewRecognizer(program, tokens, settings)
	if err != nil {
		return err
	}
	parts, err := newParts(program, clip)
	if err != nil {
		return err
	}
	ready := contestant.Ready{Version: "IREE " + program.Contract().IREE, Load: harness.CPU()}
	return contestant.Serve(os.Stdin, os.Stdout, ready, func() (contestant.Run, error) {
		start, cpu := time.Now(), harness.CPU()
		t, err := recognizer.Transcribe(ctx, clip, whisper.Options{Language: "en"})
		if err != nil {
			return contestant.Run{}, err
		}
		r := contestant.Run{Text: t.Text, CPU: harness.CPU() - cpu, Wall: time.Since(start).Seconds()}
		r.Parts, err = parts(ctx)
		return r, err
	})
}

func open(f files) (backend.Executable, error) {
	if strings.HasSuffix(f.library, ".absent") {
		return nil, errs.New(harness.CodeRuntime, "the runtime library was not built on this host").In(f.library).
			Hint("without it a program is loaded for each call, which is not what is measured here")
	}
	c, err := contract.ReadFile(f.contract)
	if err != nil {
		return nil, err
	}
	return iree.Open(iree.Options{
		Program: f.program, Contract: c, Archives: command.Archives(f.archives, command.DefaultScope),
		Device: "local-sync", Library: f.library,
	})
}

// window is the number of samples that the encoder takes.
const window = 30 * mel.SampleRate

// newParts returns a function that runs the parts of a window by themselves.
func newParts(program backend.Executable, clip *wav.Clip) (func(context.Context) (contestant.Parts, error), error) {
	entry, err := program.Contract().Entry("encode")
	if err != nil {
		return nil, err
	}
	if len(entry.Args) != 1 || entry.Args[0].Shape.Rank() != 3 {
		return nil, errs.New(whisper.CodeProgram, "the program has another entry point encode than this benchmark")
	}
	sizes := entry.Args[0].Shape.Sizes()
	extract, err := mel.New(mel.Config{Mels: int(sizes[1])})
	if err != nil {
		return nil, err
	}
	first := clip.Samples[:min(len(clip.Samples), window)]
	return func(ctx context.Context) (p contestant.Parts, err error) {
		cpu := harness.CPU()
		features, err := extract.LogMel(first)
		if err != nil {
			return p, err
		}
		p.Mel = harness.CPU() - cpu
		m, err := tensor.Of(features, sizes...)
		if err != nil {
			return p, err
		}
		cpu = harness.CPU()
		if _, err = program.Call(ctx, "encode", m); err != nil {
			return p, err
		}
		p.Encode = harness.CPU() - cpu
		return p, nil
	}, nil
}
