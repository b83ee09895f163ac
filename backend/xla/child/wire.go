package child

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// A message is the length of a JSON document as 8 bytes, the document, and the bytes of its
// tensors, one after the other.

type kind string

const (
	kindOpen kind = "open"
	kindCall kind = "call"
)

type message struct {
	Kind     kind               `json:"kind,omitempty"`
	Open     *opening           `json:"open,omitempty"`
	Entry    string             `json:"entry,omitempty"`
	Contract *contract.Contract `json:"contract,omitempty"`
	Fault    *fault             `json:"fault,omitempty"`
	Tensors  []typed            `json:"tensors,omitempty"`

	values []tensor.Value
}

// opening is what xla.Options says.
type opening struct {
	Graph    json.RawMessage     `json:"graph,omitempty"`
	Program  string              `json:"program,omitempty"`
	Archives map[string][]string `json:"archives,omitempty"`
	Copy     bool                `json:"copy,omitempty"`
	Weights  string              `json:"weights,omitempty"`
	Plugin   string              `json:"plugin,omitempty"`
	Device   string              `json:"device,omitempty"`
	Threads  int                 `json:"threads,omitempty"`
	Level    string              `json:"level,omitempty"`
	Sizes    []map[string]int64  `json:"sizes,omitempty"`
	Buckets  xla.Buckets         `json:"buckets,omitzero"`
	Programs int                 `json:"programs,omitempty"`
	Lazy     bool                `json:"lazy,omitempty"`
	Without  []string            `json:"without,omitempty"`
	Cache    string              `json:"cache,omitempty"` // a folder; "": nothing is kept
}

type typed struct {
	DType dtype.DType `json:"dtype"`
	Shape shape.Shape `json:"shape"`
}

// fault is a coded error.
type fault struct {
	Code  errs.Code `json:"code"`
	What  string    `json:"what"`
	File  string    `json:"file,omitempty"`
	Node  string    `json:"node,omitempty"`
	Do    string    `json:"do,omitempty"`
	Cause string    `json:"cause,omitempty"`
}

func faultOf(err error) *fault {
	var e *errs.Error
	if !errors.As(err, &e) {
		return &fault{Code: CodeChild, What: err.Error()}
	}
	f := &fault{Code: e.Code, What: e.What, File: e.File, Node: e.Node, Do: e.Do}
	if e.Cause != nil {
		f.Cause = e.Cause.Error()
	}
	return f
}

func (f *fault) err() error {
	var cause error
	if f.Cause != "" {
		cause = errors.New(f.Cause)
	}
	e := errs.Wrap(f.Code, cause, "%s", f.What).In(f.File).On(f.Node)
	if f.Do != "" {
		return e.Hint("%s", f.Do)
	}
	return e
}

// maxDocument is the longest document: a graph of some hundred thousand nodes.
const maxDocument = 1 << 30

func write(w io.Writer, m message, values []tensor.Value) error {
	for _, v := range values {
		m.Tensors = append(m.Tensors, typed{v.Type.DType, v.Type.Shape})
	}
	document, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(document)))); err != nil {
		return err
	}
	if _, err := w.Write(document); err != nil {
		return err
	}
	for _, v := range values {
		if _, err := w.Write(v.Bytes); err != nil {
			return err
		}
	}
	return nil
}

func read(r io.Reader) (message, error) {
	var m message
	var head [8]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return m, err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > maxDocument {
		return m, errs.New(CodeChild, "a message of %d bytes; %d are allowed", n, maxDocument).Hint("name a program that calls child.Main")
	}
	document, err := readN(r, int64(n))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(document, &m); err != nil {
		return m, errs.Wrap(CodeChild, err, "a message is not one of this program")
	}
	for _, t := range m.Tensors {
		typ := tensor.Type{DType: t.DType, Shape: t.Shape}
		n, err := typ.Bytes()
		if err != nil {
			return m, err
		}
		data, err := readN(r, n)
		if err != nil {
			return m, err
		}
		m.values = append(m.values, tensor.Value{Type: typ, Bytes: data})
	}
	return m, nil
}

// readN reads n bytes, for which memory is taken as they come.
func readN(r io.Reader, n int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, n))
	if err == nil && int64(len(b)) != n {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}
