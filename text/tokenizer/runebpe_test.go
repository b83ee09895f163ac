package tokenizer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// The ids are llama.cpp's: see testdata/gen_runes.py.
func TestRuneBPE(t *testing.T) {
	var all, want struct {
		expected
		Merges []string
	}
	read(t, "encode_expect.json", &all)
	read(t, "runes.json", &want)
	require.Len(t, want.Cases, 6)
	p := spm(t)
	p["model"], p["merges"] = "gemma4", want.Merges
	for _, c := range want.Cases {
		t.Run(c.Name, func(t *testing.T) {
			p["add_bos_token"] = strings.Contains(c.Name, "bos")
			tok, err := fromGGUF(t, p)
			require.NoError(t, err)
			var got [][]int32
			for _, line := range all.Lines {
				ids, err := tok.EncodeWith(line, Options{Around: strings.HasSuffix(c.Name, "-add"), Literal: strings.HasSuffix(c.Name, "-literal")})
				require.NoError(t, err)
				got = append(got, ids)
				if strings.HasSuffix(c.Name, "-literal") && !strings.Contains(line, space) {
					require.Equal(t, line, tok.Decode(ids))
				}
			}
			for i, ids := range c.Whole {
				if diff := cmp.Diff(ids, got[i]); diff != "" {
					t.Fatalf("line %d, %q: %s", i, all.Lines[i], diff)
				}
			}
			require.Equal(t, c.SHA256, digest(got), "the first %d lines agree, a later one does not", len(c.Whole))
		})
	}
	p["merges"] = []string{"a"}
	_, err := fromGGUF(t, p)
	require.Equal(t, CodeMerge, errs.CodeOf(err), "%v", err)
}
