package verify

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var texts = flag.String("texts", "", "`file` for the texts that testdata/verdicts.py judges")

// every is the number of mutants per mutant that jaxlib has judged.
const every = 4

// judged returns the texts that jaxlib has judged: those of one version of
// the emitter and those of other forms, original and mutated.
func judged(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(name, text string) {
		all[name] = text
		for i, m := range mutants(name, text, func(string, string) bool { return true }) {
			if i%every == 0 {
				all[m.name] = m.text
			}
		}
	}
	sample, err := os.ReadFile(filepath.Join("testdata", "oracle", "sample.mlir"))
	require.NoError(t, err)
	for name, text := range pieces(string(sample)) {
		add(name, text)
	}
	forms, err := os.ReadFile(filepath.Join("testdata", "good", "forms.mlir"))
	require.NoError(t, err)
	for i, text := range strings.Split(string(forms), "// -----\n") {
		add("form"+string(rune('0'+i)), text)
	}
	return all
}

// Compares with the verdicts of jaxlib 0.10.2's parser and verifier,
// recorded by testdata/verdicts.py: both accept a text or both
// reject it, and nearly always because of the same line.
func TestOracle(t *testing.T) {
	all := judged(t)
	if *texts != "" {
		data, err := json.Marshal(all)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(*texts, data, 0o644))
	}
	data, err := os.ReadFile(filepath.Join("testdata", "oracle", "verdicts.json"))
	require.NoError(t, err)
	var verdicts map[string]string
	require.NoError(t, json.Unmarshal(data, &verdicts))
	require.Len(t, verdicts, len(all), "record the verdicts again")
	refused, elsewhere := 0, 0
	for name, text := range all {
		place, ok := verdicts[name]
		require.True(t, ok, name)
		faults := Text("x.mlir", []byte(text))
		require.Equal(t, place == "", len(faults) == 0, "%s: jaxlib at %q, here %v", name, place, faults)
		if place == "" {
			continue
		}
		refused++
		line, _, _ := strings.Cut(place, ":")
		if !slices.ContainsFunc(faults, func(err error) bool { return strings.HasPrefix(found(t, err), line+":") }) {
			elsewhere++
		}
	}
	t.Logf("%d texts, jaxlib refuses %d, %d of them for another line", len(all), refused, elsewhere)
	require.NotZero(t, refused)
	// An operation with regions has its types after them, where jaxlib counts.
	require.Less(t, elsewhere, refused/50)
}
