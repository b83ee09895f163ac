package tokenlines

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

var source = Source{Words: []string{"the", " quick", "Füchse", "日本"}, Specials: []string{"<eos>", "<|im_end|>"}}

// The digest guards against change: ids of other tokenizers are recorded for these
// lines.
func TestLinesStayTheSame(t *testing.T) {
	list := Lines(source, 1, 1000)
	sum := sha256.Sum256([]byte(strings.Join(list, "\x00")))
	require.Equal(t, "644ec955cfb4722d98298da8ea8d35a1a2a7949252fdb626bf87d652475e1672", hex.EncodeToString(sum[:]))
	require.Equal(t, list, Lines(source, 1, 1000))
	require.NotEqual(t, list, Lines(source, 2, 1000))
}

func TestLinesHaveAllKinds(t *testing.T) {
	all := strings.Join(Lines(source, 7, 4000), "\n")
	require.True(t, utf8.ValidString(all))
	for _, part := range []string{"Füchse", "<eos>", "<|im_end|>", "\u200d", "\ufe0f", "\r\n", strings.Repeat(" ", 20), "\ufeff", "\u0301", "for (int", "'LL"} {
		require.Contains(t, all, part)
	}
	for _, table := range []*unicode.RangeTable{
		unicode.Han, unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari, unicode.Ethiopic, unicode.Cyrillic,
		unicode.Greek, unicode.Hiragana, unicode.Cc, unicode.Cf, unicode.Co, unicode.Mn, unicode.Sm, unicode.Nd,
	} {
		require.GreaterOrEqual(t, strings.IndexFunc(all, func(r rune) bool { return r > 0x7F && unicode.Is(table, r) }), 0)
	}
}

// vocabulary is two words and a control token.
type vocabulary struct{}

func (vocabulary) Size() int                     { return 4 }
func (vocabulary) Special(id int32) bool         { return id == 1 }
func (vocabulary) Token(id int32) (string, bool) { return []string{"a", "<s>", "Ġb", "Ã"}[id], true }
func (vocabulary) Decode(ids []int32) string     { return []string{"a", "", " b", "\uFFFD"}[ids[0]] }

func TestOf(t *testing.T) {
	require.Equal(t, Source{Words: []string{"a", " b"}, Specials: []string{"<s>"}}, Of(vocabulary{}))
}
