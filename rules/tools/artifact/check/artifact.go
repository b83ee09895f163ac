// Package check inspects what the rules build from a model: whether archives
// fit a program, the size of each part, and all of it as one tar.
//
// # Errors
//
// ARTIFACT_FIT for an archive that was packed for parameters of other types
// than the program's, and the IREE_PARAMETERS errors of an archive that lacks a
// scope, a key or bytes; ARTIFACT_LIMIT for sizes over their limits, ARTIFACT_LIMITS
// for a malformed limit; ARTIFACT_READ for a file that cannot be read or is not
// a size report; ARTIFACT_NAME for names that a tar must not contain, and
// ARTIFACT_OUTPUT for a tar that would replace one of its parts.
//
// # Untrusted input
//
// Contracts and size reports are read up to regular.MaxDocument bytes, and
// have a bounded number of values. Programs are read once; only the headers of
// archives are read, except for a tar; only regular files are opened.
//
// # Determinism
//
// Reports and tars depend only on the contents of the files and the names
// given for them: they contain no path, owner, mode or time of the machine.
package check

import (
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Codes of this package.
const (
	CodeFit    errs.Code = "ARTIFACT_FIT"    // smallest input: a program of f32 [2], an archive that was packed for i32 [2]
	CodeLimit  errs.Code = "ARTIFACT_LIMIT"  // smallest input: program=1
	CodeLimits errs.Code = "ARTIFACT_LIMITS" // smallest input: program=x
	CodeName   errs.Code = "ARTIFACT_NAME"   // smallest input: a scope ".."
	CodeOutput errs.Code = "ARTIFACT_OUTPUT" // smallest input: --program x --output x
	CodeRead   errs.Code = "ARTIFACT_READ"   // smallest input: a file that is not there
)

// Archive is an archive of one scope, with the contract for which it was packed.
type Archive struct {
	Scope, Path string
	Contract    string // "" if unknown
}

// ReadContract reads a contract from a file.
func ReadContract(path string) (*contract.Contract, error) {
	c, err := contract.ReadFile(path)
	if errs.CodeOf(err) == regular.CodeOpen {
		return nil, errs.Wrap(CodeRead, err, "cannot read the contract").In(path)
	}
	return c, err
}

// Fit compares archives with the program that will load them: each of
// its scopes must have an archive, and the archive each parameter, with the
// element type, shape, encoding and length that the program was compiled for. An
// archive may contain more.
func Fit(program *contract.Contract, archives []Archive) error {
	paths := map[string][]string{}
	for _, a := range archives {
		paths[a.Scope] = append(paths[a.Scope], a.Path)
	}
	if len(program.Parameters) == 0 {
		// The archive of a model without parameters is empty, and not passed to a runner.
		clear(paths)
	}
	if err := iree.CheckArchives(program, paths); err != nil {
		return err
	}
	for _, a := range archives {
		if a.Contract == "" {
			continue
		}
		packed, err := ReadContract(a.Contract)
		if err != nil {
			return err
		}
		if err := sameTypes(program, packed, a); err != nil {
			return err
		}
	}
	return nil
}

// sameTypes compares the parameters that two contracts have in common.
func sameTypes(program, packed *contract.Contract, a Archive) error {
	have := map[string]contract.Parameter{}
	for _, p := range packed.Parameters {
		if p.Scope == a.Scope {
			have[p.Key] = p
		}
	}
	for _, p := range program.Parameters {
		q, ok := have[p.Key]
		if p.Scope != a.Scope || !ok {
			continue
		}
		if !p.Equal(q) {
			return errs.New(CodeFit, "the archive was packed for %s, where the parameter is %s; program %s takes %s", packed.Name, q.Describe(), program.Name, p.Describe()).
				In(a.Path).On(a.Scope + "::" + p.Key).Hint("give the irpa_archive of the stablehlo_export that the program was compiled from")
		}
	}
	return nil
}
