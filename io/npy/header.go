package npy

import (
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

type header struct {
	descr   string
	fortran bool
	sizes   []int64
	swapped bool // big endian
}

// tensorType maps the descr to an element type.
func (h *header) tensorType() (tensor.Type, error) {
	// One dimension, or none, is the same in both orders.
	if h.fortran && len(h.sizes) > 1 {
		return tensor.Type{}, errs.New(CodeOrder, "the array is in Fortran order").At(10).
			Hint("save numpy.ascontiguousarray(x)")
	}
	if len(h.descr) > 1 {
		order, name := h.descr[0], h.descr[1:]
		for _, d := range dtype.All() {
			if d.NumPy() != name || name == "" {
				continue
			}
			one := d.Bits() == 8
			if one && order != '|' || !one && order != '<' && order != '>' {
				break
			}
			h.swapped = order == '>'
			return tensor.Type{DType: d, Shape: shape.Of(h.sizes...)}, nil
		}
	}
	return tensor.Type{}, errs.New(CodeDType, "element type %q is not supported", h.descr).At(10).
		Hint("save x.astype('float32') or another plain integer or float type")
}

// scanner reads the header, a Python dict literal of three known keys.
type scanner struct {
	text string
	pos  int
	at   int64 // of text in the file
}

func parseHeader(text string, at int64) (header, error) {
	s := &scanner{text: text, at: at}
	var h header
	seen := map[string]bool{}
	if !s.take("{") {
		return h, s.bad("a header starts with {")
	}
	for !s.take("}") {
		key, err := s.quoted()
		if err != nil {
			return h, err
		}
		if seen[key] {
			return h, s.bad("duplicate key %q", key)
		}
		seen[key] = true
		if !s.take(":") {
			return h, s.bad("a key is followed by a colon")
		}
		switch key {
		case "descr":
			h.descr, err = s.quoted()
		case "fortran_order":
			h.fortran, err = s.boolean()
		case "shape":
			h.sizes, err = s.tuple()
		default:
			err = s.bad("the key %q is not one of a .npy file", key)
		}
		if err != nil {
			return h, err
		}
		if !s.take(",") && !s.peek("}") {
			return h, s.bad("expected a comma or }")
		}
	}
	if len(seen) != 3 {
		return h, s.bad("the header lacks descr, fortran_order or shape")
	}
	if strings.Trim(s.text[s.pos:], " \n") != "" {
		return h, s.bad("there is text after the header's dict")
	}
	return h, nil
}

func (s *scanner) bad(what string, args ...any) error {
	return errs.New(CodeHeader, what, args...).At(s.at + int64(s.pos)).Hint("save the array with numpy.save")
}

func (s *scanner) blank() {
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\n') {
		s.pos++
	}
}

func (s *scanner) peek(token string) bool {
	s.blank()
	return strings.HasPrefix(s.text[s.pos:], token)
}

func (s *scanner) take(token string) bool {
	if s.peek(token) {
		s.pos += len(token)
		return true
	}
	return false
}

// quoted reads a string without escapes; names and type strings need none.
func (s *scanner) quoted() (string, error) {
	for _, q := range []string{"'", `"`} {
		if s.take(q) {
			end := strings.Index(s.text[s.pos:], q)
			if end < 0 || strings.ContainsAny(s.text[s.pos:s.pos+end], "\\\n") {
				return "", s.bad("unterminated string")
			}
			text := s.text[s.pos : s.pos+end]
			s.pos += end + 1
			return text, nil
		}
	}
	return "", s.bad("expected a quoted string; arrays with named fields are not supported")
}

func (s *scanner) boolean() (bool, error) {
	if s.take("True") {
		return true, nil
	}
	if s.take("False") {
		return false, nil
	}
	return false, s.bad("expected True or False")
}

func (s *scanner) tuple() ([]int64, error) {
	if !s.take("(") {
		return nil, s.bad("a shape is a tuple")
	}
	var sizes []int64
	for !s.take(")") {
		s.blank()
		end := s.pos
		for end < len(s.text) && s.text[end] >= '0' && s.text[end] <= '9' {
			end++
		}
		n, err := strconv.ParseInt(s.text[s.pos:end], 10, 64)
		if err != nil {
			return nil, s.bad("a size is a number from 0 to 2^63-1")
		}
		s.pos = end
		if sizes = append(sizes, n); len(sizes) > MaxRank {
			return nil, s.bad("more than %d dimensions", MaxRank)
		}
		if !s.take(",") && (!s.peek(")") || len(sizes) == 1) {
			return nil, s.bad("expected a comma or ); a tuple of one number ends in a comma")
		}
	}
	return sizes, nil
}
