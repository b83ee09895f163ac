package tokenizer_test

import (
	"fmt"
	"log"

	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Parse reads a tokenizer.json of Hugging Face's format, here one of whole words with a
// special token that ends a text.
func ExampleParse() {
	t, err := tokenizer.Parse([]byte(`{
		"added_tokens": [{"id": 3, "content": "</s>", "special": true}],
		"pre_tokenizer": {"type": "BertPreTokenizer"},
		"decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": {
			"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
			"vocab": {"[UNK]": 0, "count": 1, "##ing": 2}
		}
	}`))
	if err != nil {
		log.Fatal(err)
	}
	ids, err := t.Encode("counting</s>", false)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(ids, t.Special(3))
	fmt.Println(t.Decode(ids))
	// Output:
	// [1 2 3] true
	// counting
}
