package graphjson

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/errs"
)

// deepest is the nesting of JSON values in a document with MaxBlocks nested
// blocks: a list of nodes, a node, a list of blocks and a block for each.
const deepest = 4*MaxBlocks + 10

// scan checks all tokens before any is kept: syntax, duplicate names,
// text after the document, and the general limits.
func scan(data []byte) error {
	d := jsontext.NewDecoder(bytes.NewBuffer(data[:len(data):len(data)]))
	for {
		kind := d.PeekKind()
		at := d.InputOffset()
		raw, isString := []byte(nil), kind == '"'
		var err error
		if isString {
			raw, err = d.ReadValue()
			at = d.InputOffset() - int64(len(raw))
		} else {
			_, err = d.ReadToken()
		}
		if err != nil {
			return syntax(err, data, d)
		}
		if kind == 'n' {
			return errs.New(CodeJSON, "null is not allowed").At(d.InputOffset() - 4).On(string(d.StackPointer())).
				Hint("omit the field, or write a value")
		}
		depth := d.StackDepth()
		if depth > deepest {
			return errs.New(CodeLimit, "more than %d nested blocks", MaxBlocks).At(d.InputOffset() - 1)
		}
		if isString && len(raw) > MaxString+2 && !strings.HasSuffix(string(d.StackPointer()), "/data") {
			return errs.New(CodeLimit, "a string of more than %d bytes", MaxString).At(at)
		}
		if depth == 0 {
			break
		}
	}
	switch _, err := d.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return errs.New(CodeJSON, "text after the document").At(d.InputOffset() - 1)
	default:
		return syntax(err, data, d)
	}
}

func syntax(err error, data []byte, d *jsontext.Decoder) error {
	var s *jsontext.SyntacticError
	at := d.InputOffset()
	if errors.As(err, &s) {
		at, err = s.ByteOffset, s.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errs.New(CodeJSON, "the text ends inside a value").At(int64(len(data)))
	}
	e := errs.New(CodeJSON, "%s", reason(err)).At(at)
	if s != nil {
		e.On(string(s.JSONPointer))
	}
	return e
}

// semantic returns the error for JSON that is not a document.
func semantic(err error) error {
	var s *json.SemanticError
	if !errors.As(err, &s) {
		return errs.Wrap(CodeJSON, err, "not a graph")
	}
	code, what := CodeJSON, "JSON "+kindName(s.JSONKind)+" where another kind of value belongs"
	switch {
	case errors.Is(err, json.ErrUnknownName):
		code, what = CodeField, "no such field"
	case s.Err != nil:
		what = reason(s.Err)
	}
	return errs.New(code, "%s", what).At(s.ByteOffset).On(string(s.JSONPointer))
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "object"
	case '[':
		return "list"
	case '"':
		return "string"
	case '0':
		return "number"
	}
	return "bool"
}

func reason(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "jsontext: "), "json: ")
}
