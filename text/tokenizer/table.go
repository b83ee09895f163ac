package tokenizer

import (
	"hash/maphash"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// table holds the texts of tokens in one block, and finds a token by its text.
// 262144 tokens take 5 MB, a third of what a map of strings takes.
type table struct {
	text  string
	ends  []uint32 // where token i ends; it begins where the one before ends
	slots []int32  // open addressing: id+1, 0 for none
	seed  maphash.Seed

	longest int            // bytes of the longest token
	beside  map[int32]bool // tokens beside the model's own: added ones, which no word has
	builder strings.Builder
}

// newTable makes room for n tokens, or maxRoom.
func newTable(n int) *table {
	n = min(n, maxRoom)
	size := 16
	for size < 2*n {
		size *= 2
	}
	// The seed differs from run to run, so that no file can make all tokens fall
	// on one slot; what is found does not depend on it.
	return &table{ends: make([]uint32, 0, n), slots: make([]int32, size), seed: maphash.MakeSeed()}
}

// add assigns the next id to a token; a duplicate text is an error that names both
// ids, to which the caller adds the place.
func (t *table) add(token string) *errs.Error {
	if len(t.text)+len(token) > MaxBytes {
		return errs.New(CodeTooLarge, "the tokens take more than %d bytes", MaxBytes)
	}
	if len(t.ends) >= len(t.slots)/2 {
		t.grow()
	}
	i, old := t.slot(token)
	if old >= 0 {
		return errs.New(CodeDuplicate, "token %q has the ids %d and %d", token, old, len(t.ends))
	}
	t.builder.WriteString(token)
	t.text = t.builder.String()
	t.ends = append(t.ends, uint32(len(t.text)))
	t.slots[i] = int32(len(t.ends))
	t.longest = max(t.longest, len(token))
	return nil
}

func (t *table) grow() {
	t.slots = make([]int32, 2*len(t.slots))
	for id := range t.ends {
		i, _ := t.slot(t.name(int32(id)))
		t.slots[i] = int32(id + 1)
	}
}

// slot returns the id of a token, or -1 and the slot where it would go.
func (t *table) slot(token string) (at int, id int32) {
	mask := uint64(len(t.slots) - 1)
	for i := maphash.String(t.seed, token) & mask; ; i = (i + 1) & mask {
		id := t.slots[i] - 1
		if id < 0 || t.name(id) == token {
			return int(i), id
		}
	}
}

// find returns the id of a token, or -1.
func (t *table) find(token string) int32 {
	if len(token) > t.longest {
		return -1
	}
	_, id := t.slot(token)
	return id
}

// piece returns the id of a token of which the model makes words, or -1.
func (t *table) piece(token string) int32 {
	if id := t.find(token); !t.beside[id] {
		return id
	}
	return -1
}

// name returns the text of a token whose id is valid.
func (t *table) name(id int32) string {
	start := uint32(0)
	if id > 0 {
		start = t.ends[id-1]
	}
	return t.text[start:t.ends[id]]
}

func (t *table) has(id int32) bool { return id >= 0 && int(id) < len(t.ends) }

// Size returns the number of ids.
func (t *table) Size() int { return len(t.ends) }

// ID returns the id of the token that the file spells so.
func (t *table) ID(token string) (int32, bool) {
	id := t.find(token)
	return id, id >= 0
}

// Token returns the spelling of id in the file.
func (t *table) Token(id int32) (string, bool) {
	if !t.has(id) {
		return "", false
	}
	return t.name(id), true
}
