// Package tokenizers holds the data for comparing the tokenizers of real models with
// other implementations: the models, the lines, and the recorded results of the others
// in text/tokenizer/e2e.
//
// # Errors
//
// Those of the tokenizer.
//
// # Determinism
//
// Lines depend on the vocabulary and the seed alone.
package tokenizers

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/test/tokenlines"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// Sizes of the oracle.
const (
	LineCount = 10000
	Seed      = 1
	Group     = 100 // lines with one digest
	Whole     = 50  // lines whose ids are recorded
)

// Subject is a model, the variable that names its file, and the peer it is compared
// with: llama or hf.
type Subject struct{ Name, Variable, Peer string }

// Subjects are the models of the oracle.
var Subjects = []Subject{{"gemma3", "GEMMA", "llama"}, {"smollm2", "SMOLLM2", "llama"}, {"minilm", "MINILM", "hf"}}

// Recorded is a peer's output for a subject's lines.
type Recorded struct {
	Name    string    `json:"name"`
	Peer    string    `json:"peer"` // with its version
	Stop    []int32   `json:"stop,omitempty"`
	Whole   [][]int32 `json:"whole"`
	Digests []string  `json:"digests"` // of the ids of each Group lines
}

// Open opens a GGUF file, a tokenizer.json or a vocab.txt.
func Open(path string) (tokenizer.Tokenizer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil || !gguf.Sniff(head) {
		return tokenizer.Load(path)
	}
	g, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return tokenizer.FromGGUF(g)
}

// LinesOf makes the lines of a tokenizer.
func LinesOf(t tokenizer.Tokenizer) []string {
	return tokenlines.Lines(tokenlines.Of(t), Seed, LineCount)
}

// Digests returns the first half of the SHA-256 of each Group lines of ids.
func Digests(ids [][]int32) []string {
	var out []string
	for len(ids) > 0 {
		n := min(Group, len(ids))
		h := sha256.New()
		for _, line := range ids[:n] {
			fmt.Fprintln(h, strings.Trim(fmt.Sprint(line), "[]"))
		}
		out = append(out, hex.EncodeToString(h.Sum(nil)[:16]))
		ids = ids[n:]
	}
	return out
}
