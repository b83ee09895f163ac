package xla

import (
	"context"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/test/optest"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// compare compares XLA with the CPU backend, call by call, and returns the largest
// difference by entry point.
func compare(t *testing.T, build lang.Constructor, o Options) map[string]float64 {
	t.Helper()
	g, err := lang.Capture("m", nil, build)
	require.NoError(t, err)
	c, err := describe.Contract(g)
	require.NoError(t, err)
	cases, err := optest.Cases(c)
	require.NoError(t, err)
	o.Graph, o.Lazy = g, true
	x, err := Open(context.Background(), o)
	require.NoError(t, err)
	defer x.Close()
	reference, err := cpu.Load(g, c, nil)
	require.NoError(t, err)
	defer reference.Close()
	rules := parity.Default()
	rules.NaNEqual = true
	worst := map[string]float64{}
	for _, call := range cases[0].Calls {
		one := parity.Case{Name: call.Entry, Calls: []parity.Call{call}}
		reports, err := parity.Run(context.Background(), one, kept(reference), kept(x), rules)
		if err != nil {
			t.Errorf("%s: %v", call.Entry, err)
			continue
		}
		for _, r := range reports {
			if err := r.Err(); err != nil {
				t.Error(err)
			}
			for _, res := range r.Results {
				worst[call.Entry] = max(worst[call.Entry], res.MaxAbs)
			}
		}
	}
	return worst
}

// kept opens x again and again, and leaves it open.
func kept(x backend.Executable) parity.Open {
	return func() (backend.Executable, error) { return open{x}, nil }
}

type open struct{ backend.Executable }

func (open) Close() error { return nil }

// The whole table of operations, in the element types that its entries have.
func TestOperations(t *testing.T) {
	xlatest.Plugin(t)
	for name, build := range map[string]lang.Constructor{
		"all targets": optest.Model, "CPUs": optest.CPUOnly, "dynamic": optest.Dynamic, "halves": optest.Halves, "tiles": optest.Tiles,
	} {
		t.Run(name, func(t *testing.T) {
			worst := compare(t, build, Options{})
			names := []string{}
			for n := range worst {
				names = append(names, n)
			}
			sort.Slice(names, func(i, j int) bool { return worst[names[i]] > worst[names[j]] })
			for _, n := range names[:min(12, len(names))] {
				t.Logf("%-32s %.3g", n, worst[n])
			}
			require.NotEmpty(t, worst)
		})
	}
}
