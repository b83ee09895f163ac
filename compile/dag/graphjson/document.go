package graphjson

import (
	"bytes"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// The structure of a document. A pointer or list is nil if the
// field is missing; at is the byte offset of the object.

type document struct {
	Schema *int64  `json:"schema"`
	Name   *string `json:"name"`
	// Operators are the packages of registered operations, by name.
	Operators map[string]string `json:"operators,omitempty"`
	States    []state           `json:"states"`
	Functions []function        `json:"functions"`
	Mesh      *dag.Mesh         `json:"mesh,omitzero"`
}

type state struct {
	Name  *string      `json:"name"`
	DType *dtype.DType `json:"dtype"`
	Shape *shape.Shape `json:"shape"`
	Init  place        `json:"init"`
	at    int64
}

type function struct {
	Name    *string  `json:"name"`
	Entry   *bool    `json:"entry"`
	Args    []port   `json:"args"`
	Nodes   []node   `json:"nodes"`
	Results []result `json:"results"`
	Writes  []write  `json:"writes"`
	at      int64
}

// port defines a value. Only arguments of functions have a Name.
type port struct {
	Name  *string      `json:"name,omitzero"`
	ID    *int64       `json:"id"`
	DType *dtype.DType `json:"dtype,omitzero"`
	Shape *shape.Shape `json:"shape,omitzero"`
	at    int64
}

type result struct {
	Name  *string `json:"name"`
	Value *int64  `json:"value"`
	at    int64
}

type write struct {
	State *string `json:"state"`
	Value *int64  `json:"value"`
	at    int64
}

type node struct {
	Op         *string          `json:"op"`
	Path       *string          `json:"path"`
	From       []string         `json:"from,omitempty"`
	Inputs     []int64          `json:"inputs"`
	Attributes map[string]place `json:"attributes,omitempty"`
	Blocks     []block          `json:"blocks,omitempty"`
	Outputs    []port           `json:"outputs"`
	at         int64
}

type block struct {
	Args    []port  `json:"args"`
	Nodes   []node  `json:"nodes"`
	Results []int64 `json:"results"`
	at      int64
}

// typed represents an attribute of kind type or value.
type typed struct {
	DType *dtype.DType `json:"dtype"`
	Shape *shape.Shape `json:"shape"`
	Data  *string      `json:"data,omitzero"`
}

func newPort(id int64, t tensor.Type) port { return port{ID: &id, DType: &t.DType, Shape: &t.Shape} }

// place is a value that is decoded later, with its offset.
type place struct {
	raw jsontext.Value
	at  int64
}

func (p place) MarshalJSONTo(e *jsontext.Encoder) error { return e.WriteValue(p.raw) }

func (p *place) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	v, err := d.ReadValue()
	p.raw, p.at = bytes.Clone(v), d.InputOffset()-int64(len(v))
	return err
}

// located decodes T and returns its offset: the decoder skips
// whitespace before it peeks.
func located[T any](d *jsontext.Decoder, into *T) (at int64, err error) {
	if d.PeekKind() != '{' {
		return 0, json.UnmarshalDecode(d, into) // reports what is wrong
	}
	// The offset is the end of the last token; whitespace and one comma or
	// colon lie between it and the object.
	at = d.InputOffset()
	rest := d.UnreadBuffer()
	if i := bytes.IndexByte(rest, '{'); i > 0 {
		at += int64(i)
	}
	return at, json.UnmarshalDecode(d, into)
}

func (s *state) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields state
	at, err := located(d, (*fields)(s))
	s.at = at
	return err
}

func (f *function) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields function
	at, err := located(d, (*fields)(f))
	f.at = at
	return err
}

func (p *port) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields port
	at, err := located(d, (*fields)(p))
	p.at = at
	return err
}

func (r *result) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields result
	at, err := located(d, (*fields)(r))
	r.at = at
	return err
}

func (w *write) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields write
	at, err := located(d, (*fields)(w))
	w.at = at
	return err
}

func (n *node) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields node
	at, err := located(d, (*fields)(n))
	n.at = at
	return err
}

func (b *block) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	type fields block
	at, err := located(d, (*fields)(b))
	b.at = at
	return err
}
