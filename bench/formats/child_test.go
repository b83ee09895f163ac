package main

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/formats/contestant"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// TestMain lets this program be the contestant.
func TestMain(m *testing.M) {
	behaviour, ok := os.LookupEnv("BENCH_TEST_CONTESTANT")
	if !ok {
		os.Exit(m.Run())
	}
	err := contestant.Serve(os.Stdin, os.Stdout, contestant.Ready{Version: behaviour}, func(q contestant.Request) (contestant.Answer, error) {
		switch behaviour {
		case "fails":
			return contestant.Answer{}, errors.New("cannot")
		case "costs nothing":
			return contestant.Answer{}, nil
		}
		return contestant.Answer{Seconds: 0.5, Sum: q.Do + " " + q.Path}, nil
	})
	if err != nil {
		os.Exit(1)
	}
}

func TestAsk(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for behaviour, want := range map[string]errs.Code{"works": "", "fails": "BENCH_SUBJECT", "costs nothing": "BENCH_SUBJECT"} {
		t.Run(behaviour, func(t *testing.T) {
			t.Setenv("BENCH_TEST_CONTESTANT", behaviour)
			c := &child{}
			c.Child, err = harness.Launch(context.Background(), io.Discard, harness.Command{Name: "fake", Args: []string{self}}, &c.ready)
			require.NoError(t, err)
			t.Cleanup(c.Stop)
			require.Equal(t, contestant.Ready{Version: behaviour}, c.ready)
			a, err := c.ask(contestant.Request{Do: contestant.Open, Path: "a"})
			require.Equal(t, want, errs.CodeOf(err))
			if err == nil {
				require.Equal(t, contestant.Answer{Seconds: 0.5, Sum: "open a"}, a)
			}
		})
	}
}

func TestMissingRunfile(t *testing.T) {
	_, err := start(context.Background(), &bench{stderr: io.Discard}, "fake", "nowhere/at/all")
	require.Equal(t, errs.Code("BENCH_RUNFILES"), errs.CodeOf(err))
}

func TestSame(t *testing.T) {
	a, b := &child{Child: &harness.Child{Name: "a"}}, &child{Child: &harness.Child{Name: "b"}}
	require.NoError(t, same("x", a, b, contestant.Answer{Tensors: 1, Sum: "s"}, contestant.Answer{Tensors: 1, Sum: "s", Seconds: 1}))
	for _, other := range []contestant.Answer{{Tensors: 2, Sum: "s"}, {Tensors: 1, Sum: "t"}} {
		err := same("x", a, b, contestant.Answer{Tensors: 1, Sum: "s"}, other)
		require.Equal(t, errs.Code("BENCH_RESULT"), errs.CodeOf(err))
	}
}
