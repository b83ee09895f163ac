package piper

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The program of the BUILD file and a file that is imported when it is spoken with are cut
// at the same tensors, with the same sizes.
func TestBuild(t *testing.T) {
	build, err := os.ReadFile("BUILD.bazel")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(build), "cut = [")
	require.True(t, ok)
	list, rest, _ := strings.Cut(rest, "]")
	var cut []string
	for _, line := range strings.Split(list, "\n") {
		if part := strings.Split(line, `"`); len(part) == 3 {
			cut = append(cut, part[1])
		}
	}
	require.Equal(t, cut, Cut())
	_, rest, _ = strings.Cut(rest, "shapes = {")
	table, _, _ := strings.Cut(rest, "}")
	var shapes []string
	for _, line := range strings.Split(table, "\n") {
		if part := strings.Split(line, `"`); len(part) == 5 {
			shapes = append(shapes, part[1]+"="+part[3])
		}
	}
	require.Equal(t, shapes, Shapes())
}
