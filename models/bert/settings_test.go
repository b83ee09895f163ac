package bert

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestLoadPositions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sentence_bert_config.json")
	for text, want := range map[string]int{
		`{"max_seq_length": 256, "do_lower_case": false}`: 256, `{"max_seq_length": null}`: 0, `{}`: 0, `{"max_seq_length": 3}`: 3,
	} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		got, err := LoadPositions(path)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{``, `[]`, `{"max_seq_length": "256"}`, `{"max_seq_length": 2}`, `{"max_seq_length": -1}`, `{"max_seq_length": 2.5}`} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := LoadPositions(path)
		require.Equal(t, CodeSettings, errs.CodeOf(err), text)
		require.ErrorContains(t, err, path)
	}
	_, err := LoadPositions(t.TempDir())
	require.Equal(t, CodeSettings, errs.CodeOf(err))
}
