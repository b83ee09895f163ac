package openfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/errs"
)

// blamed returns the error of an import for the sizes of arrays: of the arrays, if the model
// holds without them; plain has the options of that import.
func blamed(m *modelfile.Model, plain importtext.Options, arrays argumentList, err error) error {
	var e *errs.Error
	if !errors.As(err, &e) || e.Node == "" { // what is no node's speaks of the inputs already
		return err
	}
	plain.Notes = nil
	g, open := plain.Graph(m)
	if open != nil {
		return err
	}
	c, open := describe.Contract(g)
	if open != nil {
		return err
	}
	var is, holds []string
	for _, a := range arrays {
		if a.array == nil {
			continue
		}
		for _, in := range c.Entries[0].Args {
			if in.Name == parity.Known(c, a.name) && !in.Shape.IsStatic() {
				is = append(is, fmt.Sprintf("%s is %s", a.name, a.array))
				holds = append(holds, fmt.Sprintf("%s %s", a.name, in.Type()))
			}
		}
	}
	if len(holds) == 0 {
		return err
	}
	return errs.New(backend.CodeBadArgument, "the model does not hold for arrays of these sizes: %s; %s: %s", strings.Join(is, ", "), e.Node, e.What).
		In(m.Path()).Hint("it was found to hold for %s, with 1 or more for each name", strings.Join(holds, ", "))
}
