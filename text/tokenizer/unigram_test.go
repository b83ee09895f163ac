package tokenizer

import (
	"encoding/binary"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// unigramPairs is a small unigram model: see testdata/gen_unigram.py.
func unigramPairs(t testing.TB) pairs {
	var f struct {
		Tokens  []string
		Scores  []float32
		Types   []int32
		Charmap string
	}
	read(t, "unigram.json", &f)
	charmap, err := hex.DecodeString(f.Charmap)
	require.NoError(t, err)
	return pairs{
		"model": "t5", "tokens": f.Tokens, "scores": f.Scores, "token_type": f.Types, "precompiled_charsmap": charmap,
		"bos_token_id": uint32(3), "eos_token_id": uint32(1), "unknown_token_id": uint32(2),
	}
}

// The ids are llama.cpp's.
func TestUnigram(t *testing.T) {
	var all, want expected
	read(t, "encode_expect.json", &all)
	read(t, "unigram_expect.json", &want)
	require.Len(t, want.Cases, 12)
	lines := append(all.Lines, want.Lines...)
	for _, c := range want.Cases {
		t.Run(c.Name, func(t *testing.T) {
			p := unigramPairs(t)
			p["add_space_prefix"] = strings.Contains(c.Name, "prefix")
			p["remove_extra_whitespaces"] = strings.Contains(c.Name, "merge")
			tok, err := fromGGUF(t, p)
			require.NoError(t, err)
			var got [][]int32
			for _, line := range lines {
				ids, err := tok.EncodeWith(line, Options{Around: strings.HasSuffix(c.Name, "-add"), Literal: strings.HasSuffix(c.Name, "-literal")})
				require.NoError(t, err)
				got = append(got, ids)
			}
			for i, ids := range c.Whole {
				if diff := cmp.Diff(ids, got[i]); diff != "" {
					t.Fatalf("line %d, %q: %s", i, lines[i], diff)
				}
			}
			require.Equal(t, c.SHA256, digest(got), "the first %d lines agree, a later one does not", len(c.Whole))
			s := tok.Specials()
			require.Equal(t, [2]int32{c.BOS, c.EOS}, [2]int32{s.BOS, s.EOS})
		})
	}
}

// A map of characters that points out of itself is refused, when it is read or when a text
// comes to it.
func TestBrokenCharmap(t *testing.T) {
	units := func(trie ...uint32) []byte {
		b := binary.LittleEndian.AppendUint32(nil, uint32(4*len(trie)))
		for _, u := range trie {
			b = binary.LittleEndian.AppendUint32(b, u)
		}
		return append(b, "x\x00"...)
	}
	const child = 1 << 10 // the offset of the next unit
	leaf := units(child, child<<1|'`', unitLeaf|'a'|child)
	for name, tt := range map[string]struct {
		data []byte
		text string
		want string
	}{
		"three bytes":          {[]byte{1, 0, 0}, "", "a map of 3 bytes"},
		"a length that lies":   {[]byte{255, 255, 255, 127, 0, 0, 0, 0}, "", "a trie of 2147483647 bytes"},
		"no replacements":      {[]byte{4, 0, 0, 0, 0, 0, 0, 0}, "", "a trie of 4 bytes"},
		"no trie":              {[]byte{0, 0, 0, 0, 1}, "", "a trie of 0 bytes"},
		"a unit beyond":        {units(1 << 20), "a", "points to unit"},
		"a unit behind others": {leaf, "z", "points to unit"},
	} {
		t.Run(name, func(t *testing.T) {
			p := unigramPairs(t)
			p["precompiled_charsmap"] = tt.data
			tok, err := fromGGUF(t, p)
			if err == nil {
				_, err = tok.Encode(tt.text, false)
			}
			require.Equal(t, CodeBadValue, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, keyCharmap)
			require.ErrorContains(t, err, tt.want)
		})
	}
}
