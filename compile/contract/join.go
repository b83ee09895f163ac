package contract

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeJoin is the code of contracts that no archive can serve together.
const CodeJoin errs.Code = "CONTRACT_JOIN" // smallest input: a parameter that is f32 in one contract and f16 in another

// Join returns the contract of an archive that several programs are run with: it has their
// parameters, each once, and no entry points. A parameter that several have must be the same
// in all.
func Join(name string, of ...*Contract) (*Contract, error) {
	type made struct {
		Parameter
		program string
	}
	all := &Contract{Schema: Schema, Name: name, Entries: []Entry{}, Parameters: []Parameter{}}
	have := map[[2]string]made{}
	for _, c := range of {
		all.IREE = c.IREE
		for _, p := range c.Parameters {
			id := [2]string{p.Scope, p.Key}
			q, twice := have[id]
			if !twice {
				have[id] = made{p, c.Name}
				all.Parameters = append(all.Parameters, p)
			} else if !p.Equal(q.Parameter) {
				return nil, errs.New(CodeJoin, "program %s takes %s, program %s takes %s", q.program, q.Describe(), c.Name, p.Describe()).
					On(p.Path()).Hint("keep the archives of these programs apart")
			}
		}
	}
	slices.SortFunc(all.Parameters, func(a, b Parameter) int {
		return cmp.Or(cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Key, b.Key))
	})
	return all, all.check()
}

// Equal reports whether the bytes of p serve as those of q, as far as types tell.
func (p Parameter) Equal(q Parameter) bool {
	return p.DType == q.DType && p.Shape.Equal(q.Shape) && p.Encoding.Stored() == q.Encoding.Stored() && p.Bytes == q.Bytes && p.Source == q.Source
}

// Describe says what a parameter is, such as "Q4_K f32[2x256] from weights".
func (p Parameter) Describe() string {
	return fmt.Sprintf("%s %s[%s] from %s", p.Encoding.Stored(), p.DType, p.Shape, p.Source)
}
