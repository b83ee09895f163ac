package command

import (
	"fmt"
	"math"
	"strconv"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

// Required marks flags as required.
func Required(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // a flag of this name was not declared: a bug in the command, found by any test
		}
	}
}

// ByteSize is a flag for a number of bytes: 4GiB, 500MB, 1000000.
type ByteSize int64

// Set parses the flag's value.
func (s *ByteSize) Set(text string) error {
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
	*s = ByteSize(n)
	return nil
}

func (s *ByteSize) String() string {
	if *s == 0 {
		return ""
	}
	return humanize.IBytes(uint64(*s))
}

// Type is the name of a value in help texts.
func (s *ByteSize) Type() string { return "size" }

// Cores is a flag for the number of cores to use; 0 means all.
type Cores int

// Set parses the flag's value.
func (c *Cores) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a number of cores; give 1 or more, or 0 for all", text)
	}
	*c = Cores(n)
	return nil
}

func (c *Cores) String() string { return strconv.Itoa(int(*c)) }

// Type is the name of a value in help texts.
func (c *Cores) Type() string { return "int" }
