package whisper

import (
	"context"
	"math"
	"strings"

	"github.com/skainet-dev/skainet-go/audio/chunk"
	"github.com/skainet-dev/skainet-go/audio/mel"
	"github.com/skainet-dev/skainet-go/audio/resample"
	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Codes of recognition.
const (
	CodeProgram  errs.Code = "WHISPER_PROGRAM"  // the program is not Whisper, or does not match this tokenizer
	CodeLanguage errs.Code = "WHISPER_LANGUAGE" // a language or task that the model does not have
)

// Recognizer turns speech into text with a loaded program. One goroutine uses
// it at a time.
type Recognizer struct {
	program  backend.Executable
	tokens   tokenizer.Tokenizer
	special  *tokenizer.Whisper
	mel      *mel.Extractor
	melType  tensor.Type
	suppress tensor.Value // [Vocabulary]
	first    tensor.Value // [Vocabulary]
}

// NewRecognizer binds a program to its tokenizer and decoding settings.
// The caller closes the program.
func NewRecognizer(program backend.Executable, tokens tokenizer.Tokenizer, s Settings) (*Recognizer, error) {
	special, err := tokenizer.NewWhisper(tokens)
	if err != nil {
		return nil, err
	}
	c, err := programSizes(program.Contract())
	if err != nil {
		return nil, err
	}
	r := &Recognizer{program: program, tokens: tokens, special: special, melType: c.melType()}
	if r.mel, err = mel.New(mel.Config{Mels: int(c.MelBins)}); err != nil {
		return nil, err
	}
	vocabulary := c.VocabSize
	if n := int64(tokens.Size()); n != vocabulary {
		return nil, errs.New(CodeProgram, "the tokenizer has %d tokens, but the program has %d", n, vocabulary).
			Hint("use the tokenizer that came with the weights")
	}
	if r.suppress, r.first, err = s.biases(vocabulary, special); err != nil {
		return nil, err
	}
	return r, nil
}

// Options of one recognition.
type Options struct {
	Language  string // a code such as "de"; "" lets a multilingual model detect it
	Translate bool   // into English; multilingual models only
	// Windows, if not nil, cuts the samples, which are of this rate, into windows of at most
	// 30 s; what is in none of them is not recognised. By default they are those of
	// chunk.Windows.
	Windows func(samples []float32, rate int) ([]chunk.Range, error)
	// Progress is called with the seconds of audio processed so far.
	Progress func(seconds float64)
}

// Transcript is the recognised text of a clip.
type Transcript struct {
	Language string    `json:"language"`
	Duration float64   `json:"duration"` // seconds
	Text     string    `json:"text"`
	Segments []Segment `json:"segments"`
}

// Segment is one window of at most 30 s.
type Segment struct {
	Start   float64 `json:"start"` // seconds
	End     float64 `json:"end"`
	Text    string  `json:"text"`
	Tokens  []int32 `json:"tokens"`
	LogProb float64 `json:"avg_logprob"` // mean natural log probability of a token, including the stop token
	// NoSpeech is the probability that nobody speaks. If it is large, there are no text
	// and no tokens: those that the model made up are dropped.
	NoSpeech float64 `json:"no_speech_prob"`
}

// Transcribe recognises a clip of any length, rate and loudness.
func (r *Recognizer) Transcribe(ctx context.Context, clip *wav.Clip, o Options) (*Transcript, error) {
	if o.Language != "" || o.Translate {
		// Options that the model does not support are an error for
		// any clip, even a silent one.
		language := o.Language
		if language == "" {
			language = "en"
		}
		if _, _, err := r.prompt(language, o.Translate); err != nil {
			return nil, err
		}
	}
	samples, err := resample.To(clip.Samples, clip.Rate, mel.SampleRate)
	if err != nil {
		return nil, err
	}
	cut := o.Windows
	if cut == nil {
		cut = chunk.Windows
	}
	windows, err := cut(samples, mel.SampleRate)
	if err != nil {
		return nil, err
	}
	t := &Transcript{Language: o.Language, Duration: clip.Seconds(), Segments: []Segment{}}
	var text strings.Builder
	for _, w := range windows {
		window := samples[w.Start:w.End]
		if peak(window) >= silence {
			language := t.Language
			s, err := r.window(ctx, window, o, &language)
			if err != nil {
				return nil, err
			}
			s.Start, s.End = seconds(w.Start), seconds(w.End)
			if s.silent() {
				s.Text, s.Tokens = "", []int32{}
			} else {
				t.Language = language
			}
			text.WriteString(s.Text)
			s.Text = strings.TrimSpace(s.Text)
			t.Segments = append(t.Segments, *s)
		}
		if o.Progress != nil {
			o.Progress(seconds(w.End))
		}
	}
	t.Text = strings.TrimSpace(text.String())
	return t, nil
}

// window recognises at most 30 s. language is set where it is detected.
func (r *Recognizer) window(ctx context.Context, samples []float32, o Options, language *string) (*Segment, error) {
	features, err := r.mel.LogMel(samples)
	if err != nil {
		return nil, err
	}
	m, err := tensor.Of(features, r.melType.Shape.Sizes()...)
	if err != nil {
		return nil, err
	}
	if *language == "" {
		if *language, err = r.detect(ctx, m); err != nil {
			return nil, err
		}
	}
	prompt, length, err := r.prompt(*language, o.Translate)
	if err != nil {
		return nil, err
	}
	out, err := r.program.Call(ctx, "transcribe", m, prompt, length, scalar(r.special.EndOfText), r.suppress, r.first, scalar(MaxTokens), scalar(r.special.NoSpeech))
	if err != nil {
		return nil, err
	}
	return r.segment(out)
}

func (r *Recognizer) segment(out []tensor.Value) (*Segment, error) {
	ids, err := tensor.Slice[int32](out[0])
	if err != nil {
		return nil, err
	}
	count, err := tensor.Slice[int32](out[1])
	if err != nil {
		return nil, err
	}
	logProb, err := tensor.Slice[float32](out[2])
	if err != nil {
		return nil, err
	}
	noSpeech, err := tensor.Slice[float32](out[3])
	if err != nil {
		return nil, err
	}
	n := int(count[0])
	if n < 0 || n > len(ids) {
		return nil, errs.New(CodeProgram, "the program returned a count of %d tokens", n)
	}
	s := &Segment{Tokens: ids[:n], LogProb: float64(logProb[0]) / float64(min(n+1, MaxTokens)), NoSpeech: float64(noSpeech[0])}
	if s.Text, err = r.tokens.Text(s.Tokens, false); err != nil {
		return nil, err
	}
	return s, nil
}

func (r *Recognizer) prompt(language string, translate bool) (tokens, length tensor.Value, err error) {
	if !r.special.Multilingual && (language != "en" || translate) {
		return tokens, length, errs.New(CodeLanguage, "this model supports English only").
			Hint("omit the language and the translation, or use a multilingual model such as base")
	}
	ids, err := r.special.Prompt(language, false)
	if err != nil {
		return tokens, length, err
	}
	for i, id := range ids {
		if translate && id == r.special.Transcribe {
			ids[i] = r.special.Translate
		}
	}
	n := int32(len(ids))
	tokens, err = tensor.Of(append(ids, make([]int32, MaxPrompt-len(ids))...), MaxPrompt)
	return tokens, scalar(n), err
}

// detect returns the language: the most likely language token after the
// start of a transcript.
func (r *Recognizer) detect(ctx context.Context, m tensor.Value) (string, error) {
	if !r.special.Multilingual {
		return "en", nil
	}
	encoded, err := r.program.Call(ctx, "encode", m)
	if err != nil {
		return "", err
	}
	prompt, err := tensor.Of(append([]int32{r.special.StartOfTranscript}, make([]int32, MaxPrompt-1)...), MaxPrompt)
	if err != nil {
		return "", err
	}
	out, err := r.program.Call(ctx, "prefill", encoded[0], prompt, scalar(1))
	if err != nil {
		return "", err
	}
	logits, err := tensor.Slice[float32](out[0])
	if err != nil {
		return "", err
	}
	best, code := math.Inf(-1), ""
	for id := r.special.StartOfTranscript + 1; id < min(r.special.Transcribe, r.special.Translate); id++ {
		name, ok := r.tokens.Token(id)
		if v := float64(logits[id]); ok && v > best {
			best, code = v, strings.Trim(name, "<|>")
		}
	}
	if code == "" {
		return "", errs.New(CodeLanguage, "the tokenizer has no language tokens").Hint("set the language")
	}
	return code, nil
}

func scalar(v int32) tensor.Value {
	s, _ := tensor.Of([]int32{v}) // one element always fits a scalar
	return s
}

func seconds(sample int) float64 { return float64(sample) / mel.SampleRate }

func peak(samples []float32) float64 {
	p := 0.0
	for _, v := range samples {
		p = math.Max(p, math.Abs(float64(v)))
	}
	return p
}
