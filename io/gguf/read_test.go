package gguf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/badfiles"
	"github.com/skainet-dev/skainet-go/internal/badfiles/badtest"
	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
)

// memory is the source of a file that is not mapped.
type memory []byte

func (m memory) view(off, n int64, f func(b []byte) error) error { return f(m[off : off+n : off+n]) }

func parseBytes(b []byte) error {
	_, err := parse(b, int64(len(b)), memory(b), new(errs.Faults))
	return err
}

func TestBadFiles(t *testing.T) {
	badtest.Run(t, badfiles.GGUF(), badtest.Readers{
		Parse:  parseBytes,
		Verify: Verify,
		Open: func(path string) error {
			f, err := Open(path)
			if err == nil {
				require.NoError(t, f.Close())
			}
			return err
		},
	})
}
