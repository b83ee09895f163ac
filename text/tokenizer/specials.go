package tokenizer

import "slices"

// Specials holds the special tokens; -1 for one that the vocabulary does not have.
type Specials struct {
	BOS     int32 // begins a text
	EOS     int32 // ends a text
	EOT     int32 // ends a turn of a chat, as <end_of_turn>
	Unknown int32 // for what cannot be spelled
	SEP     int32 // ends a text of BERT
	PAD     int32 // fills
	Mask    int32 // stands for a hidden word
	// Stop is all tokens that end a generation, ascending.
	Stop []int32
	// AddBOS and AddEOS report whether Encode puts them around a text when asked for
	// the special ones; a chat template may have its own.
	AddBOS, AddEOS bool
}

func noSpecials() Specials {
	return Specials{BOS: -1, EOS: -1, EOT: -1, Unknown: -1, SEP: -1, PAD: -1, Mask: -1}
}

// Names of special tokens that no key of the metadata tells, as llama.cpp
// knows them.
var (
	turnEnds = []string{
		"<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>",
		"<EOT>", "_<EOT>", "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>",
	}
	textEnds = []string{
		"<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>",
		"<end_of_turn>", "<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]",
		"<|end_of_text|>", "<end_of_utterance>", "<eos>", "<turn|>", "<|tool_response>",
		"<｜end▁of▁sentence｜>", "[e~[",
	}
	// Of these one each, for filling in the middle of a text, ends it too.
	fillEnds = [][]string{
		{"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"},
		{"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"},
		{"<|file_sep|>"},
	}
	fillMarks = [][]string{
		{"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>", "<|prefix|>"},
		{"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>", "<|suffix|>"},
		{"<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>", "<|code_middle|>", "<|middle|>"},
	}
	// Tokens of gpt-oss that a text shows.
	shown = []string{"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"}
)

// findStops fills in EOT and Stop by the names of tokens, and makes those control
// tokens, whatever the file says they are.
func (v *vocabulary) findStops() {
	s := &v.specials
	first := func(names []string) int32 {
		for _, n := range names {
			if id := v.find(n); id >= 0 {
				v.kinds[id] = control
				return id
			}
		}
		return -1
	}
	if s.EOT < 0 {
		s.EOT = first(turnEnds)
	}
	stop := map[int32]bool{s.EOS: true, s.EOT: true}
	for _, n := range textEnds {
		stop[first([]string{n})] = true
	}
	for _, names := range fillEnds {
		stop[first(names)] = true
	}
	for _, names := range fillMarks {
		first(names)
	}
	for _, n := range shown {
		if id := v.find(n); id >= 0 {
			v.kinds[id] = user
		}
	}
	// Where a model ends with <|return|> or <|flush|>, its <|end|> only ends a part.
	has := func(n string) bool { return v.find(n) >= 0 }
	if (has("<|call|>") || has("<|calls|>")) && (has("<|return|>") || has("<|flush|>")) && has("<|end|>") {
		id := v.find("<|end|>")
		delete(stop, id)
		v.kinds[id] = user
	}
	if has("<|tool_response>") && has("</s>") {
		id := v.find("</s>")
		delete(stop, id)
		v.kinds[id] = normal
	}
	delete(stop, -1)
	s.Stop = s.Stop[:0]
	for id := range stop {
		s.Stop = append(s.Stop, id)
	}
	slices.Sort(s.Stop)
}
