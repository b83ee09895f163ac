//go:build !linux

package atomicfile

import (
	"errors"
	"os"
)

// Files without a name are Linux's.

func unnamed(string) *os.File { return nil }

func link(*os.File, string) error { return errors.ErrUnsupported }

func (t *temp) linkTemporary() error { return errors.ErrUnsupported }
