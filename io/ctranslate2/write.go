package ctranslate2

import (
	"bytes"
	"io"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Model is a small model in memory.
type Model struct {
	Spec      string // WhisperSpec, ...
	Revision  uint32
	Variables []Variable
	Aliases   []Alias
}

// Variable is a named value; a rank-0 integer is a setting.
type Variable struct {
	Name  string
	Value tensor.Value
}

// Alias is another name of a variable.
type Alias struct{ Name, Variable string }

// Write writes m as binary version 6.
func Write(w io.Writer, m Model) error {
	var items []Item
	for _, v := range m.Variables {
		if err := v.Value.Check(); err != nil {
			return errs.Wrap(CodeLength, err, "cannot write the variable").On(v.Name)
		}
		s := tensor.Spec{Name: v.Name, DType: v.Value.Type.DType, Shape: v.Value.Type.Shape, Encoding: quant.Dense, Bytes: int64(len(v.Value.Bytes))}
		items = append(items, Item{s, func() (io.Reader, error) { return bytes.NewReader(v.Value.Bytes), nil }})
	}
	return Encode(w, Header{m.Spec, m.Revision, m.Aliases}, items)
}

// WriteFile writes a file of binary version 6, which is either whole or absent.
func WriteFile(path string, h Header, items []Item) error {
	return errs.WithFile(atomicfile.Write(path, func(w io.Writer) error { return Encode(w, h, items) }), path)
}

func typeID(d dtype.DType) (byte, *errs.Error) {
	for id, t := range types {
		if t == d {
			return byte(id), nil
		}
	}
	return 0, errs.New(CodeDType, "the format has no element type %s", d).Hint("it has %v", types)
}
