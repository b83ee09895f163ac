package tokenizer

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// Whisper's timestamps: 1501 tokens, 0.02 s apart, up to 30 s.
const (
	timestampCount = 1501
	noTimestamps   = "<|notimestamps|>"

	// multilingualSize is the vocabulary of tiny to large-v2; large-v3 has one more.
	multilingualSize = 51865
)

func timestampName(i int) string { return fmt.Sprintf("<|%d.%02d|>", i/50, i%50*2) }

// addTimestamps adds the timestamp tokens that Hugging Face's file leaves out: the
// model has them after <|notimestamps|>, which is the file's last token then.
// Where the file has them, it marks them as special.
func (v *vocab) addTimestamps() {
	last, ok := v.byName[noTimestamps]
	if !ok {
		return
	}
	absent := int(last) == len(v.byID)-1
	for i := range timestampCount {
		name := timestampName(i)
		id, there := v.byName[name]
		absent = absent && !there
		if there {
			v.special[id] = true
		}
	}
	for i := 0; absent && i < timestampCount; i++ {
		id := last + 1 + int32(i)
		v.byID[id], v.byName[timestampName(i)], v.special[id] = timestampName(i), id, true
	}
}

// Whisper is the special tokens of a Whisper vocabulary.
type Whisper struct {
	EndOfText         int32 // <|endoftext|>, which ends a transcript
	StartOfTranscript int32 // <|startoftranscript|>, which begins each prompt
	Transcribe        int32 // <|transcribe|>
	Translate         int32 // <|translate|>
	StartOfPrev       int32 // <|startofprev|>, before earlier text
	NoSpeech          int32 // <|nospeech|>, or <|nocaptions|> as older files call it
	NoTimestamps      int32 // <|notimestamps|>, for text without times
	FirstTimestamp    int32 // <|0.00|>; 1501 of them, 0.02 s apart
	Multilingual      bool  // several languages, so that the prompt names one

	t Tokenizer
}

// NewWhisper finds Whisper's special tokens in t; it fails with TOKENIZER_WHISPER.
func NewWhisper(t Tokenizer) (*Whisper, error) {
	w := &Whisper{t: t}
	for _, f := range []struct {
		id    *int32
		names []string
	}{
		{&w.EndOfText, []string{"<|endoftext|>"}},
		{&w.StartOfTranscript, []string{"<|startoftranscript|>"}},
		{&w.Transcribe, []string{"<|transcribe|>"}},
		{&w.Translate, []string{"<|translate|>"}},
		{&w.StartOfPrev, []string{"<|startofprev|>"}},
		{&w.NoSpeech, []string{"<|nospeech|>", "<|nocaptions|>"}},
		{&w.NoTimestamps, []string{noTimestamps}},
		{&w.FirstTimestamp, []string{"<|0.00|>"}},
	} {
		found := false
		for _, name := range f.names {
			if id, ok := t.ID(name); ok {
				*f.id, found = id, true
				break
			}
		}
		if !found {
			return nil, errs.New(CodeWhisper, "no token %s", strings.Join(f.names, " or ")).
				Hint("use the tokenizer that came with the Whisper weights")
		}
	}
	for i := range timestampCount {
		if id, ok := t.ID(timestampName(i)); !ok || id != w.FirstTimestamp+int32(i) {
			return nil, errs.New(CodeWhisper, "the timestamp %s is not %d IDs after <|0.00|>", timestampName(i), i).
				Hint("use the tokenizer that came with the Whisper weights")
		}
	}
	// English-only vocabularies have the language tokens too; the size tells them
	// apart, as in OpenAI's own code.
	w.Multilingual = t.Size() >= multilingualSize
	return w, nil
}

// Language returns the token of a language by its code, as "en" or "de".
func (w *Whisper) Language(code string) (int32, bool) {
	id, ok := w.t.ID("<|" + code + "|>")
	return id, ok && id > w.StartOfTranscript && id < min(w.Transcribe, w.Translate)
}

// Prompt returns the ids that begin a transcript. language is a code and is
// ignored by English-only models; timestamps requests times in the text.
func (w *Whisper) Prompt(language string, timestamps bool) ([]int32, error) {
	ids := []int32{w.StartOfTranscript}
	if w.Multilingual {
		id, ok := w.Language(language)
		if !ok {
			return nil, errs.New(CodeWhisper, "no language %q", language).Hint("name it by its code, as en or de")
		}
		ids = append(ids, id, w.Transcribe)
	}
	if !timestamps {
		ids = append(ids, w.NoTimestamps)
	}
	return ids, nil
}
