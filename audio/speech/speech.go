// Package speech turns probabilities that somebody speaks, one for each short window of a
// clip, into segments of speech, and segments into windows for a recogniser.
//
// The rules are those of get_speech_timestamps of silero-vad 6.2.
//
// # Errors
//
// None.
//
// # Determinism
//
// Segments depend only on the probabilities.
package speech

import "github.com/skainet-dev/skainet-go/audio/chunk"

// Options are the limits of segments; lengths are in samples.
type Options struct {
	Window    int     // samples of one probability
	Threshold float64 // speech begins at a probability of at least this
	Silence   float64 // and may end at one under this
	// A pause of MinSilence ends a segment; one of over MinCut may be where a segment of more
	// than MaxSpeech is cut. Segments of MinSpeech or less are dropped.
	MinSilence, MinSpeech, MinCut int
	MaxSpeech                     int // 0 for any length
	Pad                           int // added on both sides
}

// Defaults returns silero-vad's own limits for a rate.
func Defaults(rate, window int) Options {
	ms := func(n int) int { return n * rate / 1000 }
	return Options{
		Window: window, Threshold: 0.5, Silence: 0.35,
		MinSilence: ms(100), MinSpeech: ms(250), MinCut: ms(98), Pad: ms(30),
	}
}

// Segments returns the segments of speech in a clip of this many samples.
func Segments(probabilities []float32, samples int, o Options) []chunk.Range {
	f := finder{o: o}
	for i, p := range probabilities {
		f.add(float64(p), i*o.Window)
	}
	if f.speaking && samples-f.start > o.MinSpeech {
		f.found = append(f.found, chunk.Range{Start: f.start, End: samples})
	}
	pad(f.found, samples, o.Pad)
	return f.found
}

type finder struct {
	o        Options
	found    []chunk.Range
	speaking bool
	start    int // of the segment
	quiet    int // where a pause began; 0 for none
	pause    chunk.Range
	paused   bool // pause is the longest in the segment where it may be cut
}

func (f *finder) add(p float64, at int) {
	if p >= f.o.Threshold && f.quiet != 0 {
		if length := at - f.quiet; length > f.o.MinCut && (!f.paused || length > f.pause.End-f.pause.Start) {
			f.pause, f.paused = chunk.Range{Start: f.quiet, End: at}, true
		}
		f.quiet = 0
	}
	if p >= f.o.Threshold && !f.speaking {
		f.speaking, f.start = true, at
		return
	}
	if most := f.o.MaxSpeech - f.o.Window - 2*f.o.Pad; f.speaking && f.o.MaxSpeech > 0 && at-f.start > most {
		if !f.paused {
			f.end(at)
			return
		}
		next := f.pause.End
		f.end(f.pause.Start)
		f.speaking, f.start = true, next
	}
	if p >= f.o.Silence || !f.speaking {
		return
	}
	if f.quiet == 0 {
		f.quiet = at
	}
	if at-f.quiet < f.o.MinSilence {
		return
	}
	if f.quiet-f.start > f.o.MinSpeech {
		f.end(f.quiet)
	} else {
		f.reset()
	}
}

// end adds the segment up to a sample.
func (f *finder) end(at int) {
	f.found = append(f.found, chunk.Range{Start: f.start, End: at})
	f.reset()
}

func (f *finder) reset() { f.speaking, f.quiet, f.paused = false, 0, false }

// pad enlarges segments on both sides; neighbours share what is between them.
func pad(s []chunk.Range, samples, by int) {
	for i := range s {
		if i == 0 {
			s[0].Start = max(0, s[0].Start-by)
		}
		if i == len(s)-1 {
			s[i].End = min(samples, s[i].End+by)
			continue
		}
		between := s[i+1].Start - s[i].End
		add := by
		if between < 2*by {
			add = floorHalf(between)
		}
		s[i].End = min(samples, s[i].End+add)
		s[i+1].Start = max(0, s[i+1].Start-add)
	}
}

// floorHalf rounds down, also where segments overlap.
func floorHalf(n int) int { return n >> 1 }

// Windows joins segments to windows of at most most samples for a recogniser, which knows
// more of what it hears in long ones. A longer segment is cut where chunk cuts.
func Windows(segments []chunk.Range, most int, cut func(chunk.Range) ([]chunk.Range, error)) ([]chunk.Range, error) {
	var out []chunk.Range
	for _, s := range segments {
		if n := len(out); n > 0 && s.End-out[n-1].Start <= most {
			out[n-1].End = s.End
			continue
		}
		if s.End-s.Start <= most {
			out = append(out, s)
			continue
		}
		parts, err := cut(s)
		if err != nil {
			return nil, err
		}
		out = append(out, parts...)
	}
	return out, nil
}
