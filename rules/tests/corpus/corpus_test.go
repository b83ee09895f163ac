//go:build integration

// Package corpus runs the actions of the rules that read weight files on
// malformed files, with the arguments that Bazel passes to them.
package corpus

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/rules/tests/actions"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

// place is an action in its own execution root, one of whose inputs
// is replaced.
type place struct {
	actions.Action
	root, tmp string
	input     string // path of the input, as passed to the action
}

// prepare creates an execution root for the action with this mnemonic, and
// checks that the action succeeds there while nothing is replaced. The input is the
// one whose name ends with end.
func prepare(t *testing.T, list []actions.Action, mnemonic, end string) *place {
	t.Helper()
	p := &place{root: t.TempDir(), tmp: t.TempDir()}
	for _, a := range list {
		for path := range a.Inputs {
			if a.Mnemonic == mnemonic && strings.HasSuffix(path, end) {
				require.Empty(t, p.input, "two inputs %s of %s", end, mnemonic)
				p.Action, p.input = a, path
			}
		}
	}
	require.NotEmpty(t, p.input, "no %s that reads %s", mnemonic, end)
	p.Prepare(t, p.root)
	status, _, stderr := p.run(t)
	require.Zero(t, status, stderr)
	for line := range strings.Lines(stderr) {
		require.True(t, strings.HasPrefix(line, "note: "), stderr) // of an import
	}
	for path := range p.Outputs {
		require.NoError(t, os.Remove(filepath.Join(p.root, path)), "the action makes no %s", path)
	}
	return p
}

// run returns the exit status and the output.
func (p *place) run(t *testing.T) (status int, stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	cmd := p.Command(p.root, p.tmp)
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		require.ErrorAs(t, err, &exit)
	}
	return cmd.ProcessState.ExitCode(), out.String(), messages.String()
}

// replace replaces the input with a new file with other content.
func (p *place) replace(t *testing.T, data []byte) {
	t.Helper()
	path := filepath.Join(p.root, p.input)
	require.NoError(t, os.Remove(path))
	require.NoError(t, os.WriteFile(path, data, 0o444))
}

// files lists the regular files of the execution root.
func (p *place) files(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, dir := range []string{p.root, p.tmp} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				list = append(list, path)
			}
			return err
		}))
	}
	return list
}

// fails runs the action with other content in place of the input, and
// requires status 1, one line that begins with want, and no new files.
func (p *place) fails(t *testing.T, data []byte, want string) (stdout string) {
	t.Helper()
	p.replace(t, data)
	before := p.files(t)
	status, stdout, stderr := p.run(t)
	require.Equal(t, 1, status, stderr)
	require.True(t, strings.HasPrefix(stderr, want), "%s\nin place of\n%s", stderr, want)
	require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
	require.Equal(t, before, p.files(t), "a file was left")
	return stdout
}

// message returns the beginning of the line that reports a case: code, file and offset.
func (p *place) message(c badfiles.Case, shard string) string {
	file := p.input
	if shard != "" {
		file = filepath.Join(filepath.Dir(file), shard)
	}
	text := fmt.Sprintf("skainet: %s: %s: ", c.Code, file)
	if c.Offset >= 0 {
		text += fmt.Sprintf("byte %d: ", c.Offset)
	}
	return text
}

// importing is the action that reads a model's graph, for which a file of no known format
// is no model file.
const importing = "ImportGraph"

// inputs lists the action inputs that are model files, weight files or archives: for each
// corpus the mnemonic of the action and the suffix of the file's name.
var inputs = map[string][][2]string{
	"ctranslate2":       {{"WeightsIndex", "/good.bin"}, {"IrpaPack", "/good.bin"}},
	"gguf":              {{"WeightsIndex", "/good.gguf"}, {"IrpaPack", "/good.gguf"}},
	"onnx":              {{"WeightsIndex", "/good.onnx"}, {"IrpaPack", "/good.onnx"}, {importing, "/model.onnx"}},
	"safetensors":       {{"WeightsIndex", "/good.safetensors"}, {"IrpaPack", "/good.safetensors"}},
	"safetensors_index": {{"WeightsIndex", ".index.json"}, {"IrpaPack", ".index.json"}},
	"irpa": {
		{"WeightsIndex", "/good.irpa"}, {"IrpaPack", "/good.irpa"},
		{"IrpaPack", ".constants.irpa"}, {"IrpaVerify", "/irpa_irpa.irpa"},
	},
}

// Every malformed file of every format, in place of each file of its kind
// that an action reads.
func TestActionsRefuseTheCorpora(t *testing.T) {
	shards := map[string]string{} // from a malformed index to the faulty shard
	for _, c := range badfiles.SafetensorsIndex() {
		shards[c.Name] = c.Shard
	}
	found := corpora(t)
	require.Len(t, found, len(inputs), "a corpus has no row")
	for _, corpus := range found {
		require.NotEmpty(t, inputs[corpus.Name], corpus.Name)
		for _, input := range inputs[corpus.Name] {
			variable := "ACTIONS_" + corpus.Name
			if input[0] == importing {
				variable = "IMPORTED"
			}
			list := actions.Load(t, variable)
			t.Run(corpus.Name+"/"+input[0]+input[1], func(t *testing.T) {
				p := prepare(t, list, input[0], input[1])
				for name, data := range corpus.Beside {
					path := filepath.Join(p.root, filepath.Dir(p.input), name)
					require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
					require.NoError(t, os.WriteFile(path, data, 0o644))
				}
				own := corpus
				if !strings.HasPrefix(input[1], "/good") && corpus.Name == "irpa" {
					own = badfiles.Corpus{Bad: badfiles.IRPA} // the format is known there
				}
				for _, c := range own.Bad() {
					shard := ""
					if corpus.Name == "safetensors_index" {
						shard = shards[c.Name]
					}
					if input[0] == importing && c.Code == weights.CodeUnknown {
						c.Code = modelfile.CodeUnknown
					}
					t.Run(c.Name, func(t *testing.T) { p.fails(t, c.Data, p.message(c, shard)) })
				}
			})
		}
	}
}
