// Package archives checks the archives of weights that a program is given against the
// program's contract, for all runtimes that read them.
//
// # Errors
//
// Those of io/irpa, and the runtime's own code for weights that do not fit.
//
// # Determinism
//
// Scopes are checked in the order of their names, parameters in the contract's.
package archives

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/shards"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Check compares what the contract needs with what the archives of each scope hold: a
// difference is an error with the code. Keys that the contract does not name are allowed:
// programs share archives.
func Check(code errs.Code, c *contract.Contract, archives map[string][]string) error {
	return CheckScopes(code, c, archives, c.Scopes())
}

// CheckScopes is Check for these scopes of the program.
func CheckScopes(code errs.Code, c *contract.Contract, archives map[string][]string, order []string) error {
	needed := map[string][]contract.Parameter{}
	for _, p := range c.Parameters {
		needed[p.Scope] = append(needed[p.Scope], p)
	}
	for _, scope := range Scopes(archives) {
		if needed[scope] == nil {
			return errs.New(code, "program %s has no parameters in this scope, but an archive was given for it", c.Name).On(scope).
				Hint("its scopes are %q", c.Scopes())
		}
	}
	for _, scope := range order {
		if len(archives[scope]) == 0 {
			return errs.New(code, "program %s needs %d parameters of this scope, but no archive was given for it", c.Name, len(needed[scope])).
				On(scope).Hint("give the .irpa that was packed for the program: --archive FILE, or --archive SCOPE=FILE; in Go Archives of the options")
		}
		if err := checkScope(code, scope, needed[scope], archives[scope]); err != nil {
			return err
		}
	}
	return nil
}

func checkScope(code errs.Code, scope string, needed []contract.Parameter, paths []string) error {
	found := map[string]irpa.Entry{}
	in := map[string]string{} // key -> archive
	for _, path := range paths {
		a, err := irpa.Open(path)
		if err != nil {
			return err
		}
		for _, e := range a.Entries() {
			if first, ok := in[e.Name]; ok {
				a.Close()
				return errs.New(code, "the key is in %s as well", first).In(path).On(key(scope, e.Name)).
					Hint("give each key once")
			}
			found[e.Name], in[e.Name] = e, path
		}
		if err := a.Close(); err != nil {
			return err
		}
	}
	files := paths[0]
	if len(paths) > 1 {
		files = fmt.Sprintf("%q", paths)
	}
	for _, p := range needed {
		e, ok := found[p.Key]
		switch {
		case !ok:
			return errs.New(code, "the archive lacks the key").In(files).On(key(scope, p.Key)).
				Hint("%s", lacking(paths))
		case e.Length != p.Bytes:
			return errs.New(code, "%d bytes are stored, the program needs %d", e.Length, p.Bytes).In(in[p.Key]).On(key(scope, p.Key)).
				Hint("the archive belongs to another model or another encoding")
		case !irpa.Fits(e.Spec, p.DType, p.Shape, p.Encoding):
			return errs.New(code, "the archive holds %s (%s), the program needs %s (%s)",
				e.Spec.Type(), e.Spec.Encoding.Stored(), tensor.Type{DType: p.DType, Shape: p.Shape}, p.Encoding.Stored()).In(in[p.Key]).On(key(scope, p.Key)).
				Hint("pack the weights for this program's contract: skainet pack")
		case e.Type == irpa.External:
			return errs.New(code, "the bytes are in another file, which programs do not read").In(in[p.Key]).On(key(scope, p.Key)).
				Hint("pack the weights into one archive: skainet pack")
		}
	}
	return nil
}

// lacking returns the hint for a scope of whose archives none has a key.
func lacking(paths []string) string {
	missing := shards.Missing(paths...)
	if len(missing) == 0 {
		return "pack the weights for this program's contract: skainet pack"
	}
	more := ""
	if n := len(missing) - maxNamed; n > 0 {
		missing, more = missing[:maxNamed], fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("give all parts of the archive; missing: %s%s", strings.Join(missing, ", "), more)
}

// maxNamed is the number of missing parts that are named.
const maxNamed = 4

// key spells a parameter as programs do.
func key(scope, name string) string { return scope + "::" + name }

// Scopes returns the scopes of archives, sorted.
func Scopes(archives map[string][]string) []string { return slices.Sorted(maps.Keys(archives)) }
