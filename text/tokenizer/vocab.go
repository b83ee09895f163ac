package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// vocab gathers tokens until all are known.
type vocab struct {
	byID    map[int32]string
	byName  map[string]int32
	special map[int32]bool // control tokens
	added   map[int32]bool // found in a text before all else
	beside  map[int32]bool // added ones that the model does not have
}

// newVocab makes room for the tokens of a file of size bytes; real ones take 8 bytes each and more.
func newVocab(size int) *vocab {
	n := min(size/8, 1<<16)
	return &vocab{byID: make(map[int32]string, n), byName: make(map[string]int32, n), special: map[int32]bool{}, added: map[int32]bool{}, beside: map[int32]bool{}}
}

// add notes one token. The same pair may come again, as added tokens do.
func (v *vocab) add(id int32, name string) *errs.Error {
	if old, ok := v.byID[id]; ok && old != name {
		return errs.New(CodeDuplicate, "id %d is %q and %q", id, old, name)
	}
	if old, ok := v.byName[name]; ok && old != id {
		return errs.New(CodeDuplicate, "token %q has the ids %d and %d", name, old, id)
	}
	if len(v.byID) >= maxTokens {
		return errs.New(CodeTooLarge, "more than %d tokens", maxTokens)
	}
	v.byID[id], v.byName[name] = name, id
	return nil
}

// parseMap reads the object token -> id. A Go map would hide a duplicate key.
func (v *vocab) parseMap(raw []byte) error {
	const where = "model.vocab"
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errs.New(CodeSyntax, "the vocabulary is not an object").On(where)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return errs.Wrap(CodeSyntax, err, "broken JSON").On(where)
		}
		name := key.(string) // an object's keys are strings, or Token has failed
		val, err := d.Token()
		if err != nil {
			return errs.Wrap(CodeSyntax, err, "broken JSON").On(where)
		}
		num, ok := val.(json.Number)
		id, err := num.Int64()
		if !ok || err != nil || id < 0 || id > math.MaxInt32 {
			return errs.New(CodeSyntax, "token %q has the id %v, which is not an int32 from 0 up", name, val).On(where)
		}
		if _, twice := v.byName[name]; twice {
			return errs.New(CodeDuplicate, "duplicate token %q", name).On(where)
		}
		if err := v.add(int32(id), name); err != nil {
			return err.On(where)
		}
	}
	return nil
}

// parseLines reads one token per line; the line's number from 0 is the id. Tokens
// of the form <|...|> are special.
func (v *vocab) parseLines(data []byte) error {
	if len(data) == 0 {
		return errs.New(CodeSyntax, "the file is empty").At(0).Hint("fetch it again")
	}
	at, i := int64(0), -1
	for line := range strings.SplitSeq(strings.TrimSuffix(string(data), "\n"), "\n") {
		i++
		name := strings.TrimSuffix(line, "\r")
		if !utf8.ValidString(name) || strings.ContainsRune(name, 0) {
			return errs.New(CodeSyntax, "line %d is not valid UTF-8", i+1).At(at).Hint("the file is damaged or not a vocabulary.txt")
		}
		if err := v.add(int32(i), name); err != nil {
			return err.On(fmt.Sprintf("line %d", i+1))
		}
		if strings.HasPrefix(name, "<|") && strings.HasSuffix(name, "|>") && len(name) > 4 {
			v.special[int32(i)] = true
		}
		at += int64(len(line)) + 1
	}
	return nil
}

// build checks that the ids are 0 to n-1 and makes a vocabulary that has no encoder
// and no speller yet.
func (v *vocab) build() (*vocabulary, error) {
	v.addTimestamps()
	n := len(v.byID)
	if n == 0 {
		return nil, errs.New(CodeGap, "the vocabulary is empty").On("model.vocab")
	}
	out := &vocabulary{table: newTable(n), kinds: make([]kind, n), specials: noSpecials(), leftmost: true}
	out.table.beside = v.beside
	var special []int32
	for i := range int32(n) {
		name, ok := v.byID[i]
		if !ok {
			return nil, errs.New(CodeGap, "no token has the id %d, but there are %d tokens", i, n).On("model.vocab").
				Hint("the file is incomplete; fetch it again")
		}
		if err := out.table.add(name); err != nil {
			return nil, err.On("model.vocab")
		}
		switch {
		case v.special[i]:
			out.kinds[i] = control
		case v.added[i]:
			out.kinds[i] = user
		default:
			out.kinds[i] = normal
			continue
		}
		special = append(special, i)
	}
	out.finder = newFinder(out.table, special)
	return out, nil
}
