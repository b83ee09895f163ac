package fromhlo

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/optest"
)

// returned is a graph that went through its text: what the text takes beside the arguments
// of the graph, values of state variables, is kept between calls.
type returned struct {
	backend.Executable
	contract *contract.Contract // of the graph
	access   map[string]hlo.Access
	states   map[string]tensor.Value
}

func (r returned) Contract() *contract.Contract { return r.contract }

func (r returned) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	a := r.access[entry]
	args = slices.Clone(args)
	for _, name := range a.States {
		args = append(args, r.states[name])
	}
	out, err := r.Executable.Call(ctx, entry, args...)
	if err != nil {
		return nil, err
	}
	n := len(out) - len(a.Writes)
	for i, name := range a.Writes {
		r.states[name] = out[n+i]
	}
	return out[:n], nil
}

func loaded(t *testing.T, g *dag.Graph) backend.Executable {
	t.Helper()
	x, err := open.Graph(context.Background(), g, open.Options{Backend: open.CPU})
	require.NoError(t, err)
	t.Cleanup(func() { x.Close() })
	return x
}

// Every operation of the table goes to text and comes back as a graph that computes the
// same.
func TestOurTexts(t *testing.T) {
	for name, c := range map[string]struct {
		build lang.Constructor
		calls int
	}{
		"all targets": {optest.Model, 150}, "CPUs": {optest.CPUOnly, 1}, "halves": {optest.Halves, 1},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := lang.Capture("m", nil, c.build)
			require.NoError(t, err)
			m, err := hlo.Emit(g, hlo.Options{})
			require.NoError(t, err)
			again, _, err := Graph(m.Text, Options{Inline: -1})
			require.NoError(t, err)
			require.GreaterOrEqual(t, compareCalls(t, g, again, m), c.calls)
		})
	}
}

// Texts with ? come back with the names that their contracts have.
func TestOurDynamicTexts(t *testing.T) {
	g, err := lang.Capture("m", nil, optest.Dynamic)
	require.NoError(t, err)
	for i, f := range g.Funcs {
		if !f.Entry {
			continue
		}
		alone := &dag.Graph{Name: g.Name, States: g.States}
		for _, callee := range g.Funcs[:i] {
			if !callee.Entry {
				alone.Funcs = append(alone.Funcs, callee)
			}
		}
		alone.Funcs = append(alone.Funcs, f)
		m, err := hlo.Emit(alone, hlo.Options{})
		require.NoError(t, err, f.Name)
		shapes := map[string]shape.Shape{}
		for _, a := range m.Contract.Entries[0].Args {
			shapes[a.Name] = a.Shape
		}
		again, _, err := Graph(m.Text, Options{Inline: -1, Shapes: shapes})
		if f.Name == "dynamic_cached" { // writes as many rows as fit: a size that depends on values
			require.Equal(t, CodeSize, errs.CodeOf(err))
			continue
		}
		require.NoError(t, err, f.Name)
		require.Positive(t, compareCalls(t, alone, again, m), f.Name)
	}
}

// compareCalls compares the results of two graphs, and returns the number of calls.
func compareCalls(t *testing.T, g, again *dag.Graph, m *hlo.Module) (calls int) {
	t.Helper()
	cases, err := optest.Cases(m.Contract)
	require.NoError(t, err)
	states := map[string]tensor.Value{}
	for _, s := range g.States {
		if states[s.Name], err = tensor.Zero(s.Type); s.Init != 0 {
			states[s.Name], err = tensor.Of([]int32{int32(s.Init)})
		}
		require.NoError(t, err)
	}
	rules := parity.Default()
	rules.NaNEqual = true
	for _, c := range cases {
		reports, err := parity.Run(context.Background(), c, func() (backend.Executable, error) { return loaded(t, g), nil },
			func() (backend.Executable, error) {
				return returned{loaded(t, again), m.Contract, m.Access, states}, nil
			}, rules)
		require.NoError(t, err)
		for _, r := range reports {
			if err := r.Err(); err != nil {
				t.Error(err)
			}
		}
		calls += len(reports)
	}
	return calls
}
