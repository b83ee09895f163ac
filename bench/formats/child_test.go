package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/bench/formats/subject"
	"github.com/skainet-dev/skainet-go/internal/errs"
	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
)

// TestMain lets this program be the subject.
func TestMain(m *testing.M) {
	behaviour, ok := os.LookupEnv("BENCH_TEST_SUBJECT")
	if !ok {
		os.Exit(m.Run())
	}
	err := subject.Serve(os.Stdin, os.Stdout, subject.Ready{Version: behaviour}, func(q subject.Request) (subject.Answer, error) {
		switch behaviour {
		case "fails":
			return subject.Answer{}, errors.New("cannot")
		case "babbles":
			fmt.Println("not JSON")
		case "costs nothing":
			return subject.Answer{}, nil
		}
		return subject.Answer{Seconds: 0.5, Sum: q.Do + " " + q.Path}, nil
	})
	if err != nil {
		os.Exit(1)
	}
}

func startFake(t *testing.T, behaviour string) *child {
	t.Helper()
	t.Setenv("BENCH_TEST_SUBJECT", behaviour)
	self, err := os.Executable()
	require.NoError(t, err)
	c, err := launch(context.Background(), io.Discard, "fake", self)
	require.NoError(t, err)
	t.Cleanup(c.stop)
	return c
}

func TestChild(t *testing.T) {
	c := startFake(t, "works")
	require.Equal(t, subject.Ready{Version: "works"}, c.ready)
	for _, path := range []string{"a", "b"} {
		a, err := c.ask(subject.Request{Do: subject.Open, Path: path})
		require.NoError(t, err)
		require.Equal(t, subject.Answer{Seconds: 0.5, Sum: "open " + path}, a)
	}
}

func TestChildFaults(t *testing.T) {
	for _, behaviour := range []string{"fails", "babbles", "costs nothing"} {
		t.Run(behaviour, func(t *testing.T) {
			_, err := startFake(t, behaviour).ask(subject.Request{})
			require.Equal(t, errs.Code("BENCH_SUBJECT"), errs.CodeOf(err))
		})
	}
	_, err := launch(context.Background(), io.Discard, "fake", "./no-such-program")
	require.Equal(t, errs.Code("BENCH_SUBJECT"), errs.CodeOf(err))
}

func TestSame(t *testing.T) {
	a, b := &child{name: "a"}, &child{name: "b"}
	require.NoError(t, same("x", a, b, subject.Answer{Tensors: 1, Sum: "s"}, subject.Answer{Tensors: 1, Sum: "s", Seconds: 1}))
	for _, other := range []subject.Answer{{Tensors: 2, Sum: "s"}, {Tensors: 1, Sum: "t"}} {
		err := same("x", a, b, subject.Answer{Tensors: 1, Sum: "s"}, other)
		require.Equal(t, errs.Code("BENCH_RESULT"), errs.CodeOf(err))
	}
}
