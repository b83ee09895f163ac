package contract

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// identifier matches the allowed names of entry points, arguments and results: they are
// symbols of a program, words of a command line and names of files.
var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// scope matches the allowed names of scopes: they are words of a command line before an
// equals sign, "adapter=FILE.irpa".
var scope = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,62}$`)

// IsScope reports whether a scope of parameters may have this name: a letter or an
// underscore, then at most 62 of those, digits and hyphens.
func IsScope(name string) bool { return scope.MatchString(name) }

// CheckScopes is an error if the parameters are of more than MaxScopes scopes.
func (c *Contract) CheckScopes() error {
	if n := len(c.Scopes()); n > MaxScopes {
		return errs.New(CodeBad, "parameters of %d scopes, the limit is %d", n, MaxScopes).On("parameters").
			Hint("read parameters that are replaced together from one scope, and export again")
	}
	return nil
}

// check rejects what is valid syntax but no export writes.
func (c *Contract) check() error {
	if !identifier.MatchString(c.Name) {
		return errs.New(CodeBad, "the name %q is not an identifier", c.Name).On("name")
	}
	entries := map[string]bool{}
	for i, e := range c.Entries {
		path := fmt.Sprintf("entries[%d]", i)
		if !identifier.MatchString(e.Name) || entries[e.Name] {
			return errs.New(CodeBad, "the entry point's name %q is not an identifier, or a duplicate", e.Name).On(path)
		}
		entries[e.Name] = true
		for _, list := range [][]Named{e.Args, e.Results} {
			if err := checkNamed(list, path); err != nil {
				return err
			}
		}
	}
	if err := c.CheckScopes(); err != nil {
		return err
	}
	type id struct{ scope, key string }
	params := map[id]bool{}
	for i, p := range c.Parameters {
		path := fmt.Sprintf("parameters[%d]", i)
		if !p.DType.Valid() || p.Key == "" || p.Bytes < 0 || !p.Source.known() || !p.fitsRows() {
			return errs.New(CodeBad, "parameter %q is not well formed", p.Key).On(path)
		}
		if !IsScope(p.Scope) {
			return errs.New(CodeBad, "the scope %q of parameter %q is not a name", p.Scope, p.Key).On(path)
		}
		if params[id{p.Scope, p.Key}] {
			return errs.New(CodeBad, "duplicate parameter %q", p.Key).On(path)
		}
		params[id{p.Scope, p.Key}] = true
		n, err := tensor.Type{DType: p.DType, Shape: p.Shape}.Bytes()
		if err != nil {
			return errs.Wrap(CodeBad, err, "parameter %q", p.Key).On(path)
		}
		if p.Encoding.IsDense() && n != p.Bytes {
			return errs.New(CodeBad, "parameter %q has %d bytes, but its type takes %d", p.Key, p.Bytes, n).On(path)
		}
		if b, ok := p.Encoding.Block(); ok && b.GGML != quant.NoGGML {
			t, err := p.Stored()
			if err != nil {
				return errs.Wrap(CodeBad, err, "parameter %q", p.Key).On(path)
			}
			if n, err := t.Bytes(); err != nil || n != p.Bytes || p.DType != dtype.F32 {
				return errs.New(CodeBad, "parameter %q has %d bytes of %s, but blocks of %s take %d for f32 [%s]", p.Key, p.Bytes, p.DType, b.Encoding, n, p.Shape).On(path)
			}
		}
	}
	return nil
}

func (s Source) known() bool {
	return s == FromWeights || s == FromConstant || s == FromRows || s == FromScales
}

// fitsRows checks the types of tensors whose rows are scaled.
func (p Parameter) fitsRows() bool {
	switch p.Source {
	case FromRows:
		return p.DType == dtype.I8 && p.Shape.Rank() > 0 && p.Encoding.IsDense()
	case FromScales:
		return p.DType == dtype.F32 && p.Shape.Rank() == 1 && p.Encoding.IsDense() && strings.HasSuffix(p.Key, ScalesSuffix)
	}
	return true
}

func checkNamed(list []Named, path string) error {
	seen := map[string]bool{}
	for _, n := range list {
		if !identifier.MatchString(n.Name) || seen[n.Name] || !n.DType.Valid() {
			return errs.New(CodeBad, "the argument or result %q has no element type, or its name is not an identifier, or a duplicate", n.Name).On(path)
		}
		seen[n.Name] = true
	}
	return nil
}
