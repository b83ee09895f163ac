package cli

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
)

// readContract reads a contract file; errors name it.
func readContract(path string) (*contract.Contract, error) {
	data, err := filemap.ReadFile(path, filemap.MaxDocument)
	if err != nil {
		return nil, err
	}
	c, err := contract.Parse(data)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return c, nil
}
