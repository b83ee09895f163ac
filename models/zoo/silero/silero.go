// Package silero is Silero's detector of speech (silero-vad 6.2), 16 kHz: which parts of a
// clip somebody speaks in.
//
// The program is the ONNX file's, for 16 kHz and one clip, with its state as a variable:
//
//	main(input f32 [1, 576]) -> output f32 [1, 1]
//
// input is 64 samples that were in the call before, and 512 new ones.
//
// # Errors
//
// SILERO_PROGRAM for a program that is another one.
//
// # Determinism
//
// As the program.
package silero

import (
	"context"

	"github.com/skainet-dev/skainet-go/audio/chunk"
	"github.com/skainet-dev/skainet-go/audio/speech"
	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeProgram is the code of a program that is not this model.
const CodeProgram errs.Code = "SILERO_PROGRAM"

// What the model hears.
const (
	Rate    = 16000 // Hz
	Window  = 512   // samples of one probability
	overlap = 64    // samples of the window before
)

// Detector hears one clip, in pieces or whole: for another one open another session of the
// program. One goroutine uses it at a time.
type Detector struct {
	program backend.Executable
	entry   string
	heard   []float32 // the last samples
}

// New returns a detector. The caller closes the program.
func New(program backend.Executable) (*Detector, error) {
	entries := program.Contract().Entries
	if len(entries) != 1 || len(entries[0].Args) != 1 || len(entries[0].Results) != 1 {
		return nil, errs.New(CodeProgram, "the program is not a detector of one argument and one result").
			Hint("fix sr at 16000 and make state a variable, as //models/zoo/silero does")
	}
	if _, err := backend.Bind(&entries[0], []tensor.Type{input}); err != nil {
		return nil, errs.Wrap(CodeProgram, err, "the program does not hear %d samples", Window)
	}
	return &Detector{program, entries[0].Name, make([]float32, overlap)}, nil
}

var input = tensor.TypeOf(dtype.F32, 1, overlap+Window)

// Probabilities returns the probability of speech in each window; the last one is filled up
// with silence.
func (d *Detector) Probabilities(ctx context.Context, samples []float32) ([]float32, error) {
	var out []float32
	for at := 0; at < len(samples); at += Window {
		x := make([]float32, overlap+Window)
		copy(x, d.heard)
		copy(x[overlap:], samples[at:min(at+Window, len(samples))])
		v, err := tensor.Of(x, 1, overlap+Window)
		if err != nil {
			return nil, err
		}
		results, err := d.program.Call(ctx, d.entry, v)
		if err != nil {
			return nil, err
		}
		p, err := tensor.Slice[float32](results[0])
		if err != nil {
			return nil, err
		}
		if len(p) != 1 {
			return nil, errs.New(CodeProgram, "the program returned %d numbers, want 1", len(p))
		}
		out = append(out, p[0])
		copy(d.heard, x[Window:])
	}
	return out, nil
}

// Speech returns the segments of a whole clip in which somebody speaks.
func (d *Detector) Speech(ctx context.Context, samples []float32) ([]chunk.Range, error) {
	p, err := d.Probabilities(ctx, samples)
	if err != nil {
		return nil, err
	}
	return speech.Segments(p, len(samples), speech.Defaults(Rate, Window)), nil
}
