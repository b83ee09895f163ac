package families

import (
	_ "embed"
	"encoding/json"
)

//go:embed testdata/logits.json
var logits []byte

// Record is what llama.cpp computed: logits after each token of Prompt and Rest, and the
// vectors of Prompt and of both, of length 1.
type Record struct {
	Origin       string
	Prompt, Rest []int32
	Cases        map[string]struct {
		SHA256  string // of the file
		Logits  [][]float32
		Vectors [][]float32
	}
}

// Recorded returns what record.py wrote.
func Recorded() (*Record, error) {
	var r Record
	err := json.Unmarshal(logits, &r)
	return &r, err
}
