package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be the contestant that a variable describes.
func TestMain(m *testing.M) {
	behaviour, ok := os.LookupEnv("BENCH_TEST_CONTESTANT")
	if !ok {
		os.Exit(m.Run())
	}
	if behaviour == "dies" {
		os.Exit(1)
	}
	fmt.Printf("%q\n", behaviour)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch behaviour {
		case "ends":
			os.Exit(0)
		case "babbles":
			fmt.Println("not JSON")
		default:
			fmt.Printf("{\"heard\": %s}\n", lines.Text())
		}
	}
}

func launch(t *testing.T, behaviour string) (*Child, error) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	var ready string
	c, err := Launch(context.Background(), io.Discard, Command{"fake", []string{self}, Environment("BENCH_TEST_CONTESTANT=" + behaviour)}, &ready)
	if err == nil {
		t.Cleanup(c.Stop)
		require.Equal(t, behaviour, ready)
	}
	return c, err
}

func TestChild(t *testing.T) {
	c, err := launch(t, "works")
	require.NoError(t, err)
	for i := range 3 {
		var answer struct{ Heard int }
		require.NoError(t, c.Ask(i, &answer))
		require.Equal(t, i, answer.Heard, "one process serves all questions")
	}
	if _, err := os.Stat("/proc/self/status"); err == nil {
		require.Positive(t, c.Memory("VmRSS"))
	}
	c.Stop()
	require.True(t, c.cmd.ProcessState.Success())
	require.Zero(t, c.Memory("VmRSS"), "it has ended")
	require.Equal(t, CodeContestant, errs.CodeOf(c.Ask("after the end", nil)))
}

func TestChildFaults(t *testing.T) {
	_, err := launch(t, "dies")
	require.Equal(t, CodeContestant, errs.CodeOf(err))
	for _, behaviour := range []string{"ends", "babbles"} {
		c, err := launch(t, behaviour)
		require.NoError(t, err)
		var answer json.RawMessage
		err = c.Ask("x", &answer)
		require.Equal(t, CodeContestant, errs.CodeOf(err), behaviour)
		require.ErrorContains(t, err, "fake")
	}
	_, err = Launch(context.Background(), io.Discard, Command{Name: "none", Args: []string{"./no-such-program"}}, nil)
	require.Equal(t, CodeContestant, errs.CodeOf(err))
}

func TestStatus(t *testing.T) {
	const status = "Name:\tx\nVmHWM:\t    2048 kB\nVmRSS:\t    1536 kB\nVmLck:\tmany kB\nVmPin:\t3 MB\n"
	require.InDelta(t, 1.5, statusMiB(status, "VmRSS"), 0)
	require.InDelta(t, 2, statusMiB(status, "VmHWM"), 0)
	for _, field := range []string{"VmSwap", "VmLck", "VmPin"} {
		require.Zero(t, statusMiB(status, field), field)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("OPENBLAS_CORETYPE", "Nehalem")
	t.Setenv("OMP_NUM_THREADS", "64")
	t.Setenv("OMP", "kept")
	env := Environment(Threads(2)...)
	require.Subset(t, env, []string{"GOMAXPROCS=2", "OMP_NUM_THREADS=2", "OPENBLAS_NUM_THREADS=2", "OMP=kept"})
	require.NotContains(t, env, "OMP_NUM_THREADS=64")
	require.False(t, slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, "OPENBLAS_CORETYPE=") }))
}

func TestRunfile(t *testing.T) {
	_, err := Runfile("nowhere/at/all")
	require.Equal(t, CodeRunfiles, errs.CodeOf(err))
}
