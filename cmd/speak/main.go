// Command speak writes text as speech to a WAV file.
package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/cmd/internal/chosen"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/zoo/piper"
)

func main() {
	child.Main() // serves where a parent started this program for that
	command.Program(newCommand())
}

// parts locates the program and the voice; //models/zoo/piper sets it.
var parts program.Parts

// codeOption is the code of a flag that no speech is made with.
const codeOption errs.Code = "SPEAK_OPTION" // smallest input: --speed=0

type options struct {
	model                chosen.Model
	output, voice        string
	espeak               string
	phonemes             bool
	speed, pause         float64
	noiseScale, noiseLen float64
	seed                 uint64
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "speak [flags] -o SPEECH.wav TEXT...",
		Short: "Write text as speech to a WAV file",
		Long: `Speak says a text, sentence by sentence, and writes it to a WAV file of 16 bits. What is
said is turned into phonemes by the program espeak-ng, which has to be installed; with
--phonemes the text is phonemes already, in the international phonetic alphabet.

With --model it speaks with any voice of Piper of one speaker, FILE.onnx, whose settings are
in FILE.onnx.json. That runs on the CPU without a compiler; with --backend=iree it is
compiled at first, and the program is kept.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return speak(cmd.Context(), o, strings.Join(args, " "), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	command.FlagOutput.Says("WAV `file` to write").Text(cmd, &o.output, "")
	f.BoolVar(&o.phonemes, "phonemes", false, "the text is phonemes; each line of it is a sentence")
	f.Float64Var(&o.speed, "speed", 1, "`factor` by which to speak faster: from 0.25 to 4")
	f.Float64Var(&o.pause, "pause", 0.2, "`seconds` of silence between sentences")
	f.Float64Var(&o.noiseScale, "noise-scale", -1, "variation of the sound, 0 for none; the voice's own by default")
	f.Float64Var(&o.noiseLen, "noise-w", -1, "variation of the lengths of phonemes, 0 for none; the voice's own by default")
	f.Uint64Var(&o.seed, "seed", 1, "`number` that the variation is made from")
	f.StringVar(&o.voice, "voice", "", "`file` with the settings of the voice, its .onnx.json, instead of the one next to this program or to the model")
	f.StringVar(&o.espeak, "espeak", "espeak-ng", "name or path of the `program` espeak-ng")
	o.model.Flags(cmd)
	command.Required(cmd, "output")
	return cmd
}

func speak(ctx context.Context, o options, text string, stderr io.Writer) error {
	if !(o.speed >= 0.25 && o.speed <= 4) || !(o.pause >= 0 && o.pause <= 60) {
		return errs.New(codeOption, "a speed of %g with pauses of %g s", o.speed, o.pause).Hint("--speed is from 0.25 to 4, --pause from 0 to 60")
	}
	path := o.voice
	if path == "" && o.model.Path != "" {
		path = o.model.Path + ".json"
	}
	path, err := parts.File("voice", path)
	if err != nil {
		return err
	}
	voice, err := piper.LoadVoice(path)
	if err != nil {
		return err
	}
	lines, err := o.sentences(ctx, voice, text)
	if err != nil {
		return err
	}
	in := &o.model.File.Import
	in.Cut, in.Shapes, in.Noise = piper.Cut(), piper.Shapes(), "argument"
	x, err := o.model.Open(ctx, &parts, stderr)
	if err != nil {
		return err
	}
	defer x.Close()
	s, err := piper.New(x, voice)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(o.seed, 0))
	var all []float32
	for i, line := range lines {
		samples, unknown, err := s.Say(ctx, line, o.scales(voice), random)
		if err != nil {
			return err
		}
		if unknown != "" {
			fmt.Fprintf(stderr, "speak: the voice has no sound for %q in %q\n", unknown, line)
		}
		if i > 0 {
			all = append(all, make([]float32, int(o.pause*float64(voice.Rate)))...)
		}
		all = append(all, samples...)
	}
	return wav.EncodeFile(command.Path(o.output), all, voice.Rate)
}

// sentences returns the phonemes of each sentence.
func (o options) sentences(ctx context.Context, voice *piper.Voice, text string) ([]string, error) {
	var lines []string
	if o.phonemes {
		for _, line := range strings.Split(text, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
	} else {
		var err error
		if lines, err = (piper.Espeak{Program: o.espeak, Voice: voice.Language}).Phonemes(ctx, text); err != nil {
			return nil, err
		}
	}
	if len(lines) == 0 {
		return nil, errs.New(codeOption, "the text %q has nothing to say", text).Hint("give words")
	}
	return lines, nil
}

// scales returns the voice's own, but for what flags say.
func (o options) scales(voice *piper.Voice) piper.Scales {
	s := voice.Scales
	if o.noiseScale >= 0 {
		s.Noise = o.noiseScale
	}
	if o.noiseLen >= 0 {
		s.Width = o.noiseLen
	}
	s.Length /= o.speed
	return s
}
