package cli

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
)

// byteSize is a flag for a number of bytes: 4GiB, 500MB, 1000000.
type byteSize int64

func (s *byteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil {
		return err
	}
	if n == 0 || n > math.MaxInt64 {
		return fmt.Errorf("%q is no positive number of bytes", text)
	}
	*s = byteSize(n)
	return nil
}

func (s *byteSize) String() string {
	if *s == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*s))
}

// Type is what help calls a value.
func (s *byteSize) Type() string { return "size" }
