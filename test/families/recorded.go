package families

import (
	_ "embed"
	"encoding/json"
)

//go:embed testdata/logits.json
var logits []byte

//go:embed testdata/window.json
var window []byte

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

// Window is what NumPy computed for the file llama if a token sees Window of them, itself
// included: the logits after each token of Record's Prompt and Rest.
type Window struct {
	Origin string
	Window int64
	Logits [][]float32
}

// Windowed returns what window.py wrote.
func Windowed() (*Window, error) {
	var w Window
	err := json.Unmarshal(window, &w)
	return &w, err
}
