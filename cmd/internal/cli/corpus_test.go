package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// place writes a file of a corpus and the files that it needs next to it.
func place(t *testing.T, corpus badfiles.Corpus, data []byte) string {
	t.Helper()
	path := write(t, "file", data)
	for name, data := range corpus.Beside {
		other := filepath.Join(filepath.Dir(path), name)
		require.NoError(t, os.MkdirAll(filepath.Dir(other), 0o755))
		require.NoError(t, os.WriteFile(other, data, 0o644))
	}
	return path
}

// Every malformed file of every format, with every command that reads one:
// status 1, one line with the code of its error, no output.
func TestBadFiles(t *testing.T) {
	for _, corpus := range badfiles.All() {
		for _, c := range corpus.Bad() {
			t.Run(corpus.Name+"/"+c.Name, func(t *testing.T) {
				path := place(t, corpus, c.Data)
				code := string(c.Code)
				if _, err := weights.FormatOf(path); err != nil {
					code = string(errs.CodeOf(err)) // its first bytes are wrong
					require.Equal(t, string(weights.CodeUnknown), code)
				}
				require.Contains(t, fails(t, 1, code, "inspect", path), filepath.Dir(path))
				fails(t, 1, code, "inspect", path, "--json", "-o", "OUT/x")
				fails(t, 1, code, "inspect", path, "--index", "-o", "OUT/x")
				fails(t, 1, code, "pack", "--weights", path, "-o", "OUT/x.irpa")
				if code == string(c.Code) && slices.Contains(modelfile.Formats(), corpus.Format) {
					fails(t, 1, code, "import", path, "--prefix", "OUT/x")
					for _, command := range []string{"run", "bench", "check", "parity"} {
						fails(t, 1, code, command, path)
					}
					if corpus.Format == onnx.Format {
						fails(t, 1, code, "diff-run", path, "--with", "onnxruntime", "-o", "OUT/x")
					}
				}
				verifyFails(t, code, path)
			})
		}
	}
}

// verifyFails checks that verify lists an error with this code first, in text
// and in JSON, and leaves no output. A file of unknown format has no list.
func verifyFails(t *testing.T, code, path string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	status, text, stderr := run("verify", path, "-o", out)
	require.Equal(t, 1, status, stderr)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	require.NoFileExists(t, out)
	if code == string(weights.CodeUnknown) {
		require.True(t, strings.HasPrefix(stderr, "skainet: "+code+": "), stderr)
		require.Empty(t, text)
		return
	}
	require.True(t, strings.HasPrefix(stderr, "skainet: VERIFY_FAULTS: "+path), stderr)
	require.True(t, strings.HasPrefix(text, code+": "+filepath.Dir(path)), text)
	status, json, _ := run("verify", path, "--json")
	require.Equal(t, 1, status)
	require.Contains(t, json, `"code": "`+code+`"`)
}

func TestGoodFiles(t *testing.T) {
	for _, corpus := range badfiles.All() {
		path := place(t, corpus, corpus.Good())
		out := filepath.Join(t.TempDir(), "out")
		status, stdout, stderr := run("verify", path, "-o", out)
		require.Zero(t, status, stderr)
		require.Empty(t, stdout+stderr)
		b, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, path+": "+corpus.Format+", no fault\n", string(b))
		status, stdout, _ = run("verify", path, "--json")
		require.Zero(t, status)
		require.JSONEq(t, `{"file": "`+path+`", "format": "`+corpus.Format+`", "faults": []}`, stdout)
	}
}
