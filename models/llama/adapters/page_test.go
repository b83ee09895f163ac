//go:build integration

package adapters

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/reference"
)

// The commands of the page on adapters do what it says, on the cut.
func TestCommandsOfThePage(t *testing.T) {
	dir := t.TempDir()
	for name, variable := range map[string]string{
		"llama.vmfb": "PROGRAM", "llama.contract.json": "CONTRACT", "llama.irpa": "ARCHIVE",
		"poet/adapter_config.json": "POET_CONFIG", "poet/adapter_model.safetensors": "POET_TENSORS",
		"clerk/adapter_config.json": "CLERK_CONFIG", "clerk/adapter_model.safetensors": "CLERK_TENSORS",
	} {
		link := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(link), 0o777))
		require.NoError(t, os.Symlink(reference.Path(t, variable), link))
	}
	page, err := os.ReadFile(reference.Path(t, "PAGE"))
	require.NoError(t, err)
	ran := 0
	for line := range strings.Lines(string(page)) {
		words, ok := strings.CutPrefix(strings.TrimSpace(line), "$ skainet ")
		if !ok {
			continue
		}
		args := strings.Fields(words)
		if args[0] == "run" { // the library is not next to the command here
			args = append(args, "--library", reference.Path(t, "LIBRARY"))
		}
		cmd := exec.Command(reference.Path(t, "SKAINET"), args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s: %s", line, out)
		ran++
	}
	require.Equal(t, 7, ran)

	g := read(t)
	for adapter, name := range map[string]string{"none": "", "poet": "poet", "clerk": "clerk"} {
		v, err := npy.ReadFile(filepath.Join(dir, adapter, "logits.npy"))
		require.NoError(t, err)
		logits, err := tensor.Slice[float32](v)
		require.NoError(t, err)
		for i, want := range g.Logits[name][0] { // after the first token
			require.InDelta(t, want, logits[i*g.Every], reference.Tolerance, adapter)
		}
	}
}
