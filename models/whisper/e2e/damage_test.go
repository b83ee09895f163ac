//go:build integration

package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// parts are the variables that name the runfiles of the transcribe
// program.
var parts = []string{"PROGRAM_CPU", "PROGRAM_CPU_V4", "CONTRACT", "ARCHIVE", "VOCABULARY", "SETTINGS", "LIBRARY"}

// manifest lists the program's runfiles with some of them replaced; ""
// omits one.
func manifest(t testing.TB, replace map[string]string) []string {
	t.Helper()
	var lines []string
	for _, variable := range parts {
		file, replaced := replace[variable]
		if !replaced {
			file = path(t, variable)
		}
		if file != "" {
			lines = append(lines, os.Getenv(variable)+" "+file)
		}
	}
	for variable := range replace {
		require.Contains(t, parts, variable)
	}
	name := filepath.Join(t.TempDir(), "MANIFEST")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return []string{"RUNFILES_MANIFEST_FILE=" + name, "RUNFILES_DIR="}
}

// programs replaces the program for every kind of CPU.
func programs(file string) map[string]string {
	return map[string]string{"PROGRAM_CPU": file, "PROGRAM_CPU_V4": file}
}

// archive writes an archive with the keys of the contract, all zeros, after applying change.
func archive(t testing.TB, change func(items []irpa.Item) []irpa.Item) string {
	t.Helper()
	var items []irpa.Item
	for _, p := range options(t, "PROGRAM_CPU").Contract.Parameters {
		items = append(items, irpa.Item{Name: p.Key, Length: p.Bytes, Pattern: []byte{0}})
	}
	name := filepath.Join(t.TempDir(), "other.irpa")
	require.NoError(t, irpa.Write(name, change(items)))
	return name
}

// cut copies the first bytes of a part.
func cut(t testing.TB, variable string, n int64) string {
	t.Helper()
	b, err := os.ReadFile(path(t, variable))
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "cut"+filepath.Ext(path(t, variable)))
	require.NoError(t, os.WriteFile(name, b[:n], 0o600))
	return name
}

func text(t testing.TB, name, content string) string {
	t.Helper()
	name = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
	return name
}

func TestDamagedPartsOfTheProgram(t *testing.T) {
	// The manifest by itself changes nothing.
	require.Equal(t, ran{0, sentence + "\n", ""}, start(t, "TRANSCRIBE", manifest(t, nil), "--device=local-sync", path(t, "CLIP")))

	lacking := archive(t, func(items []irpa.Item) []irpa.Item { return items[:len(items)-1] })
	longer := archive(t, func(items []irpa.Item) []irpa.Item { items[3].Length += 2; return items })
	first := options(t, "PROGRAM_CPU").Contract.Parameters
	cutArchive, cutProgram := cut(t, "ARCHIVE", 100_000), cut(t, "PROGRAM_CPU", 100_000)
	foreign, notes := text(t, "foreign.json", `{"name": "something else"}`), text(t, "notes.txt", "These are notes.\n")
	for name, tt := range map[string]struct {
		replace map[string]string
		want    []string
	}{
		"archive lacks a key":           {map[string]string{"ARCHIVE": lacking}, []string{"IREE_PARAMETERS", lacking, "model::" + first[len(first)-1].Key, "lacks the key"}},
		"archive with a longer datum":   {map[string]string{"ARCHIVE": longer}, []string{"IREE_PARAMETERS", longer, "model::" + first[3].Key, fmt.Sprintf("%d bytes are stored, the program needs %d", first[3].Bytes+2, first[3].Bytes)}},
		"archive cut off":               {map[string]string{"ARCHIVE": cutArchive}, []string{"IRPA_", cutArchive, "byte "}},
		"weights for an archive":        {map[string]string{"ARCHIVE": path(t, "WEIGHTS")}, []string{"IRPA_", "byte 0"}},
		"no archive":                    {map[string]string{"ARCHIVE": ""}, []string{"TRANSCRIBE_RUNFILES", "archive of weights"}},
		"program cut off":               {programs(cutProgram), []string{"IREE_LOAD", cutProgram}},
		"text for a program":            {programs(foreign), []string{"IREE_LOAD", foreign}},
		"program for another device":    {programs(path(t, "PROGRAM_VULKAN")), []string{"IREE_LOAD"}},
		"program for another processor": {programs(path(t, "PROGRAM_AARCH64")), []string{"TRANSCRIBE_CPU"}},
		"foreign contract":              {map[string]string{"CONTRACT": foreign}, []string{string(contract.CodeBad), foreign, "schema version 0"}},
		"notes for a contract":          {map[string]string{"CONTRACT": notes}, []string{string(contract.CodeBad), notes, "byte "}},
		"no vocabulary":                 {map[string]string{"VOCABULARY": ""}, []string{"TRANSCRIBE_RUNFILES", "tokenizer"}},
		"another model's vocabulary":    {map[string]string{"VOCABULARY": path(t, "BASE_VOCABULARY")}, []string{"WHISPER_PROGRAM", "51865"}},
		"settings for a vocabulary":     {map[string]string{"VOCABULARY": path(t, "SETTINGS")}, []string{"TOKENIZER_MODEL", "model"}},
		"foreign settings":              {map[string]string{"SETTINGS": foreign}, []string{"WHISPER_SETTINGS", foreign, "suppress_ids"}},
		"no library":                    {map[string]string{"LIBRARY": foreign}, []string{"IREE_LOAD", foreign}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, start(t, "TRANSCRIBE", manifest(t, tt.replace), path(t, "CLIP")), 1, tt.want...)
		})
	}
}
