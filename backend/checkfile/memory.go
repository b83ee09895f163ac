package checkfile

import (
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/io/plan"
)

// Memory is what a program takes. Values are those of one call as the CPU backend plans
// them: a compiled program fuses some of them, so for it they are an upper bound.
type Memory struct {
	Weights int64 `json:"weights"` // in the archive of a program
	States  int64 `json:"states"`  // in a program, which keeps each in its own type
	// Held is States in the CPU backend, which holds f16 and bf16 as f32.
	Held   int64 `json:"states_cpu_backend"`
	Values int64 `json:"values"`
	// Dynamic reports whether a call chooses sizes; the values that have them are not
	// counted.
	Dynamic bool  `json:"dynamic"`
	Rows    []Row `json:"targets"`
}

// Row is where the bytes are for a target, as skainet plan counts them.
type Row struct {
	Target string `json:"target"`
	Mapped int64  `json:"mapped"`
	Host   int64  `json:"host"`
	Device int64  `json:"device"`
}

// Backend is the name of the row of the CPU backend, which is no target.
const Backend = "--backend=cpu"

func memoryOf(g *dag.Graph, c *contract.Contract) (*Memory, error) {
	need, err := open.Memory(g)
	if err != nil {
		return nil, err
	}
	m := &Memory{Held: need.States, Values: need.Values}
	for _, s := range g.States {
		n, err := s.Type.Bytes()
		if err != nil {
			return nil, err
		}
		m.States += n
	}
	for _, p := range c.Parameters {
		m.Weights += p.Bytes
	}
	for _, f := range g.Funcs {
		m.Dynamic = m.Dynamic || f.Entry && !f.IsStatic()
	}
	m.Rows = append(m.Rows, Row{Target: Backend, Host: need.Weights + need.States + need.Values})
	for _, name := range plan.Targets() {
		r := Row{Target: name, Mapped: m.Weights, Host: m.States + m.Values}
		if plan.OnDevice(name) {
			r.Host, r.Device = 0, m.Weights+m.States+m.Values
		}
		m.Rows = append(m.Rows, r)
	}
	return m, nil
}
