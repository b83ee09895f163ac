// Package task is what a benchmark of backends asks its contestants to do: calls of entry
// points, with the arguments in files. Contestants in other languages read the same files.
//
// # Protocol
//
// A contestant is given the path of a Task. Once loaded it writes a Ready; for each Question
// that it reads it makes that call, once, and writes an Answer: lines of JSON. It ends with its
// input.
//
// # Errors
//
// TASK_FILE for a file that cannot be read.
//
// # Determinism
//
// Arguments are made up, the same for the same model.
package task

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// CodeFile is the code of a file that cannot be read.
const CodeFile errs.Code = "TASK_FILE" // smallest input: the path of no file

// Task is all calls.
type Task struct {
	Measures []Measure `json:"measures"`
	// For XLA's peer: its options by name, each as xla.proto spells it.
	Flags map[string]string `json:"flags,omitempty"`
}

// Measure is a call of an entry point.
type Measure struct {
	Name  string  `json:"name"`
	Entry string  `json:"entry"`
	Args  []Value `json:"args"`
	// For XLA's peer: the text for these sizes, and what it takes behind the arguments.
	Text       string   `json:"text"`
	Parameters []Value  `json:"parameters"`
	States     []string `json:"states"`
	Writes     []string `json:"writes"`
	Initial    []Value  `json:"initial"` // of States
}

// Value is an array in a file, from an offset on.
type Value struct {
	DType  dtype.DType `json:"dtype"`
	Shape  []int64     `json:"shape"`
	File   string      `json:"file"`
	Offset int64       `json:"offset"`
}

// Ready reports that a contestant has loaded.
type Ready struct {
	Version string `json:"version"`
}

// Question asks for a call.
type Question struct {
	Measure int `json:"measure"` // its index
}

// Answer is how long it took.
type Answer struct {
	Seconds float64 `json:"seconds"`
	Compile float64 `json:"compile_seconds"` // compiling for these sizes, which is not in Seconds; at the first call
	Program int64   `json:"program_bytes"`   // of what was compiled by now; 0 where that is not known
}

// Read reads a task.
func Read(path string) (*Task, error) {
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, errs.Wrap(CodeFile, err, "the task cannot be read").In(path)
	}
	var t Task
	if err := json.Unmarshal(data, &t); err != nil {
		return nil, errs.Wrap(CodeFile, err, "not a task").In(path)
	}
	return &t, nil
}

// Write writes a task into a folder and returns its path.
func (t *Task) Write(dir string) (string, error) {
	data, err := json.MarshalIndent(t, "", " ")
	if err == nil {
		err = atomicfile.WriteFile(filepath.Join(dir, "task.json"), data)
	}
	if err != nil {
		return "", errs.Wrap(CodeFile, err, "the task cannot be written").In(dir)
	}
	return filepath.Join(dir, "task.json"), nil
}

// Save writes a value into a file of a folder.
func Save(dir, name string, v tensor.Value) (Value, error) {
	path := filepath.Join(dir, name)
	if err := atomicfile.WriteFile(path, v.Bytes); err != nil {
		return Value{}, errs.Wrap(CodeFile, err, "an argument cannot be written").In(path)
	}
	return Value{v.Type.DType, Sizes(v.Type), path, 0}, nil
}

// Sizes returns the sizes of a static type.
func Sizes(t tensor.Type) []int64 {
	sizes := make([]int64, len(t.Shape))
	for i, d := range t.Shape {
		sizes[i] = d.Size
	}
	return sizes
}

// Load reads a value that Save wrote.
func (v Value) Load() (tensor.Value, error) {
	t := tensor.Type{DType: v.DType, Shape: shape.Of(v.Shape...)}
	data, err := os.ReadFile(v.File)
	if err != nil {
		return tensor.Value{}, errs.Wrap(CodeFile, err, "an argument cannot be read").In(v.File)
	}
	out := tensor.Value{Type: t, Bytes: data}
	return out, out.Check()
}
