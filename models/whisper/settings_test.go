package whisper

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestLoadSettings(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	require.NoError(t, os.WriteFile(path, []byte(`{"alignment_heads": [[1, 0]], "lang_ids": [5], "suppress_ids": [1, 2], "suppress_ids_begin": []}`), 0o600))
	s, err := LoadSettings(path)
	require.NoError(t, err)
	require.Equal(t, Settings{Suppress: []int32{1, 2}, SuppressFirst: []int32{}}, s)
}

func TestBadSettings(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"empty":         {"", "not the config.json"},
		"no JSON":       {"RIFF", "not the config.json"},
		"a list":        {"[1]", "not the config.json"},
		"null":          {"null", "suppress_ids: the list is missing"},
		"other model":   {`{"hidden_size": 384}`, "suppress_ids: the list is missing"},
		"half":          {`{"suppress_ids": [1]}`, "suppress_ids_begin: the list is missing"},
		"words":         {`{"suppress_ids": ["a"], "suppress_ids_begin": []}`, "suppress_ids"},
		"a large token": {`{"suppress_ids": [4294967296], "suppress_ids_begin": []}`, "suppress_ids"},
		"too long":      {strings.Repeat(" ", maxSettings+1), "1048577 bytes, the limit is 1048576"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "config.json")
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			_, err := LoadSettings(path)
			require.Equal(t, CodeSettings, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, tt.want)
		})
	}
	for _, path := range []string{filepath.Join(t.TempDir(), "none.json"), t.TempDir()} {
		_, err := LoadSettings(path)
		require.Equal(t, CodeSettings, errs.CodeOf(err), "%v", err)
		require.ErrorContains(t, err, path)
	}
}
