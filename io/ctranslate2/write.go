package ctranslate2

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/lang/dtype"
	"github.com/skainet-dev/skainet-go/lang/tensor"
)

// Model is what Write writes.
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

// Write writes m as binary version 6. It is meant for small models and tests:
// the whole text is built in memory, and read back before any byte goes out,
// so what Write writes Open reads.
func Write(w io.Writer, m Model) error {
	if err := checkNames(m); err != nil {
		return err
	}
	b := binary.LittleEndian.AppendUint32(nil, maxVersion)
	b = appendString(b, m.Spec)
	b = binary.LittleEndian.AppendUint32(b, m.Revision)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.Variables)))
	for _, v := range m.Variables {
		var err error
		if b, err = appendVariable(b, v); err != nil {
			return err
		}
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(m.Aliases)))
	for _, a := range m.Aliases {
		b = appendString(b, a.Name)
		b = appendString(b, a.Variable)
	}
	if _, err := parse(b, new(errs.Faults)); err != nil {
		return err
	}
	_, err := w.Write(b)
	return err
}

func appendVariable(b []byte, v Variable) ([]byte, error) {
	if err := v.Value.Check(); err != nil {
		return nil, errs.Wrap(CodeLength, err, "cannot write the variable").On(v.Name)
	}
	id, err := typeID(v.Value.Type.DType)
	if err != nil {
		return nil, err.On(v.Name)
	}
	if len(v.Value.Bytes) > math.MaxUint32 || v.Value.Type.Shape.Rank() > MaxRank {
		return nil, errs.New(CodeLimit, "%s does not fit the format", v.Value.Type).On(v.Name)
	}
	b = appendString(b, v.Name)
	b = append(b, byte(v.Value.Type.Shape.Rank()))
	for _, n := range v.Value.Type.Shape.Sizes() {
		if n > math.MaxUint32 {
			return nil, errs.New(CodeLimit, "%s does not fit the format", v.Value.Type).On(v.Name)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(n))
	}
	b = append(b, id)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(v.Value.Bytes)))
	return append(b, v.Value.Bytes...), nil
}

func typeID(d dtype.DType) (byte, *errs.Error) {
	for id, t := range types {
		if t == d {
			return byte(id), nil
		}
	}
	return 0, errs.New(CodeDType, "the format has no element type %s", d).Hint("it has %v", types)
}

// checkNames refuses names whose length would not fit its field; every other
// fault of a name is found by reading the text back.
func checkNames(m Model) error {
	names := []string{m.Spec}
	for _, v := range m.Variables {
		names = append(names, v.Name)
	}
	for _, a := range m.Aliases {
		names = append(names, a.Name, a.Variable)
	}
	for _, name := range names {
		if len(name) > MaxName {
			return errs.New(CodeLimit, "the name %.32q... has %d bytes, the limit is %d", name, len(name), MaxName)
		}
	}
	return nil
}

func appendString(b []byte, s string) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s)+1))
	b = append(b, s...)
	return append(b, 0)
}
