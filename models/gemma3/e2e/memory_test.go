//go:build integration

package e2e

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/test/reference"
)

// What the compiler plans to do with memory, by its own account.
//
// A cache of keys or values is 1 MiB, the smallest weight unpacked to f32 640 kB, and
// what a decoder's layers compute for one token a few kB: numbers of that size are
// all that may be allocated or copied in a step, besides the logits.
func TestStepsWorkInPlace(t *testing.T) {
	text, err := os.ReadFile(reference.Path(t, "PLAN"))
	require.NoError(t, err)

	const logits = 4 * 262144
	entries := functions(string(text))
	for _, name := range []string{"prefill", "decode", "generate"} {
		require.Contains(t, entries, name)
		require.Greater(t, strings.Count(entries[name], "stream.cmd.dispatch"), 300, "the text is what this test takes it for")
		for _, size := range copied.FindAllStringSubmatch(entries[name], -1) {
			n, err := strconv.Atoi(size[1])
			require.NoError(t, err)
			if n != logits { // which generate carries from one choice to the next
				require.Less(t, n, 64<<10, "%s copies %d bytes", name, n)
			}
		}
	}
	sizes := allocated.FindAllStringSubmatch(entries["decode"], -1)
	require.NotEmpty(t, sizes)
	for _, size := range sizes {
		n, err := strconv.Atoi(size[1])
		require.NoError(t, err)
		if n != logits {
			require.Less(t, n, 128<<10, "a step allocates %d bytes", n)
		}
	}
}

var (
	copied    = regexp.MustCompile(`stream\.cmd\.copy [^,]*, [^,]*, %c([0-9]+) :`)
	allocated = regexp.MustCompile(`stream\.resource\.alloca [^\n]*!stream\.resource<[a-z]+>\{%c([0-9]+)\}`)
	function  = regexp.MustCompile(`(?m)^  util\.func public @([a-z_]+)\(`)
)

// functions cuts a module into its entry points.
func functions(text string) map[string]string {
	list := map[string]string{}
	at := function.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		list[text[m[2]:m[3]]] = text[m[0]:end]
	}
	return list
}
