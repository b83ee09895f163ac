//go:build integration

// Package sizes reads the table that the aspect program_sizes writes for an application.
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

const fixture = "//rules/tests/fixture:rows_"

// table returns the lines of a table, without the alignment.
func table(t *testing.T, variable string) []string {
	t.Helper()
	text, err := os.ReadFile(place(t, variable))
	require.NoError(t, err, variable)
	var lines []string
	for line := range strings.Lines(string(text)) {
		lines = append(lines, strings.Join(strings.Fields(line), " "))
	}
	return lines
}

// Each program and archive is listed once, with the size of the file itself, and the
// model's programs that the application does not ship are not listed. The command that runs
// the model brings the programs for other processors of its kind.
func TestTable(t *testing.T) {
	arm, v1, cpu, v4, vnni, archive := size(t, "AARCH64"), size(t, "CPU_V1"), size(t, "CPU"), size(t, "CPU_V4"), size(t, "CPU_VNNI"), size(t, "ARCHIVE")
	all := arm + v1 + cpu + v4 + vnni
	require.Equal(t, []string{
		"program target program bytes archive bytes executables",
		fmt.Sprintf("%svmfb_aarch64 aarch64 %d %d 1", fixture, arm, archive),
		fmt.Sprintf("%svmfb_cpu_x86_64_v1 cpu_x86_64_v1 %d %d 1", fixture, v1, archive),
		fmt.Sprintf("%svmfb_cpu_x86_64_v3 cpu_x86_64_v3 %d %d 1", fixture, cpu, archive),
		fmt.Sprintf("%svmfb_cpu_x86_64_v4 cpu_x86_64_v4 %d %d 1", fixture, v4, archive),
		fmt.Sprintf("%svmfb_cpu_x86_64_v4_vnni cpu_x86_64_v4_vnni %d %d 1", fixture, vnni, archive),
		"",
		"archive scope file bytes",
		fmt.Sprintf("%sirpa model rows_irpa.irpa %d", fixture, archive),
		"",
		fmt.Sprintf("5 programs of %d bytes, 1 archives of %d bytes, %d bytes in all", all, archive, all+archive),
	}, table(t, "TABLE"))
}

// Whatever an attribute's name, and whether it is one target, a list or a dict: its targets are
// listed, whatever characters their names have, and a tool is not.
func TestAttributes(t *testing.T) {
	arm, cpu, vmvx, archive := size(t, "AARCH64"), size(t, "CPU"), size(t, "VMVX"), size(t, "ARCHIVE")
	require.Equal(t, []string{
		"program target program bytes archive bytes executables",
		fmt.Sprintf("%svmfb_aarch64 aarch64 %d %d 1", fixture, arm, archive),
		fmt.Sprintf("%svmfb_cpu_x86_64_v3 cpu_x86_64_v3 %d %d 1", fixture, cpu, archive),
		fmt.Sprintf("//rules/tests/sizes:a|b vmvx %d 0 1", vmvx),
		"",
		"archive scope file bytes",
		fmt.Sprintf("%sirpa model rows_irpa.irpa %d", fixture, archive),
		"",
		fmt.Sprintf("3 programs of %d bytes, 1 archives of %d bytes, %d bytes in all", arm+cpu+vmvx, archive, arm+cpu+vmvx+archive),
	}, table(t, "CRATE"))
}
