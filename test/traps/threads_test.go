//go:build integration

package traps

import (
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// layered is a model of many dispatches, long and short ones.
func layered(t *testing.T) *dag.Graph {
	t.Helper()
	g, err := lang.Capture("layered", nil, func(m *lang.Module) {
		m.Entry("main", func(f *lang.Func) {
			x := f.Input("x", dtype.F32, 96, 192)
			w := f.Input("w", dtype.F32, 192, 192)
			for range 6 {
				x = x.MatMul(w).Tanh()
				x = x.Sub(x.Mean(true, 1))
				x = x.Softmax(1).Add(x)
			}
			f.Output("y", x)
			f.Output("first", x.Slice(0, 0, 1))
		})
	})
	require.NoError(t, err)
	return g
}

func layeredArgs(t *testing.T, seed float32) []tensor.Value {
	t.Helper()
	x, w := make([]float32, 96*192), make([]float32, 192*192)
	for i := range x {
		x[i] = float32(i*7919%1013)/1013 - seed
	}
	for i := range w {
		w[i] = float32(i*104729%2003)/20030 - 0.05
	}
	return []tensor.Value{value(t, x, 96, 192), value(t, w, 192, 192)}
}

// kept is a folder that keeps the model's program for the tests below.
var kept = sync.OnceValues(func() (*cache.Cache, error) {
	dir, err := os.MkdirTemp(os.Getenv("TEST_TMPDIR"), "kept")
	if err != nil {
		return nil, err
	}
	return cache.Open(dir)
})

// onThreads are the options for so many threads.
func onThreads(t *testing.T, threads int) open.Options {
	t.Helper()
	o := compiled()
	o.Device, o.Workers = "cpu", threads
	var err error
	o.Cache, err = kept()
	require.NoError(t, err)
	return o
}

// Which thread computes a workgroup is no part of the result, and how many there are.
func TestThreads(t *testing.T) {
	g := layered(t)
	var want [][]byte
	for _, threads := range []int{1, 2, 3, 8} {
		x, err := open.Graph(context.Background(), g, onThreads(t, threads))
		require.NoError(t, err)
		for round := range 40 { // the first ones measure how long dispatches take
			seed := float32(round % 4)
			got, err := x.Call(context.Background(), "main", layeredArgs(t, seed)...)
			require.NoError(t, err)
			if threads == 1 && round < 4 {
				want = append(want, got[0].Bytes)
			}
			require.Equal(t, want[round%4], got[0].Bytes, "%d threads, round %d", threads, round)
		}
		require.NoError(t, x.Close())
	}
}

// Sessions of one device call at the same time: one of them has the threads, and the others
// do without.
func TestThreadsOfSessions(t *testing.T) {
	x, err := open.Graph(context.Background(), layered(t), onThreads(t, 3))
	require.NoError(t, err)
	want, err := x.Call(context.Background(), "main", layeredArgs(t, 0.5)...)
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		s, err := x.(backend.Shared).Session(nil)
		require.NoError(t, err)
		args := layeredArgs(t, 0.5)
		all.Go(func() {
			for range 50 {
				got, err := s.Call(context.Background(), "main", args...)
				if err != nil || string(got[0].Bytes) != string(want[0].Bytes) {
					t.Errorf("another result: %v", err)
					return
				}
			}
		})
		defer func() { require.NoError(t, s.Close()) }()
	}
	all.Wait()
	require.NoError(t, x.Close())
}

// Threads end with the device.
func TestThreadsEnd(t *testing.T) {
	count := func() int {
		list, err := os.ReadDir("/proc/self/task")
		require.NoError(t, err)
		return len(list)
	}
	g, before := layered(t), 0
	for round := range 6 {
		x, err := open.Graph(context.Background(), g, onThreads(t, 16))
		require.NoError(t, err)
		for range 3 {
			_, err = x.Call(context.Background(), "main", layeredArgs(t, 0)...)
			require.NoError(t, err)
		}
		require.NoError(t, x.Close())
		if round == 1 {
			before = count()
		}
	}
	require.Eventually(t, func() bool { return count() < before+15 }, 10*time.Second, 50*time.Millisecond,
		"threads of four devices are left, which had 15 each")
}
