package argtext

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

//go:embed testdata/halves.txt
var halves string

// A text is rounded once: testdata/halves.py compares fractions.
func TestNarrowFloatsAreNearest(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(halves), "\n")
	require.Greater(t, len(lines), 200)
	for _, line := range lines {
		words := strings.Fields(line)
		d, err := dtype.Parse(words[0])
		require.NoError(t, err)
		e := &contract.Entry{Name: "e", Args: []contract.Named{arg("x", d)}}
		got, err := Parse(e, []string{"x=" + words[1]})
		if words[2] == "none" {
			require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err), line)
			continue
		}
		require.NoError(t, err, line)
		require.Equal(t, words[2], fmt.Sprintf("%04x", binary.LittleEndian.Uint16(got[0].Bytes)), line)
	}
}

//go:embed testdata/forms.txt
var formList string

// The texts that are elements of a type, and those that are none; the static runner's test
// reads the same file.
func TestForms(t *testing.T) {
	seen := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(formList), "\n") {
		fields := strings.SplitN(line, " ", 3)
		d, err := dtype.Parse(fields[0])
		require.NoError(t, err)
		word, err := strconv.Unquote(fields[2])
		require.NoError(t, err, line)
		e := &contract.Entry{Name: "e", Args: []contract.Named{arg("x", d, 2)}}
		_, err = Parse(e, []string{"x=1," + word})
		seen[fields[1]]++
		if fields[1] == "yes" {
			require.NoError(t, err, line)
			continue
		}
		require.Equal(t, backend.CodeBadArgument, errs.CodeOf(err), line)
		require.ErrorContains(t, err, fmt.Sprintf("element 1, %q, is not a valid %s; %s", word, d, forms(d)))
	}
	require.Greater(t, seen["yes"], 40)
	require.Greater(t, seen["no"], 40)
	for d, want := range map[dtype.DType]string{
		dtype.Bool: "write true, false, 1 or 0",
		dtype.U8:   "write an integer in its range, such as 12 or 0x1f",
		dtype.BF16: "write a number in its range, such as -1.5, 1e-3, 0x1.8p-3, inf or nan",
	} {
		require.Equal(t, want, forms(d))
	}
}
