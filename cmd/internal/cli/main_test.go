package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/examples/staircase/linear"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/rules/tools/exportmain"
)

// If modelVariable names a model, this program is its exporter; if asProgram
// is set, it is the command line, for each line of standard input, and writes the exit
// statuses and its peak memory.
const (
	modelVariable = "CLI_TEST_MODEL"
	asProgram     = "SKAINET_TEST_AS_PROGRAM"
)

func TestMain(m *testing.M) {
	child.Main()
	if model := os.Getenv(modelVariable); model != "" {
		build := map[string]lang.Constructor{"linear": linear.Model, "weights": needsWeights}[model]
		os.Exit(exportmain.Main(build, os.Args[1:], os.Stderr))
	}
	if os.Getenv(asProgram) == "" {
		os.Exit(m.Run())
	}
	lines, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(lines)) {
		status := Main(strings.Fields(line), io.Discard, os.Stderr)
		os.Stdout.WriteString(strconv.Itoa(status) + "\n")
	}
	os.Stdout.WriteString(peakMemory() + "\n")
}

// peakMemory returns the peak of this process's memory in KiB where Linux tells it, "" elsewhere.
// The resource usage of a child would not do: it counts the memory of the process that
// started it.
func peakMemory() string {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(status)) {
		if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			return strings.TrimSuffix(strings.TrimSpace(peak), " kB")
		}
	}
	return ""
}

// needsWeights is a model that requires an index.
func needsWeights(m *lang.Module) { m.Index() }

// exporter returns the exporter of a model, like one declared by skainet_model.
func exporter(t *testing.T, model string) string {
	t.Helper()
	own, err := os.Executable()
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), model+"_exporter")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\n%s=%s exec '%s' \"$@\"\n", modelVariable, model, own), 0o755))
	return path
}
