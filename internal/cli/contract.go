package cli

import (
	"os"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
)

// readContract reads a contract file; errors name it.
func readContract(path string) (*contract.Contract, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, errs.Wrap(filemap.CodeOpen, err, "cannot open the contract").In(path).
			Hint("check the name and the permissions")
	}
	c, err := contract.Parse(data)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return c, nil
}
