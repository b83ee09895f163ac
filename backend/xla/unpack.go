package xla

import (
	"context"
	"maps"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// The forms of weights that an archive has in blocks.
const (
	// Packed has the blocks in memory. Each call unpacks the weights that it reads.
	Packed = "packed"
	// Unpacked has what is in them, f32, which programs on the device make when a session is
	// opened: a call reads that alone.
	Unpacked = "unpacked"
)

// CodeWeights is the code of a form that cannot be.
const CodeWeights errs.Code = "XLA_WEIGHTS" // smallest input: Weights: "half"

// checkForm returns an error for a form that does not exist, or that a file has not.
func checkForm(o Options, compiles bool) error {
	if o.Weights == Unpacked && !compiles {
		return errs.New(CodeWeights, "the programs of a file read packed weights").In(o.Program).Hint("open the graph, or a portable file, to have them unpacked")
	}
	return CheckForm(o.Weights)
}

// CheckForm returns an error if Options.Weights cannot be form.
func CheckForm(form string) error {
	switch form {
	case "", Packed, Unpacked:
		return nil
	}
	return errs.New(CodeWeights, "unknown form %q of weights", form).Hint("use %s or %s, or none for the one that the memory has room for", Packed, Unpacked)
}

// unpack makes the programs read unpacked weights, if they are asked for, or if nothing is said
// and the devices have twice the memory for them.
func (c *compiled) unpack(e *engine) error {
	if c.o.Weights == Packed {
		return nil
	}
	g, list, err := dag.Unpacked(c.graph)
	if err != nil || len(list) == 0 {
		return err
	}
	var n need
	for _, u := range list {
		n.value(e, u.Logical(), u.Sharding)
	}
	const hint = "keep the weights packed, or use a device with more memory"
	if c.o.Weights == "" {
		n.device = plus(n.device, n.device)
	}
	if err := e.room(n, "the unpacked weights", hint); err != nil {
		if c.o.Weights == "" {
			return nil
		}
		return err
	}
	if g.Mesh.Spans() { // the blocks are brought as they are split
		mesh := *g.Mesh
		mesh.Parameters = maps.Clone(g.Mesh.Parameters)
		maps.Copy(mesh.Parameters, c.graph.Mesh.Parameters)
		e.mesh = &mesh
	}
	c.graph, e.unpacked = g, list
	return nil
}

// unpackIn makes the unpacked weights of a scope, and frees the blocks that no program reads.
func (e *engine) unpackIn(scope string, s *scope) error {
	for i := range e.unpacked {
		u := &e.unpacked[i]
		blocks := s.weights[u.Key]
		if u.Scope != scope || blocks == nil {
			continue
		}
		x, err := e.unpacker(u)
		if err != nil {
			return on(err, u.Key)
		}
		lists := make([][]*pjrt.Buffer, len(e.devices))
		for d := range lists {
			lists[d] = []*pjrt.Buffer{blocks[d]}
		}
		run, err := x.StartOn(lists...)
		if err != nil {
			return on(err, u.Key)
		}
		if err := run.Wait(); err != nil {
			_ = run.Close()
			return on(err, u.Key)
		}
		var dense spread
		for _, results := range run.Devices {
			dense = append(dense, results[0])
		}
		s.weights[u.Unpacked] = dense
		if !u.WithBlocks {
			delete(s.weights, u.Key)
			if err := blocks.Close(); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpacker returns the program that unpacks such a weight: one for all of its type.
func (e *engine) unpacker(u *dag.Unpacking) (*pjrt.Executable, error) {
	e.programs.wait()
	defer e.programs.leave()
	c := e.source.(*compiled)
	name := "unpack " + string(u.Encoding) + " " + u.Type.String() + " " + u.Sharding.String()
	if p := c.known[name]; p != nil {
		return p.executable, nil
	}
	g, err := u.Graph(e.mesh)
	if err != nil {
		return nil, err
	}
	m, err := xlatext.Emit(g, g.Funcs[0].Name, nil, xlatext.Options{Without: c.o.Without})
	if err != nil {
		return nil, err
	}
	x, err := c.executable(context.Background(), e, name, nil, m)
	if err != nil {
		return nil, err
	}
	c.keep(name, &program{executable: x, stays: true})
	return x, nil
}
