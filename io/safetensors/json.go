package safetensors

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/errs"
)

// reader reads a JSON text whose structure is known. Every method adds a fault
// for a value of another kind than asked for and, where the list of faults lets
// it, steps over the value; ok reports whether the value was read.
type reader struct {
	text   []byte
	base   int64 // offset of text in the file
	d      *jsontext.Decoder
	faults *errs.Faults
	node   string // the tensor or field being read
}

func newReader(text []byte, base int64, faults *errs.Faults) *reader {
	// A bytes.Buffer is read in place. Names that come twice are found here,
	// since they are no reason to stop looking.
	d := jsontext.NewDecoder(bytes.NewBuffer(text[:len(text):len(text)]), jsontext.AllowDuplicateNames(true))
	return &reader{text: text, base: base, d: d, faults: faults}
}

// add records a fault of the node being read.
func (r *reader) add(e *errs.Error) error {
	if e.Node == "" {
		e.On(r.node)
	}
	return r.faults.Add(e)
}

// at returns the offset in the file of the next token.
func (r *reader) at() int64 {
	n := r.d.InputOffset()
	for n < int64(len(r.text)) && strings.IndexByte(" \t\r\n:,", r.text[n]) >= 0 {
		n++
	}
	return r.base + n
}

// syntax records the decoder's error; nothing after it can be read.
func (r *reader) syntax(err error) error {
	at, what := r.base+r.d.InputOffset(), err
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		at, what = r.base+s.ByteOffset, s.Err
	}
	var e *errs.Error
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		e = fail(CodeJSON, r.base+int64(len(r.text)), "the JSON text ends inside a value")
	} else {
		e = fail(CodeJSON, at, "%s", strings.TrimPrefix(what.Error(), "jsontext: "))
	}
	r.add(e)
	return e
}

// skip steps over a value of any kind.
func (r *reader) skip() error {
	if err := r.d.SkipValue(); err != nil {
		return r.syntax(err)
	}
	return nil
}

// want reports whether the next value is of a kind, and steps over it if not.
func (r *reader) want(kind jsontext.Kind, what string) (ok bool, err error) {
	at, got := r.at(), r.d.PeekKind()
	if got == kind {
		return true, nil
	}
	if got == 0 || got == '}' || got == ']' { // no value: the decoder knows why
		_, err := r.d.ReadToken()
		return false, r.syntax(err)
	}
	if err := r.add(fail(CodeType, at, "%s is %s, want %s", what, kindName(got), kindName(kind))); err != nil {
		return false, err
	}
	return false, r.skip()
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a bool"
}

// object reads an object. member is called with each name, the offset of the
// name, and whether it was there before, which is a fault of code that object
// has added; it must read the value.
func (r *reader) object(what string, code errs.Code, member func(name string, at int64, twice bool) error) (ok bool, err error) {
	if ok, err := r.want('{', what); !ok {
		return false, err
	}
	if _, err := r.d.ReadToken(); err != nil {
		return false, r.syntax(err)
	}
	seen := map[string]struct{}{}
	for r.d.PeekKind() != '}' {
		at := r.at()
		name, err := r.name(what)
		if err != nil {
			return false, err
		}
		_, twice := seen[name]
		if twice {
			if err := r.add(fail(code, at, "%s has %q twice", what, clip(name))); err != nil {
				return false, err
			}
		}
		seen[name] = struct{}{}
		if err := member(name, at, twice); err != nil {
			return false, err
		}
	}
	if _, err := r.d.ReadToken(); err != nil {
		return false, r.syntax(err)
	}
	return true, nil
}

// longest bounds a quoted name within the limit: six bytes for one.
const longest = 6*MaxName + 2

// name reads the name of a member.
func (r *reader) name(what string) (string, error) {
	at := r.at()
	raw, err := r.d.ReadValue()
	if err != nil {
		return "", r.syntax(err)
	}
	b, err := jsontext.AppendUnquote(nil, raw[:min(len(raw), longest)])
	if len(raw) > longest || len(b) > MaxName {
		// Any number of such names may follow.
		e := fail(CodeLimit, at, "a name in %s has more than %d bytes, which is the limit", what, MaxName)
		r.add(e)
		return "", e
	}
	if err != nil {
		return "", r.syntax(err)
	}
	return string(b), nil
}

// str reads a string.
func (r *reader) str(what string) (s string, ok bool, err error) {
	if ok, err := r.want('"', what); !ok {
		return "", false, err
	}
	raw, err := r.d.ReadValue()
	if err != nil {
		return "", false, r.syntax(err)
	}
	b, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return "", false, r.syntax(err)
	}
	return string(b), true, nil
}

// list reads a list; element must read one value each time it is called.
func (r *reader) list(what string, element func(i int) error) (ok bool, err error) {
	if ok, err := r.want('[', what); !ok {
		return false, err
	}
	if _, err := r.d.ReadToken(); err != nil {
		return false, r.syntax(err)
	}
	for i := 0; r.d.PeekKind() != ']'; i++ {
		if err := element(i); err != nil {
			return false, err
		}
	}
	if _, err := r.d.ReadToken(); err != nil {
		return false, r.syntax(err)
	}
	return true, nil
}

// size reads an integer from 0 to 2^63-1, written without sign, fraction
// and exponent.
func (r *reader) size(what string) (n int64, ok bool, err error) {
	at := r.at()
	if ok, err := r.want('0', what); !ok {
		return 0, false, err
	}
	raw, err := r.d.ReadValue()
	if err != nil {
		return 0, false, r.syntax(err)
	}
	n, perr := strconv.ParseInt(string(raw[:min(len(raw), 20)]), 10, 64)
	if perr != nil || raw[0] == '-' || len(raw) > 20 {
		return 0, false, r.add(fail(CodeNumber, at, "%s is %s, want an integer from 0 to 2^63-1", what, clip(string(raw))))
	}
	return n, true, nil
}

// clip shortens text of a file for an error.
func clip(s string) string {
	const most = 64
	if len(s) > most {
		return s[:most] + "..."
	}
	return s
}
