//go:build integration

package e2e

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// otherModel names a model that ONNX Runtime is given instead of the one that it is asked to
// run, where this program is run as the Python of diff-run.
const otherModel = "LIVEDIFF_OTHER_MODEL"

func TestMain(m *testing.M) {
	if model := os.Getenv(otherModel); model != "" && len(os.Args) > 2 && os.Args[1] == "-c" {
		if err := python(model, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// python runs the real interpreter on a request for another model.
func python(model string, args []string) error {
	request := map[string]any{}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		return err
	}
	request["model"] = model
	data, err := json.Marshal(request)
	if err != nil {
		return err
	}
	cmd := exec.Command(os.Getenv("LIVEDIFF_PYTHON"), args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), os.Stdout, os.Stderr
	return cmd.Run()
}

// backends are flags of diff-run, and how far the values of Magika may be. It makes a variance of
// a difference of two means: the compiled program adds in the order of ONNX Runtime, the CPU
// backend more exactly, and the roots of what remains are 0.0044 apart.
func backends(t *testing.T) map[string][]string {
	return map[string][]string{
		"cpu": {"--tolerance", "0.02"},
		"iree": {
			"--backend", "iree", "--target", "cpu_x86_64_v3", "--compiler", path(t, "COMPILER"), "--linker", path(t, "LINKER"),
			"--library", path(t, "LIBRARY"), "--cache", t.TempDir(), "--tolerance", "0.02",
		},
	}
}

// Of the same file no value of Magika differs from ONNX Runtime's, and of one in which a
// weight of the second norm is another, the first that does is the product with it.
func TestDiffRunFindsTheNode(t *testing.T) {
	list, err := npy.ReadArchive(path(t, "RECORD"))
	require.NoError(t, err)
	text := filepath.Join(t.TempDir(), "bytes.npy")
	for _, a := range list {
		if a.Name == "bytes" {
			require.NoError(t, npy.WriteFile(text, a.Value))
		}
	}
	changed := change(t, path(t, "MODEL"))
	for name, flags := range backends(t) {
		t.Run(name, func(t *testing.T) {
			diff := func(python string) (string, string, error) {
				args := append([]string{"diff-run", path(t, "MODEL"), "--with", "onnxruntime", "--python", python, "--input", "bytes=@" + text}, flags...)
				cmd := exec.Command(path(t, "SKAINET"), args...)
				var out, said strings.Builder
				cmd.Stdout, cmd.Stderr = &out, &said
				err := cmd.Run()
				return out.String(), said.String(), err
			}
			out, said, err := diff(path(t, "PYTHON"))
			require.NoError(t, err, out+said)
			require.Regexp(t, `^`+name+` against ONNX Runtime 1\.[0-9.]+: 0 differ, 95 agree, 0 are not compared\n$`, out)

			t.Setenv(otherModel, changed)
			t.Setenv("LIVEDIFF_PYTHON", path(t, "PYTHON"))
			out, said, err = diff(os.Args[0])
			require.ErrorContains(t, err, "exit status 1")
			require.Contains(t, said, "DIFFRUN_DIFFERS")
			lines := strings.Split(out, "\n")
			require.Greater(t, len(lines), 3)
			first := strings.Fields(lines[1])
			require.Equal(t, []string{norm + "Mul", "Mul", norm + "Mul:0", "f32[1x512]", "1"}, first[:5], out)
		})
	}
}

const norm = "jax2tf_get_logits_/pjit_get_logits_/MagikaV2/LayerNorm_1/"

// change writes a model with another number among the factors of a norm, and returns its path.
func change(t *testing.T, model string) string {
	t.Helper()
	data, err := os.ReadFile(model)
	require.NoError(t, err)
	var m schema.ModelProto
	require.NoError(t, proto.Unmarshal(data, &m))
	found := false
	for _, w := range m.GetGraph().GetInitializer() {
		if w.GetName() != norm+"Reshape_2:0" {
			continue
		}
		found = true
		raw := w.GetRawData()
		at := raw[4*7:]
		binary.LittleEndian.PutUint32(at, math.Float32bits(math.Float32frombits(binary.LittleEndian.Uint32(at))+10))
	}
	require.True(t, found)
	data, err = proto.Marshal(&m)
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "changed.onnx")
	require.NoError(t, os.WriteFile(out, data, 0o600))
	return out
}
