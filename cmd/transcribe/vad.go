package main

import (
	"context"

	"github.com/skainet-dev/skainet-go/audio/chunk"
	"github.com/skainet-dev/skainet-go/audio/speech"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/models/zoo/silero"
)

// vadParts locates the program of the model that hears speech;
// //models/whisper:targets.bzl sets it.
var vadParts program.Parts

// openVAD loads the detector, which is for the CPU on any device.
func openVAD(o program.Options) (*silero.Detector, func(), error) {
	x, err := vadParts.Open(program.Options{Library: o.Library, Tool: o.Tool})
	if err != nil {
		return nil, nil, coded(err, "cpu")
	}
	d, err := silero.New(x)
	if err != nil {
		x.Close()
		return nil, nil, err
	}
	return d, func() { x.Close() }, nil
}

// detector finds speech.
type detector interface {
	Speech(ctx context.Context, samples []float32) ([]chunk.Range, error)
}

// spoken returns windows of speech, as long as the model takes them.
func spoken(ctx context.Context, d detector, samples []float32, rate int) ([]chunk.Range, error) {
	segments, err := d.Speech(ctx, samples)
	if err != nil {
		return nil, err
	}
	return speech.Windows(segments, int(chunk.MaxSeconds)*rate, func(r chunk.Range) ([]chunk.Range, error) {
		parts, err := chunk.Windows(samples[r.Start:r.End], rate)
		for i := range parts {
			parts[i].Start += r.Start
			parts[i].End += r.Start
		}
		return parts, err
	})
}
