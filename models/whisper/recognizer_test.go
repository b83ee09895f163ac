package whisper

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// vocabulary returns a tokenizer for a vocabulary.txt like Whisper's. A multilingual one is
// recognised by its size, reached with filler tokens.
func vocabulary(t *testing.T, multilingual bool) tokenizer.Tokenizer {
	t.Helper()
	lines := []string{"Ġone", "Ġtwo", "Ġthree", "four"}
	if multilingual {
		for len(lines) < 51865-1501-9 {
			lines = append(lines, fmt.Sprintf("x%d", len(lines)))
		}
	}
	lines = append(lines, "<|endoftext|>", "<|startoftranscript|>", "<|en|>", "<|de|>", "<|translate|>",
		"<|transcribe|>", "<|startofprev|>", "<|nospeech|>", "<|notimestamps|>")
	tok, err := tokenizer.Parse([]byte(strings.Join(lines, "\n") + "\n"))
	require.NoError(t, err)
	return tok
}

type call struct {
	entry string
	args  []tensor.Value
}

// fake answers like a Whisper: encode returns zeros, prefill logits with one peak,
// transcribe the next of its answers.
type fake struct {
	doc     *contract.Contract
	calls   []call
	answers [][]int32
	counts  []int32 // instead of the answers' lengths, if not empty
	peak    int32
	silence []float32 // probabilities that nobody speaks, if not empty
	logProb float32   // of a text; 0 for -1.5
	fail    map[string]error
}

func (f *fake) Contract() *contract.Contract { return f.doc }
func (f *fake) Close() error                 { return nil }

func (f *fake) Call(_ context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	e, err := f.doc.Entry(entry)
	if err != nil {
		return nil, err
	}
	if err := backend.Check(e, args); err != nil {
		return nil, err
	}
	n := f.count("transcribe")
	f.calls = append(f.calls, call{entry, args})
	if err := f.fail[entry]; err != nil {
		return nil, err
	}
	out := make([]tensor.Value, len(e.Results))
	for i, r := range e.Results {
		if out[i], err = tensor.Zero(r.Type()); err != nil {
			return nil, err
		}
	}
	switch entry {
	case "prefill":
		logits, _ := tensor.Slice[float32](out[0])
		for i := range logits {
			logits[i] = -1 // any language is less likely than the peak
		}
		logits[f.peak] = 1
		out[0], err = tensor.Of(logits, e.Results[0].Shape.Sizes()...)
	case "transcribe":
		ids := make([]int32, MaxTokens)
		count := int32(copy(ids, f.answers[n]))
		if f.counts != nil {
			count = f.counts[n]
		}
		out[0], _ = tensor.Of(ids, MaxTokens)
		out[1] = scalar(count)
		p := float32(-1.5)
		if f.logProb != 0 {
			p = f.logProb
		}
		out[2], err = tensor.Of([]float32{p})
		if f.silence != nil {
			out[3], err = tensor.Of([]float32{f.silence[n]})
		}
	}
	return out, err
}

func (f *fake) count(entry string) int {
	n := 0
	for _, c := range f.calls {
		if c.entry == entry {
			n++
		}
	}
	return n
}

func (f *fake) of(t *testing.T, entry string, i int) []tensor.Value {
	t.Helper()
	for _, c := range f.calls {
		if c.entry != entry {
			continue
		}
		if i--; i < 0 {
			return c.args
		}
	}
	require.Fail(t, "no such call", "%s was not called often enough", entry)
	return nil
}

func program(t *testing.T, tok tokenizer.Tokenizer) *fake {
	t.Helper()
	c := small
	c.AudioContext, c.VocabSize = 1500, int64(tok.Size())
	_, doc := capture(t, c)
	return &fake{doc: doc}
}

func recognizer(t *testing.T, multilingual bool, answers ...[]int32) (*Recognizer, *fake) {
	t.Helper()
	tok := vocabulary(t, multilingual)
	f := program(t, tok)
	f.answers = answers
	r, err := NewRecognizer(f, tok, Settings{Suppress: []int32{2}, SuppressFirst: []int32{0, 3}})
	require.NoError(t, err)
	return r, f
}

// noise returns a clip at 16 kHz, quiet in the given intervals.
func noise(seconds float64, quiet ...[2]float64) *wav.Clip {
	x := make([]float32, int(seconds*16000))
	for i := range x {
		x[i] = float32(0.3 * math.Sin(float64(i)*float64(i%7)))
		for _, q := range quiet {
			if at := float64(i) / 16000; at >= q[0] && at < q[1] {
				x[i] = 0
			}
		}
	}
	return &wav.Clip{Samples: x, Rate: 16000, Channels: 1}
}

func TestRecognizeOneWindow(t *testing.T) {
	r, f := recognizer(t, false, []int32{0, 1, 3})
	var progress []float64
	got, err := r.Transcribe(context.Background(), noise(2.5), Options{Progress: func(s float64) { progress = append(progress, s) }})
	require.NoError(t, err)
	require.Equal(t, &Transcript{Language: "en", Duration: 2.5, Text: "one twofour", Segments: []Segment{
		{Start: 0, End: 2.5, Text: "one twofour", Tokens: []int32{0, 1, 3}, LogProb: -1.5 / 4},
	}}, got)
	require.Equal(t, []float64{2.5}, progress)

	// The calls that the program received.
	require.Len(t, f.calls, 1)
	args := f.of(t, "transcribe", 0)
	w := r.special
	require.Equal(t, []int32{w.StartOfTranscript, w.NoTimestamps, 0, 0, 0, 0, 0, 0}, slice[int32](t, args[1]))
	require.Equal(t, []int32{2}, slice[int32](t, args[2]))
	require.Equal(t, []int32{w.EndOfText}, slice[int32](t, args[3]))
	require.Equal(t, []int32{MaxTokens}, slice[int32](t, args[6]))
	require.Equal(t, []int32{w.NoSpeech}, slice[int32](t, args[7]))
	for id, b := range slice[float32](t, args[4]) {
		forbidden := id == 2 || id >= int(w.FirstTimestamp)
		require.Equal(t, forbidden, math.IsInf(float64(b), -1), "token %d", id)
		require.True(t, forbidden || b == 0, "token %d", id)
	}
	for id, b := range slice[float32](t, args[5]) {
		forbidden := id == 0 || id == 3
		require.Equal(t, forbidden, math.IsInf(float64(b), -1), "token %d", id)
		require.True(t, forbidden || b == 0, "token %d", id)
	}
}

func TestRecognizeLongClip(t *testing.T) {
	// The cuts are in the only quiet intervals of the last 6 s of each window.
	clip := noise(75, [2]float64{26, 26.5}, [2]float64{52, 52.5})
	r, f := recognizer(t, false, []int32{0}, []int32{1}, []int32{2})
	var progress []float64
	got, err := r.Transcribe(context.Background(), clip, Options{Progress: func(s float64) { progress = append(progress, s) }})
	require.NoError(t, err)
	require.Equal(t, "one two three", got.Text)
	require.Equal(t, 75.0, got.Duration)
	require.Equal(t, 3, f.count("transcribe"))
	require.Len(t, got.Segments, 3)
	end := 0.0
	for i, s := range got.Segments {
		require.Equal(t, end, s.Start, "segments follow each other")
		require.LessOrEqual(t, s.End-s.Start, 30.0)
		require.Equal(t, []string{"one", "two", "three"}[i], s.Text)
		end = s.End
		require.Equal(t, end, progress[i])
	}
	require.Equal(t, 75.0, end)
	require.InDelta(t, 26.25, got.Segments[0].End, 0.26)
	require.InDelta(t, 52.25, got.Segments[1].End, 0.26)
}

func TestLanguageAndTask(t *testing.T) {
	tok := vocabulary(t, true)
	id := func(token string) int32 {
		n, ok := tok.ID(token)
		require.True(t, ok, token)
		return n
	}
	start, notimes := id("<|startoftranscript|>"), id("<|notimestamps|>")
	for name, tt := range map[string]struct {
		o        Options
		peak     string
		prompt   []int32
		language string
		detect   bool
	}{
		"given":           {Options{Language: "de"}, "<|en|>", []int32{start, id("<|de|>"), id("<|transcribe|>"), notimes}, "de", false},
		"translate":       {Options{Language: "de", Translate: true}, "<|en|>", []int32{start, id("<|de|>"), id("<|translate|>"), notimes}, "de", false},
		"found":           {Options{}, "<|de|>", []int32{start, id("<|de|>"), id("<|transcribe|>"), notimes}, "de", true},
		"found, first":    {Options{}, "<|en|>", []int32{start, id("<|en|>"), id("<|transcribe|>"), notimes}, "en", true},
		"found, task":     {Options{Translate: true}, "<|de|>", []int32{start, id("<|de|>"), id("<|translate|>"), notimes}, "de", true},
		"peak is no code": {Options{}, "<|transcribe|>", []int32{start, id("<|en|>"), id("<|transcribe|>"), notimes}, "en", true},
	} {
		t.Run(name, func(t *testing.T) {
			r, f := recognizer(t, true, []int32{0}, []int32{1})
			f.peak = id(tt.peak)
			got, err := r.Transcribe(context.Background(), noise(40), tt.o)
			require.NoError(t, err)
			require.Equal(t, tt.language, got.Language)
			require.Equal(t, tt.detect, f.count("prefill") == 1, "once, by the first window")
			for i := range 2 {
				args := f.of(t, "transcribe", i)
				require.Equal(t, tt.prompt, slice[int32](t, args[1])[:4])
				require.Equal(t, []int32{4}, slice[int32](t, args[2]))
			}
			if tt.detect {
				args := f.of(t, "prefill", 0)
				require.Equal(t, start, slice[int32](t, args[1])[0])
				require.Equal(t, []int32{1}, slice[int32](t, args[2]))
			}
		})
	}
}

func TestWhatTheModelCannotDo(t *testing.T) {
	for name, tt := range map[string]struct {
		multilingual bool
		o            Options
		code         errs.Code
	}{
		"other language":     {false, Options{Language: "de"}, CodeLanguage},
		"translation":        {false, Options{Translate: true}, CodeLanguage},
		"unknown language":   {true, Options{Language: "tlh"}, tokenizer.CodeWhisper},
		"a task as one":      {true, Options{Language: "transcribe"}, tokenizer.CodeWhisper},
		"not a token at all": {true, Options{Language: "<|de|>"}, tokenizer.CodeWhisper},
	} {
		t.Run(name, func(t *testing.T) {
			r, f := recognizer(t, tt.multilingual, []int32{0})
			_, err := r.Transcribe(context.Background(), noise(1), tt.o)
			require.Equal(t, tt.code, errs.CodeOf(err), "%v", err)
			require.Zero(t, f.count("transcribe"))
		})
	}
}

func TestProgramThatFails(t *testing.T) {
	boom := errors.New("boom")
	for _, entry := range []string{"encode", "prefill", "transcribe"} {
		r, f := recognizer(t, true, []int32{0})
		f.fail = map[string]error{entry: boom}
		_, err := r.Transcribe(context.Background(), noise(1), Options{})
		require.ErrorIs(t, err, boom, entry)
	}
	for _, n := range []int32{-1, MaxTokens + 1, math.MinInt32} {
		r, f := recognizer(t, false, []int32{0})
		f.counts = []int32{n}
		_, err := r.Transcribe(context.Background(), noise(1), Options{})
		require.Equal(t, CodeProgram, errs.CodeOf(err), "%v", err)
	}
	r, _ := recognizer(t, false, []int32{int32(vocabulary(t, false).Size())})
	_, err := r.Transcribe(context.Background(), noise(1), Options{})
	require.Equal(t, tokenizer.CodeID, errs.CodeOf(err), "%v", err)

	r, _ = recognizer(t, false)
	_, err = r.Transcribe(context.Background(), &wav.Clip{Samples: make([]float32, 9), Rate: 0}, Options{})
	require.Error(t, err)
}

// The log probability of a window with the maximum number of tokens has no stop token.
func TestLogProbabilityOfAFullWindow(t *testing.T) {
	r, _ := recognizer(t, false, slices.Repeat([]int32{1}, MaxTokens))
	got, err := r.Transcribe(context.Background(), noise(1), Options{})
	require.NoError(t, err)
	require.InDelta(t, -1.5/MaxTokens, got.Segments[0].LogProb, 1e-12)
	require.Equal(t, strings.TrimSpace(strings.Repeat(" two", MaxTokens)), got.Text)
}

func TestProgramsThatAreNoWhisper(t *testing.T) {
	tok := vocabulary(t, false)
	entry := func(f *fake, name string) *contract.Entry {
		e, err := f.doc.Entry(name)
		require.NoError(t, err)
		return e
	}
	drop := func(name string) func(f *fake) {
		return func(f *fake) {
			f.doc.Entries = slices.DeleteFunc(f.doc.Entries, func(e contract.Entry) bool { return e.Name == name })
		}
	}
	for name, change := range map[string]func(f *fake){
		"no encode":        drop("encode"),
		"no prefill":       drop("prefill"),
		"no transcribe":    drop("transcribe"),
		"no entries":       func(f *fake) { f.doc.Entries = nil },
		"fewer arguments":  func(f *fake) { e := entry(f, "transcribe"); e.Args = e.Args[:7] },
		"fewer results":    func(f *fake) { e := entry(f, "transcribe"); e.Results = e.Results[:3] },
		"count of rank 1":  func(f *fake) { entry(f, "transcribe").Results[1].Shape = tensor.TypeOf(dtype.I32, 0).Shape },
		"flat mel":         func(f *fake) { entry(f, "encode").Args[0].Shape = tensor.TypeOf(dtype.F32, 240000).Shape },
		"other prompt":     func(f *fake) { entry(f, "prefill").Args[1].Shape = tensor.TypeOf(dtype.I32, 4).Shape },
		"other tokens":     func(f *fake) { entry(f, "transcribe").Results[0].DType = dtype.I64 },
		"dynamic mel":      func(f *fake) { entry(f, "encode").Args[0].Shape[1].Size = -1 },
		"other vocabulary": func(f *fake) { entry(f, "prefill").Results[0].Shape = tensor.TypeOf(dtype.F32, 1, 3).Shape },
		"short windows": func(f *fake) {
			_, f.doc = capture(t, small)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := program(t, tok)
			change(f)
			_, err := NewRecognizer(f, tok, Settings{})
			require.Equal(t, CodeProgram, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, "whisper")
		})
	}

	small, err := tokenizer.Parse([]byte("a\nb\n"))
	require.NoError(t, err)
	_, err = NewRecognizer(program(t, tok), small, Settings{})
	require.Equal(t, tokenizer.CodeWhisper, errs.CodeOf(err), "%v", err)
	_, err = NewRecognizer(program(t, tok), vocabulary(t, true), Settings{})
	require.Equal(t, CodeProgram, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "the tokenizer has 51865 tokens, but the program has 1514")
	for _, s := range []Settings{{Suppress: []int32{1514}}, {Suppress: []int32{-1}}, {SuppressFirst: []int32{math.MaxInt32}}} {
		_, err = NewRecognizer(program(t, tok), tok, s)
		require.Equal(t, CodeSettings, errs.CodeOf(err), "%v", err)
	}
}
