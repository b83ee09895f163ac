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

// The compiler's memory plan, by its own account.
//
// A cache of keys or values is 1 MiB, the smallest weight unpacked to f32 is 640
// kB, and what the layers compute for one token is a few kB: only buffers of the
// last size, and the logits, may be allocated or copied in a step.
func TestStepsWorkInPlace(t *testing.T) {
	text, err := os.ReadFile(reference.Path(t, "PLAN"))
	require.NoError(t, err)

	const logits = 4 * 262144
	entries := functions(string(text))
	for _, name := range []string{"prefill", "decode", "generate"} {
		require.Contains(t, entries, name)
		require.Greater(t, strings.Count(entries[name], "stream.cmd.dispatch"), 300, "the text has the expected form")
		for _, size := range copied.FindAllStringSubmatch(entries[name], -1) {
			n, err := strconv.Atoi(size[1])
			require.NoError(t, err)
			if n != logits { // which generate carries from one token to the next
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

// functions splits a module into its entry points.
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
