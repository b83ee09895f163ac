package cli

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
)

// byteSize is a flag for a number of bytes: 4GiB, 500MB, 1000000.
type byteSize int64

func (s *byteSize) Set(text string) error {
	n, err := humanize.ParseBytes(text)
	if err != nil {
		return fmt.Errorf("%q is not a size; give one such as 4GiB, 500MB or 1000000", text)
	}
	if n == 0 {
		return fmt.Errorf("%q is not a positive number of bytes", text)
	}
	if n > math.MaxInt64 {
		return fmt.Errorf("%q is more than %d bytes, the most that can be given", text, int64(math.MaxInt64))
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

// cores is a flag for how many to use; 0 is all.
type cores int

func (c *cores) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a number of cores; give 1 or more, or 0 for all", text)
	}
	*c = cores(n)
	return nil
}

func (c *cores) String() string { return strconv.Itoa(int(*c)) }

// Type is what help calls a value.
func (c *cores) Type() string { return "int" }

// counted gives "1 thing" or "2 things".
func counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
