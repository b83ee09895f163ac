//go:build integration

package e2e

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// lines returns the words of each line of a file of backend/argtext, and the contract's entry
// point kinds, which takes three elements of each type (two bools) and returns them
// unchanged.
func lines(t *testing.T, variable string) ([][]string, *contract.Entry) {
	t.Helper()
	b, err := os.ReadFile(path(t, variable))
	require.NoError(t, err)
	var all [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		all = append(all, strings.SplitN(line, " ", 3))
	}
	require.Greater(t, len(all), 100)
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	e, err := c.Entry("kinds")
	require.NoError(t, err)
	return all, e
}

// kinds returns a call with word as the elements of type d and ones elsewhere.
func kinds(e *contract.Entry, d, word string) []string {
	words := call("kinds")
	for _, a := range e.Args {
		element := "1"
		if a.DType.String() == d {
			element = word
		}
		n, _ := a.Shape.Elements() // static
		words = append(words, a.Name+"="+strings.Repeat(","+element, int(n))[1:])
	}
	return words
}

// The bits that an exact comparison of fractions gave.
func TestNarrowFloatsAreNearest(t *testing.T) {
	dir := board(t)
	all, e := lines(t, "HALVES")
	for _, words := range all {
		got := run(t, dir, kinds(e, words[0], words[1])...)
		if words[2] == "none" {
			require.Equal(t, 1, got.status, words)
			require.Contains(t, got.stderr, ", is not a valid "+words[0]+"; ", words)
			continue
		}
		require.Zero(t, got.status, "%s: %s", words, got.stderr)
		code, err := strconv.ParseUint(words[2], 16, 16)
		require.NoError(t, err)
		if words[0] == "bf16" && code&0x7f80 == 0 {
			continue // a subnormal f32 too, which IREE's runtime takes for 0 in a program
		}
		d, err := dtype.Parse(words[0])
		require.NoError(t, err)
		v := tensor.Value{Type: tensor.TypeOf(d, 3)}
		for range 3 {
			v.Bytes = append(v.Bytes, byte(code), byte(code>>8))
		}
		want, err := argtext.Text([]contract.Named{{Name: words[0]}}, []tensor.Value{v})
		require.NoError(t, err)
		require.Contains(t, "\n"+got.stdout, "\n"+want, words)
	}
}

// The runner accepts and rejects what backend/argtext does, with the same messages.
func TestForms(t *testing.T) {
	dir := board(t)
	all, e := lines(t, "FORMS")
	for _, words := range all {
		word, err := strconv.Unquote(words[2])
		require.NoError(t, err)
		args := kinds(e, words[0], word)
		got := run(t, dir, args...)
		if word == "" {
			require.Contains(t, got.stderr, "is not a valid "+words[0]+"; ", words)
			continue
		}
		_, err = argtext.Parse(e, args[len(call("kinds")):])
		if words[1] == "yes" {
			require.NoError(t, err, words)
			require.Zero(t, got.status, "%s: %s", words, got.stderr)
			continue
		}
		require.ErrorContains(t, err, "is not a valid "+words[0]+"; ", words)
		_, want, _ := strings.Cut(err.Error(), "is not a valid ")
		require.Equal(t, 1, got.status, words)
		require.True(t, strings.HasSuffix(got.stderr, ", is not a valid "+want+"\n"), "%s: %s want %s", words, got.stderr, want)
	}
}

// The help of a program is that of `skainet run`, except for the names of dimensions, and for
// open sizes, which the runner takes from files alone.
func TestHelp(t *testing.T) {
	dir := board(t)
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	general := run(t, dir, "--help")
	require.Zero(t, general.status, general.stderr)
	for _, entry := range []string{"", "weighted", "rows"} {
		args := []string{"demo.vmfb", "--help", "--contract=demo.contract.json"}
		if entry != "" {
			args = append(args, "--entry", entry)
		}
		want, err := argtext.Usage(c, entry)
		require.NoError(t, err)
		want = strings.NewReplacer("f32[n?x2]", "f32[?x2]", "elements, whose number tells the size, or a .npy file", "a .npy file, which has its sizes").Replace(want)
		require.Equal(t, outcome{0, general.stdout + "\n" + want, ""}, run(t, dir, args...))
	}
	require.Contains(t, run(t, dir, "-h", "--contract=demo.contract.json", "--entry=none").stderr, "CONTRACT_NO_ENTRY: ")
}
