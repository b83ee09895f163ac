//go:build integration

// Package sizes reads the table that the aspect program_sizes makes of an application.
package sizes

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
)

func place(t *testing.T, variable string) string {
	t.Helper()
	path, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err, variable)
	return path
}

func size(t *testing.T, variable string) int64 {
	t.Helper()
	st, err := os.Stat(place(t, variable))
	require.NoError(t, err)
	return st.Size()
}

// Each program and archive is there once, with the bytes of the file itself, and the
// programs of the model that the application does not ship are not.
func TestTable(t *testing.T) {
	text, err := os.ReadFile(place(t, "TABLE"))
	require.NoError(t, err)
	var lines []string
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	const fixture = "//rules/tests/fixture:rows_"
	arm, cpu, archive := size(t, "AARCH64"), size(t, "CPU"), size(t, "ARCHIVE")
	require.Equal(t, []string{
		"program target program bytes archive bytes executables",
		fmt.Sprintf("%svmfb_aarch64 aarch64 %d %d 1", fixture, arm, archive),
		fmt.Sprintf("%svmfb_cpu_x86_64_v3 cpu_x86_64_v3 %d %d 1", fixture, cpu, archive),
		"",
		"archive scope bytes",
		fmt.Sprintf("%sirpa model %d", fixture, archive),
		"",
		fmt.Sprintf("2 programs of %d bytes, 1 archives of %d bytes, %d bytes in all", arm+cpu, archive, arm+cpu+archive),
	}, lines)
}
