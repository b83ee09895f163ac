// Package piper speaks with a voice of Piper (VITS): phonemes to sound.
//
// The program is the ONNX file's, cut at the lengths of its phonemes: they decide how
// long the sound is. The first entry point takes phonemes, the second what it returned:
//
//	before(input i64 [1, phonemes], input_lengths i64 [1], scales f32 [3],
//	       noise f32 [1, 2, phonemes]) -> frames i64 [], and other tensors
//	after(frames u8 [frames], those tensors, scales, noise f32 [1, channels, frames])
//	       -> f32 [1, 1, 1, samples]
//
// Names of arguments are the file's; those of noise and frames may be any.
//
// # Errors
//
// PIPER_PROGRAM for a program that is another one, PIPER_VOICE for settings that are no
// voice's, PIPER_ESPEAK where espeak-ng is missing or fails, PIPER_PHONEMES for a sentence
// without a phoneme of the voice.
//
// # Determinism
//
// As the program: noise is made from a seed.
package piper

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// Codes of a program and of what is said.
const (
	CodeProgram  errs.Code = "PIPER_PROGRAM"  // smallest input: a program of one entry point
	CodePhonemes errs.Code = "PIPER_PHONEMES" // smallest input: a sentence ""
)

// maxPhonemes is the length of the longest sentence: a minute of speech has some 900.
const maxPhonemes = 1 << 12

// maxFrames is the number of frames of the longest sentence, twelve minutes.
const maxFrames = 1 << 16

// Speaker speaks sentences. One goroutine uses it at a time.
type Speaker struct {
	program       backend.Executable
	voice         *Voice
	before, after *contract.Entry
	frames        string // the result of before, and argument of after, that counts frames
}

// New returns a speaker. The caller closes the program.
func New(program backend.Executable, voice *Voice) (*Speaker, error) {
	s := &Speaker{program: program, voice: voice}
	c := program.Contract()
	for i := range c.Entries {
		switch c.Entries[i].Name {
		case "before":
			s.before = &c.Entries[i]
		case "after":
			s.after = &c.Entries[i]
		}
	}
	if s.before == nil || s.after == nil {
		return nil, errs.New(CodeProgram, "the program %s has not the entry points before and after", c.Name).
			Hint("cut the model at the lengths of its phonemes, as //models/zoo/piper does")
	}
	for _, r := range s.before.Results {
		if r.DType == dtype.I64 && r.Shape.Rank() == 0 {
			s.frames = r.Name
		}
	}
	for _, a := range s.after.Args {
		if a.Name == s.frames && (a.DType != dtype.U8 || a.Shape.Rank() != 1 || !a.Shape[0].IsName()) {
			s.frames = ""
		}
	}
	if s.frames == "" {
		return nil, errs.New(CodeProgram, "no result of before counts the frames of after")
	}
	if r := s.after.Results; len(r) != 1 || r[0].DType != dtype.F32 {
		return nil, errs.New(CodeProgram, "after returns %d results, want the sound", len(r))
	}
	for _, e := range []*contract.Entry{s.before, s.after} {
		if _, err := s.noise(e); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// given are the arguments of before that are not noise.
var given = []string{"input", "input_lengths", "scales"}

// noise returns which argument of an entry point is noise.
func (s *Speaker) noise(e *contract.Entry) (int, error) {
	at := -1
	for i, a := range e.Args {
		known := slices.Contains(given, a.Name) || e == s.after && slices.ContainsFunc(s.before.Results, func(r contract.Named) bool { return r.Name == a.Name })
		switch {
		case known:
		case at >= 0 || a.DType != dtype.F32 || a.Shape.Rank() != 3:
			return 0, errs.New(CodeProgram, "%s takes %q, %s, which no voice of one speaker does", e.Name, a.Name, a.Type())
		default:
			at = i
		}
	}
	if at < 0 {
		return 0, errs.New(CodeProgram, "%s takes no noise", e.Name).Hint("import the model with noise = \"argument\"")
	}
	return at, nil
}

// Say returns the sound of a sentence of phonemes, at most 1, and the letters of it that
// the voice does not have.
func (s *Speaker) Say(ctx context.Context, phonemes string, scales Scales, random *rand.Rand) (samples []float32, unknown string, err error) {
	if err := scales.Check(); err != nil {
		return nil, "", err
	}
	ids, unknown := s.voice.IDs(phonemes)
	silent, _ := s.voice.IDs("")
	switch {
	case len(ids) == len(silent):
		return nil, unknown, errs.New(CodePhonemes, "%q has no phoneme of the voice", phonemes)
	case len(ids) > maxPhonemes:
		return nil, unknown, errs.New(CodePhonemes, "a sentence of %d phonemes, the most are %d", len(ids), maxPhonemes).Hint("put a full stop between its parts")
	}
	n := int64(len(ids))
	values := map[string]tensor.Value{}
	for name, of := range map[string]func() (tensor.Value, error){
		"input":         func() (tensor.Value, error) { return tensor.Of(ids, 1, n) },
		"input_lengths": func() (tensor.Value, error) { return tensor.Of([]int64{n}, 1) },
		"scales": func() (tensor.Value, error) {
			return tensor.Of([]float32{float32(scales.Noise), float32(scales.Length), float32(scales.Width)}, 3)
		},
	} {
		if values[name], err = of(); err != nil {
			return nil, unknown, err
		}
	}
	results, err := s.call(ctx, s.before, values, random)
	if err != nil {
		return nil, unknown, err
	}
	for i, r := range s.before.Results {
		values[r.Name] = results[i]
	}
	frames, err := tensor.Slice[int64](values[s.frames])
	if err != nil {
		return nil, unknown, err
	}
	if len(frames) != 1 || frames[0] < 1 || frames[0] > maxFrames {
		return nil, unknown, errs.New(CodeProgram, "the sentence is %d frames long, want 1 to %d", frames, maxFrames).Hint("say shorter sentences")
	}
	values[s.frames] = tensor.Value{Type: tensor.TypeOf(dtype.U8, frames[0]), Bytes: make([]byte, frames[0])}
	if results, err = s.call(ctx, s.after, values, random); err != nil {
		return nil, unknown, err
	}
	samples, err = tensor.Slice[float32](results[0])
	return loud(samples), unknown, err
}

// call calls an entry point with values by name, and noise.
func (s *Speaker) call(ctx context.Context, e *contract.Entry, values map[string]tensor.Value, random *rand.Rand) ([]tensor.Value, error) {
	sizes := map[string]int64{}
	for _, a := range e.Args {
		v, ok := values[a.Name]
		if !ok {
			continue
		}
		if !backend.Fits(v.Type, a.Type()) {
			return nil, errs.New(CodeProgram, "%s takes %q as %s, and it is %s", e.Name, a.Name, a.Type(), v.Type)
		}
		some, err := shape.Bind(shape.Argument{Name: a.Name, Want: a.Shape, Given: v.Type.Shape})
		if err != nil {
			return nil, err
		}
		for name, n := range some {
			sizes[name] = n
		}
	}
	at, err := s.noise(e)
	if err != nil {
		return nil, err
	}
	to, err := e.Args[at].Shape.Bind(sizes)
	if err != nil {
		return nil, err
	}
	if !to.IsStatic() {
		return nil, errs.New(CodeProgram, "the size of the noise %q, [%s], is no other argument's", e.Args[at].Name, to)
	}
	noise := make([]float32, to.Product().Size)
	for i := range noise {
		noise[i] = float32(random.NormFloat64())
	}
	args := make([]tensor.Value, len(e.Args))
	for i, a := range e.Args {
		args[i] = values[a.Name]
	}
	if args[at], err = tensor.Of(noise, to.Sizes()...); err != nil {
		return nil, err
	}
	return s.program.Call(ctx, e.Name, args...)
}

// loud returns samples of which the loudest is full scale, as Piper writes them.
func loud(samples []float32) []float32 {
	top := float32(0)
	for _, x := range samples {
		top = max(top, x, -x)
	}
	if top < 1e-8 || top != top {
		return samples
	}
	out := make([]float32, len(samples))
	for i, x := range samples {
		out[i] = x / top
	}
	return out
}
