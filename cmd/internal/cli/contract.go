package cli

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// readContract reads a contract file; errors name it.
func readContract(path string) (*contract.Contract, error) {
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, err
	}
	c, err := contract.Parse(data)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return c, nil
}
