package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrint(t *testing.T) {
	file := filepath.Join(t.TempDir(), "vocabulary.txt")
	require.NoError(t, os.WriteFile(file, []byte("a\nĠb\n<|end|>\n"), 0o644))
	var out bytes.Buffer
	require.NoError(t, run([]string{file, "1", "30"}, &out))
	var list []string
	require.NoError(t, json.Unmarshal(out.Bytes(), &list))
	require.Len(t, list, 30)
	for _, args := range [][]string{nil, {file, "x", "1"}, {file, "1", "-1"}, {file + "x", "1", "1"}} {
		require.Error(t, run(args, &out), "%v", args)
	}
}
