package main

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/bench/whisper/contestant"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be the contestant: its behaviour is its last argument.
func TestMain(m *testing.M) {
	behaviour, ok := os.LookupEnv("BENCH_TEST_CONTESTANT")
	if !ok {
		os.Exit(m.Run())
	}
	runs := 0
	err := contestant.Serve(os.Stdin, os.Stdout, contestant.Ready{Version: behaviour, Load: 0.5}, func() (contestant.Run, error) {
		runs++
		switch {
		case behaviour == "fails" && runs == 2:
			return contestant.Run{}, errors.New("cannot any more")
		case behaviour == "costs nothing":
			return contestant.Run{Text: "t"}, nil
		}
		return contestant.Run{Text: "t", CPU: float64(runs)}, nil
	})
	if err != nil {
		os.Exit(1)
	}
}

func startFake(t *testing.T, behaviour string) (*child, error) {
	t.Setenv("BENCH_TEST_CONTESTANT", behaviour)
	self, err := os.Executable()
	require.NoError(t, err)
	return start(context.Background(), spec{name: "fake", command: func(func(string) string) []string { return []string{self} }}, io.Discard)
}

func TestChild(t *testing.T) {
	c, err := startFake(t, "works")
	require.NoError(t, err)
	require.Equal(t, contestant.Ready{Version: "works", Load: 0.5}, c.ready)
	for i := 1; i <= 3; i++ {
		r, err := c.transcribe()
		require.NoError(t, err)
		require.Equal(t, float64(i), r.CPU, "one process serves all rounds")
	}
	c.Stop()
}

func TestChildFaults(t *testing.T) {
	for _, c := range []struct {
		behaviour string
		good      int // transcriptions before the fault
	}{{"fails", 1}, {"costs nothing", 0}} {
		t.Run(c.behaviour, func(t *testing.T) {
			fake, err := startFake(t, c.behaviour)
			require.NoError(t, err)
			defer fake.Stop()
			for range c.good {
				_, err := fake.transcribe()
				require.NoError(t, err)
			}
			_, err = fake.transcribe()
			require.Equal(t, errs.Code("BENCH_SUBJECT"), errs.CodeOf(err))
		})
	}
}

func TestUnknownNames(t *testing.T) {
	_, _, err := harness.Choose(contestants(model{programV3: "p"}, "c"), []string{"ours-v5"})
	require.Equal(t, errs.Code("BENCH_FLAGS"), errs.CodeOf(err))
	require.Equal(t, errs.Code("BENCH_FLAGS"), errs.CodeOf(run(context.Background(), &options{}, io.Discard, io.Discard)))
}
