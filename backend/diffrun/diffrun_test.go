package diffrun

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	. "github.com/skainet-dev/skainet-go/test/onnxtest"
)

// engineVariable says what this program, run as the Python of a test, adds to sums.
const engineVariable = "DIFFRUN_TEST_ENGINE"

func TestMain(m *testing.M) {
	if add, ok := os.LookupEnv(engineVariable); ok {
		if err := engine(add); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// engine answers as run.py does, for the model of this test: s = x + y, n = -s, r = |n|.
func engine(add string) error {
	var request struct {
		Inputs          map[string]string
		Values, Outputs []string
		Folder          string
	}
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		return err
	}
	if add == "fails" {
		return fmt.Errorf("no luck")
	}
	read := func(name string) ([]float32, error) {
		v, err := npy.ReadFile(request.Inputs[name])
		if err != nil {
			return nil, err
		}
		return tensor.Slice[float32](v)
	}
	x, err := read("x")
	if err != nil {
		return err
	}
	y, err := read("y")
	if err != nil {
		return err
	}
	values := map[string][]float32{}
	for i := range x {
		s, n := x[i]+y[i], -(x[i] + y[i])
		if add == "wrong" && i == 1 {
			n += 0.5
		}
		values["s"], values["n"], values["r"] = append(values["s"], s), append(values["n"], n), append(values["r"], max(n, -n))
	}
	files := map[string]string{}
	for _, name := range request.Values {
		if add == "few" && name == "n" {
			continue
		}
		v, err := tensor.Of(values[name], int64(len(x)))
		if err != nil {
			return err
		}
		files[name] = name + ".npy"
		if err := npy.WriteFile(filepath.Join(request.Folder, files[name]), v); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"version": "0", "files": files})
}

// ranked writes a ValueInfoProto of a vector of f32; size is a number or a name.
func ranked(name string, size any) []byte {
	dim := Message(Field(2, size))
	if n, ok := size.(int64); ok {
		dim = Message(Field(1, n))
	}
	return Message(Field(1, name), Field(2, Message(Field(1, Message(Field(1, int64(1)), Field(2, Message(Field(1, dim))))))))
}

// model writes the model of the engine; size is that of x.
func model(t *testing.T, size any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, os.WriteFile(path, slices.Concat(Field(1, int64(8)), Model(Field(11, ranked("x", size)), Field(11, ranked("y", int64(3))), Field(12, ranked("r", int64(3))),
		Field(1, Node("Add", "s", []string{"x", "y"})), Field(1, Node("Neg", "n", []string{"s"})), Field(1, Node("Abs", "r", []string{"n"})))), 0o644))
	return path
}

func options(t *testing.T, kind string, size any, inputs ...string) Options {
	t.Helper()
	t.Setenv(engineVariable, kind)
	return Options{Model: model(t, size), Python: os.Args[0], Inputs: inputs, Tolerance: parity.Tolerance{Abs: 1e-5}}
}

func TestTheFirstDifference(t *testing.T) {
	r, err := Run(t.Context(), options(t, "right", int64(3)))
	require.NoError(t, err)
	require.NoError(t, r.Err())
	require.Equal(t, "ONNX Runtime 0", r.Engine)
	require.Equal(t, "cpu", r.Backend)
	require.Len(t, r.Rows, 3)

	r, err = Run(t.Context(), options(t, "wrong", int64(3), "x=1,2,3"))
	require.NoError(t, err)
	require.Equal(t, CodeDiffers, errs.CodeOf(r.Err()))
	require.Equal(t, "n", r.First().Value)
	require.Equal(t, int64(1), r.First().Result.Mismatches)
	require.InDelta(t, 0.5, r.First().Result.MaxAbs, 1e-6)
	require.ErrorContains(t, r.Err(), "n of Neg")

	r, err = Run(t.Context(), options(t, "few", int64(3)))
	require.NoError(t, err)
	require.NoError(t, r.Err())
	require.Equal(t, "ONNX Runtime gives no array", r.Rows[1].Why)
}

// Only the values that are named are compared: a later one of those has the difference.
func TestChosenValues(t *testing.T) {
	o := options(t, "wrong", int64(3), "x=1,2,3", "y=1,1,1")
	o.Values = []string{"r", "s"}
	r, err := Run(t.Context(), o)
	require.NoError(t, err)
	require.Len(t, r.Rows, 2)
	require.Equal(t, "s", r.Rows[0].Value)
	require.False(t, r.Rows[0].Differs())
	require.Equal(t, "r", r.First().Value)
	o.Values = []string{"none"}
	_, err = Run(t.Context(), o)
	require.Equal(t, CodeValue, errs.CodeOf(err))
	require.ErrorContains(t, err, "none")
}

func TestInputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.npy")
	v, err := tensor.Of([]float32{1, 2, 3}, 3)
	require.NoError(t, err)
	require.NoError(t, npy.WriteFile(file, v))
	r, err := Run(t.Context(), options(t, "right", "batch", "x=@"+file))
	require.NoError(t, err)
	require.NoError(t, r.Err())
	_, err = Run(t.Context(), options(t, "right", "batch"))
	require.Equal(t, CodeInput, errs.CodeOf(err))
	require.ErrorContains(t, err, "--input x=@FILE.npy")
	_, err = Run(t.Context(), options(t, "right", int64(3), "z=1"))
	require.ErrorContains(t, err, `no argument is named "z"`)
}

func TestWithoutAnEngine(t *testing.T) {
	o := options(t, "fails", int64(3))
	_, err := Run(t.Context(), o)
	require.Equal(t, CodeFailed, errs.CodeOf(err))
	require.ErrorContains(t, err, "no luck")
	o.Python = filepath.Join(t.TempDir(), "none")
	_, err = Run(t.Context(), o)
	require.Equal(t, CodePython, errs.CodeOf(err))
	require.ErrorContains(t, err, "--python")
}

// The script asks for all values: what it gives to ONNX Runtime is a model with more outputs.
func TestTheScript(t *testing.T) {
	_, err := exec.LookPath("python3")
	require.NoError(t, err, "the script needs python3")
	modules := t.TempDir()
	t.Setenv("PYTHONPATH", modules)
	put := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(modules, name+".py"), []byte(text), 0o644))
	}
	o := Options{Model: model(t, int64(3))}
	put("numpy", "")
	put("onnxruntime", "raise ImportError()")
	_, err = Run(t.Context(), o)
	require.Equal(t, CodeMissing, errs.CodeOf(err))
	require.ErrorContains(t, err, "python3 -m pip install onnxruntime numpy")

	got := filepath.Join(modules, "model.onnx")
	put("onnxruntime", strings.ReplaceAll(`
class SessionOptions:
    def add_session_config_entry(self, key, value):
        pass
class GraphOptimizationLevel:
    ORT_DISABLE_ALL = 0
def InferenceSession(model, options, providers):
    open("FILE", "wb").write(model)
    raise Exception("this operator is not there")
`, "FILE", filepath.ToSlash(got)))
	_, err = Run(t.Context(), o)
	require.Equal(t, CodeFailed, errs.CodeOf(err))
	require.ErrorContains(t, err, "this operator is not there")
	data, err := os.ReadFile(got)
	require.NoError(t, err)
	before, err := os.ReadFile(o.Model)
	require.NoError(t, err)
	require.Equal(t, before, data[:len(before)])
	var m schema.ModelProto
	require.NoError(t, proto.Unmarshal(data, &m))
	var names []string
	for _, out := range m.GetGraph().GetOutput() {
		names = append(names, out.GetName())
	}
	require.Equal(t, []string{"r", "s", "n"}, names)
}
