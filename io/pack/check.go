package pack

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Codes of CheckArchive.
const (
	CodeContractMissing   errs.Code = "CONTRACT_MISSING_KEY"   // smallest input: an archive without entries
	CodeContractLength    errs.Code = "CONTRACT_LENGTH"        // smallest input: an entry of 3 bytes for a parameter of 2
	CodeContractType      errs.Code = "CONTRACT_TYPE"          // smallest input: an entry described as f32 [2, 3] for a parameter of f32 [3, 2]
	CodeContractExtra     errs.Code = "CONTRACT_EXTRA_KEY"     // smallest input: an entry for a contract without parameters
	CodeContractDuplicate errs.Code = "CONTRACT_DUPLICATE_KEY" // smallest input: the same archive twice
)

const packAgain = "pack the archive for this contract: skainet pack"

// packFit says what to do about an archive with a parameter of another size or type.
func packFit(p contract.Parameter) string {
	if p.Scope == contract.DefaultScope {
		return packAgain
	}
	return packAgain + "; " + fit(p)
}

// CheckArchive compares the parameters of one scope with the archives passed
// to a run: the same keys, each once, with the same lengths.
// IREE checks neither before it runs, and accepts a parameter that is too long. An entry
// that describes its tensor, as those of Pack do, must have the type, shape and encoding too.
func CheckArchive(c *contract.Contract, scope string, archives ...*irpa.File) error {
	params, err := inScope(c, scope)
	if err != nil {
		return err
	}
	type place struct {
		irpa.Entry
		file string
	}
	have := map[string]place{}
	for _, a := range archives {
		for _, e := range a.Entries() {
			if p, twice := have[e.Name]; twice {
				return errs.New(CodeContractDuplicate, "%s has this parameter too", p.file).In(a.Path()).On(e.Name).
					Hint("IREE would use the first; give each parameter once")
			}
			if e.Type == irpa.External {
				return errs.New(irpa.CodeExternal, "the bytes are in another file, %q", e.Path).In(a.Path()).On(e.Name).
					Hint("IREE does not read such entries; pack the weights again")
			}
			have[e.Name] = place{e, a.Path()}
		}
	}
	want := make(map[string]bool, len(params))
	for _, p := range params {
		want[p.Key] = true
		e, ok := have[p.Key]
		if !ok {
			return inFirst(errs.New(CodeContractMissing, "program %s needs this parameter, the archive does not have it", c.Name), archives).
				On(p.Path()).Hint("%s", orZeros(p, packAgain))
		}
		if e.Length != p.Bytes {
			return errs.New(CodeContractLength, "the archive has %d bytes, program %s wants %d", e.Length, c.Name, p.Bytes).
				In(e.file).On(p.Path()).Hint("%s", packFit(p))
		}
		if !irpa.Fits(e.Spec, p.DType, p.Shape, p.Encoding) {
			return errs.New(CodeContractType, "the archive has %s (%s), program %s wants %s (%s)",
				e.Spec.Type(), e.Spec.Encoding.Stored(), c.Name, tensor.Type{DType: p.DType, Shape: p.Shape}, p.Encoding.Stored()).
				In(e.file).On(p.Path()).Hint("%s", packFit(p))
		}
	}
	for _, a := range archives {
		for _, e := range a.Entries() {
			if !want[e.Name] {
				return errs.New(CodeContractExtra, "program %s has no such parameter in scope %q", c.Name, scope).
					In(a.Path()).On(e.Name).Hint("the archive belongs to another program; pack it again: skainet pack")
			}
		}
	}
	return nil
}

// inFirst names the file if there is only one.
func inFirst(e *errs.Error, archives []*irpa.File) *errs.Error {
	if len(archives) == 1 {
		return e.In(archives[0].Path())
	}
	return e
}
