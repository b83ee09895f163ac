package diffrun

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

//go:embed run.py
var script string

// answered is what the engine gave.
type answered struct {
	version string
	values  map[string]tensor.Value
}

// ask runs the model in ONNX Runtime, with the values as results, in a process of the user's
// Python. Values of types that NumPy lacks are left out.
func ask(ctx context.Context, python, model string, inputs map[string]tensor.Value, values, outputs []string) (*answered, error) {
	path, err := exec.LookPath(python)
	if err != nil {
		return nil, errs.Wrap(CodePython, err, "there is no Python at %q", python).
			Hint("install Python 3, or say where it is: --python FILE")
	}
	dir, remove, err := atomicfile.Folder("skainet-diffrun-")
	if err != nil {
		return nil, err
	}
	defer remove()
	request := struct {
		Model   string            `json:"model"`
		Inputs  map[string]string `json:"inputs"`
		Values  []string          `json:"values"`
		Outputs []string          `json:"outputs"`
		Folder  string            `json:"folder"`
	}{model, map[string]string{}, values, outputs, dir}
	for name, v := range inputs {
		file := filepath.Join(dir, "input"+strconv.Itoa(len(request.Inputs))+".npy")
		if err := npy.WriteFile(file, v); err != nil {
			return nil, err
		}
		request.Inputs[name] = file
	}
	data, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, path, "-c", script)
	var out, said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(data), &out, &said
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, errs.Wrap(CodeFailed, err, "%s ended with: %s", python, last(said.String())).In(model)
	}
	var reply struct {
		Version, Missing, Error string
		Files                   map[string]string
	}
	if err := json.Unmarshal([]byte(last(out.String())), &reply); err != nil {
		return nil, errs.Wrap(CodeFailed, err, "%s printed no answer", python).In(model)
	}
	switch {
	case reply.Missing != "":
		return nil, errs.New(CodeMissing, "the Python at %s has no module %s", path, reply.Missing).
			Hint("%s -m pip install onnxruntime numpy, or name a Python that has them: --python FILE", python)
	case reply.Error != "":
		return nil, errs.New(CodeFailed, "ONNX Runtime: %s", reply.Error).In(model).Hint("the model must run in ONNX Runtime on a CPU, with these inputs")
	}
	a := &answered{reply.Version, map[string]tensor.Value{}}
	for name, file := range reply.Files {
		v, err := npy.ReadFile(filepath.Join(dir, filepath.Base(file)))
		if err != nil {
			return nil, err
		}
		a.values[name] = v
	}
	return a, nil
}

// last returns the last line of a text.
func last(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
