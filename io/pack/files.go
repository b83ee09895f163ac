package pack

import (
	"fmt"
	"maps"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// Inputs are the files that an archive is packed from. Without a contract all of
// the weights are packed.
type Inputs struct {
	Contract, Weights, Constants string
}

// Files is Program or All with its inputs from files.
func Files(out string, in Inputs, scope string, o Options) (*Report, error) {
	var w *weights.File
	if in.Weights != "" {
		var err error
		if w, err = weights.Open(in.Weights); err != nil {
			return nil, err
		}
		defer w.Close()
	}
	if in.Contract == "" {
		return All(out, w, o)
	}
	c, err := contract.ReadFile(in.Contract)
	if err != nil {
		return nil, err
	}
	if in.Constants != "" {
		a, err := irpa.Open(in.Constants)
		if err != nil {
			return nil, err
		}
		defer a.Close()
		if o.Constants, err = Constants(c, a); err != nil {
			return nil, err
		}
	}
	return Program(out, c, scope, w, o)
}

// CheckFiles is CheckArchive with the contract and the archives of each scope from
// files. It returns a line for each scope, in the order of their names.
func CheckFiles(contractFile string, archives map[string][]string) ([]byte, error) {
	c, err := contract.ReadFile(contractFile)
	if err != nil {
		return nil, err
	}
	var said []byte
	for _, scope := range slices.Sorted(maps.Keys(archives)) {
		if err := checkFiles(c, scope, archives[scope]); err != nil {
			return nil, err
		}
		said = fmt.Appendf(said, "%s: scope %q is complete\n", c.Name, scope)
	}
	return said, nil
}

func checkFiles(c *contract.Contract, scope string, archives []string) error {
	var opened []*irpa.File
	for _, path := range archives {
		a, err := irpa.Open(path)
		if err != nil {
			return err
		}
		defer a.Close()
		opened = append(opened, a)
	}
	return CheckArchive(c, scope, opened...)
}
