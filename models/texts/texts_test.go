//go:build integration

// Package texts tests the texts of the real models: they are small, hold no weights, have no
// errors, and IREE reads them in a moment.
package texts

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
)

// limits are the greatest number of bytes and of operations of the plain texts, and the
// greatest length of a constant with more than one value: decoders have tables of angles, with
// a number for each pair of a head's elements, and no text has a row of a weight.
var limits = map[string]struct{ bytes, operations, constant int }{
	"WHISPER": {200_000, 2_000, 64}, "WHISPER_BASE": {290_000, 2_900, 64}, "MINILM": {170_000, 1_700, 64}, "SMOLLM2": {320_000, 2_800, 300}, "GEMMA3": {425_000, 4_300, 1_050},
}

// valued are constants with more than one value: a list, or the bytes of many.
var valued = regexp.MustCompile(`dense<("0x[0-9A-F]*"|\[[^>]*\])>`)

func path(t *testing.T, variable string) string {
	t.Helper()
	p, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err, variable)
	p, err = filepath.Abs(p)
	require.NoError(t, err)
	return p
}

func TestTexts(t *testing.T) {
	for name, limit := range limits {
		t.Run(name, func(t *testing.T) {
			file := path(t, name)
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.Less(t, len(text), limit.bytes)
			operations, err := verify.Operations(name, text)
			require.NoError(t, err)
			require.Less(t, operations, int64(limit.operations))
			for _, constant := range valued.FindAll(text, -1) {
				require.Less(t, len(constant), limit.constant, "%.80s", constant)
			}

			begun := used(t, syscall.RUSAGE_SELF)
			require.Empty(t, verify.Text(name, text))
			ours := used(t, syscall.RUSAGE_SELF) - begun

			cmd := exec.Command(path(t, "PARSER"), file, "-o", os.DevNull) // IREE parses and verifies
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			theirs := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			t.Logf("%d bytes, %d operations; verified in %v and parsed by IREE in %v of processor time", len(text), operations, ours, theirs)
			require.Less(t, ours+theirs, time.Second)
		})
	}
}

// used is the processor time of this process.
func used(t *testing.T, who int) time.Duration {
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(who, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
