package bert

import (
	"github.com/skainet-dev/skainet-go/errs"
)

// maxSettings is the maximum size of a sentence_bert_config.json.
const maxSettings = 1 << 20

// LoadPositions returns the number of tokens of a text that a model was trained on, from
// its sentence_bert_config.json: weights often have positions for more, which change the
// vector. 0 is a file that has no limit.
func LoadPositions(path string) (int, error) {
	var s struct {
		Positions *int `json:"max_seq_length"`
	}
	if err := readSettings(path, &s, "a sentence_bert_config.json"); err != nil {
		return 0, err
	}
	switch {
	case s.Positions == nil:
		return 0, nil
	case *s.Positions < 3:
		return 0, errs.New(CodeSettings, "texts of %d tokens; [CLS] and [SEP] take two", *s.Positions).In(path).On("max_seq_length").
			Hint("use the sentence_bert_config.json that came with the weights")
	}
	return *s.Positions, nil
}
