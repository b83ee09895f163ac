package whisper

import (
	"github.com/skainet-dev/skainet-go/audio/mel"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// programSizes returns the sizes that recognition needs from a program. It
// checks that the program has the entry points of Model, so that later calls
// and their results are known to match.
func programSizes(doc *contract.Contract) (Config, error) {
	bad := func(err error, what string, args ...any) error {
		return errs.Wrap(CodeProgram, err, what, args...).On(doc.Name).
			Hint("use a program of this version's models/whisper")
	}
	var c Config
	encode, err := doc.Entry("encode")
	if err != nil || len(encode.Args) != 1 || encode.Args[0].Shape.Rank() != 3 || len(encode.Results) != 1 || encode.Results[0].Shape.Rank() != 2 {
		return c, bad(err, "entry point encode is missing or takes no mel window")
	}
	transcribe, err := doc.Entry("transcribe")
	if err != nil || len(transcribe.Args) != 8 || transcribe.Args[4].Shape.Rank() != 1 {
		return c, bad(err, "entry point transcribe is missing or has other arguments")
	}
	c.MelBins = encode.Args[0].Shape[1].Size
	c.AudioContext, c.HiddenSize = encode.Results[0].Shape[0].Size, encode.Results[0].Shape[1].Size
	c.VocabSize = transcribe.Args[4].Shape[0].Size
	if 2*c.AudioContext != mel.Frames {
		return c, bad(nil, "the program takes windows of %d frames, not %d", 2*c.AudioContext, mel.Frames)
	}
	i32, f32, bias := tensor.TypeOf(dtype.I32), tensor.TypeOf(dtype.F32), tensor.TypeOf(dtype.F32, c.VocabSize)
	prompt, encoded := tensor.TypeOf(dtype.I32, MaxPrompt), tensor.TypeOf(dtype.F32, c.AudioContext, c.HiddenSize)
	for _, want := range []struct {
		entry         string
		args, results []tensor.Type
	}{
		{"encode", []tensor.Type{c.melType()}, []tensor.Type{encoded}},
		{"prefill", []tensor.Type{encoded, prompt, i32}, []tensor.Type{tensor.TypeOf(dtype.F32, 1, c.VocabSize)}},
		{"transcribe", []tensor.Type{c.melType(), prompt, i32, i32, bias, bias, i32, i32}, []tensor.Type{tensor.TypeOf(dtype.I32, MaxTokens), i32, f32, f32}},
	} {
		e, err := doc.Entry(want.entry)
		if err != nil || !same(e.Args, want.args) || !same(e.Results, want.results) {
			return c, bad(err, "entry point %s is missing or has other arguments or results", want.entry)
		}
	}
	return c, nil
}

// melType is the type of a window's features.
func (c Config) melType() tensor.Type {
	return tensor.TypeOf(dtype.F32, 1, c.MelBins, 2*c.AudioContext)
}

func same(got []contract.Named, want []tensor.Type) bool {
	if len(got) != len(want) {
		return false
	}
	for i, g := range got {
		if !g.Shape.IsStatic() || !g.Type().Equal(want[i]) {
			return false
		}
	}
	return true
}
