package contract

import (
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// ReadFile reads the contract in a file. Errors name the file.
func ReadFile(path string) (*Contract, error) {
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, err
	}
	c, err := Parse(data)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return c, nil
}
