package xla

import (
	"archive/zip"
	"bytes"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// graphName is the part of a portable file that has the graph.
const graphName = "graph.json"

// WritePortable writes a file with the graph of o, its level and its sizes, and no code: Open
// takes it as Options.Program on any machine and with any plugin, and compiles it there.
// Nothing is compiled now, and no plugin is needed; a graph that has no text for XLA is an
// error all the same.
func WritePortable(path string, o Options) error {
	if o.Graph == nil {
		return errs.New(pjrt.CodeProgram, "no graph was given")
	}
	if _, err := xlatext.Compile(o.Level, o.Without...); err != nil {
		return err
	}
	c, err := describe.Contract(o.Graph)
	if err != nil {
		return err
	}
	err = each(o.Graph, c, o.Sizes, func(entry *contract.Entry, sizes map[string]int64) error {
		_, err := xlatext.Emit(o.Graph, entry.Name, sizes, xlatext.Options{Without: o.Without})
		return on(err, entry.Name)
	})
	if err != nil {
		return err
	}
	graph, err := graphjson.Marshal(o.Graph)
	if err != nil {
		return err
	}
	m := manifest{Schema: schema, Level: levelOf(o), Contract: c, Sizes: o.Sizes, Graph: graphName}
	return m.write(path, func(z *zip.Writer) error { return store(z, graphName, graph) })
}

// levelOf returns the level of o by its name.
func levelOf(o Options) string {
	if o.Level == "" {
		return xlatext.DefaultLevel
	}
	return o.Level
}

// readGraph reads the graph of a portable file, and compares its contract with the file's.
func (f *file) readGraph() error {
	m := &f.manifest
	if m.Maker != nil || len(m.Programs) > 0 || len(m.States) > 0 || m.Mesh != nil {
		return damaged(f.path, nil, "there is a graph, and programs of it")
	}
	if _, err := xlatext.Compile(m.Level); err != nil {
		return damaged(f.path, err, "the level is none")
	}
	g, err := graphjson.Parse(f.parts[m.Graph])
	if err != nil {
		return damaged(f.path, err, "the part %s is no graph", m.Graph)
	}
	c, err := describe.Contract(g)
	if err != nil {
		return damaged(f.path, err, "the graph has no contract")
	}
	there, err := m.Contract.Marshal()
	if err != nil {
		return damaged(f.path, err, "the contract is none")
	}
	if own, err := c.Marshal(); err != nil || !bytes.Equal(own, there) {
		return damaged(f.path, err, "the contract is not that of the graph")
	}
	f.graph = g
	return nil
}

// source returns what the programs of the file come from.
func (f *file) source(o Options) source {
	if f.graph == nil {
		return f
	}
	if o.Level == "" {
		o.Level = f.manifest.Level
	}
	o.Graph, o.Sizes = f.graph, append(o.Sizes[:len(o.Sizes):len(o.Sizes)], f.manifest.Sizes...)
	return newCompiled(o)
}

// mesh returns the devices that the programs are for.
func (f *file) mesh() *dag.Mesh {
	if f.graph != nil {
		return f.graph.Mesh
	}
	return f.manifest.Mesh
}

// ReadGraph returns the graph of a portable file.
func ReadGraph(path string) (*dag.Graph, error) {
	f, err := readFile(path)
	if err != nil {
		return nil, err
	}
	if f.graph == nil {
		return nil, errs.New(pjrt.CodeProgram, "the file has programs, and no graph").In(path).Hint("make a portable one")
	}
	return f.graph, nil
}
