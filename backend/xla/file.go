package xla

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
)

// manifest describes the programs of a file, or what they are compiled of.
type manifest struct {
	Schema   int                `json:"schema"`
	Maker    *maker             `json:"maker,omitempty"` // nil in a portable file
	Level    string             `json:"level"`
	Contract *contract.Contract `json:"contract"`
	States   []state            `json:"states,omitempty"`
	Programs []member           `json:"programs,omitempty"`
	// Of a portable file: the part that has the graph, and the sizes that it is compiled for.
	Graph string             `json:"graph,omitempty"`
	Sizes []map[string]int64 `json:"sizes,omitempty"`
	Mesh  *dag.Mesh          `json:"mesh,omitempty"`
}

// member is a program of a file.
type member struct {
	Entry  string           `json:"entry"`
	Sizes  map[string]int64 `json:"sizes,omitempty"`
	File   string           `json:"file"`
	Access hlo.Access       `json:"access"`
}

// Write compiles the graph of o for the sizes of o, and writes a file of the programs that
// Open takes as Options.Program, where the same build of the plugin runs on such a processor.
// Archives are not read, and the cache is not used.
func Write(ctx context.Context, path string, o Options) error {
	if o.Graph == nil {
		return errs.New(pjrt.CodeProgram, "no graph was given")
	}
	if err := checkForm(o, false); err != nil {
		return err
	}
	if err := o.Buckets.exactly(path); err != nil {
		return err
	}
	c, err := describe.Contract(o.Graph)
	if err != nil {
		return err
	}
	o.Cache = nil // a program that was loaded is not written whole
	from := newCompiled(o)
	e, err := newEngine(o, c, from, o.Graph.Mesh)
	if err != nil {
		return err
	}
	defer e.giveUp(ctx)
	made, err := e.maker()
	if err != nil {
		return err
	}
	m := manifest{Schema: schema, Maker: &made, Level: levelOf(o), Contract: c, States: from.states(), Mesh: o.Graph.Mesh}
	var parts [][]byte
	err = each(o.Graph, c, o.Sizes, func(entry *contract.Entry, sizes map[string]int64) error {
		p, err := e.find(ctx, entry, sizes)
		if err != nil {
			return err
		}
		part, err := p.executable.Serialize()
		m.Programs = append(m.Programs, member{entry.Name, sizes, fmt.Sprintf("%04d", len(parts)), p.access})
		parts = append(parts, part)
		return on(err, entry.Name)
	})
	if err != nil {
		return err
	}
	for i := range c.Entries {
		if !slices.ContainsFunc(m.Programs, func(p member) bool { return p.Entry == c.Entries[i].Name }) {
			return errs.New(CodeSizes, "the entry point has dynamic sizes, and no sizes were given to compile it for").On(c.Entries[i].Name).
				Hint("name them: %s", Spelled(dynamicSizes(&c.Entries[i])))
		}
	}
	return m.write(path, func(z *zip.Writer) error {
		for i, p := range m.Programs {
			if err := store(z, p.File, parts[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// write writes a file of the manifest and what f stores.
func (m *manifest) write(path string, f func(z *zip.Writer) error) error {
	document, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return errs.Wrap(pjrt.CodeProgram, err, "the file cannot be written").In(path)
	}
	return atomicfile.WriteAll(atomicfile.File{Path: path, Write: func(w io.Writer) error {
		z := zip.NewWriter(w)
		if err := store(z, manifestName, document); err != nil {
			return err
		}
		if err := f(z); err != nil {
			return err
		}
		return z.Close()
	}})
}

// dynamicSizes are the names of the dynamic sizes of an entry point, each with a size of 1.
func dynamicSizes(e *contract.Entry) map[string]int64 {
	sizes := map[string]int64{}
	for _, a := range e.Args {
		for _, d := range a.Shape {
			if !d.IsStatic() {
				sizes[d.Name] = 1
			}
		}
	}
	return sizes
}

// file is an open file of programs, of which each is loaded when it is first called.
type file struct {
	path     string
	manifest manifest
	parts    map[string][]byte
	known    map[string]*program
	graph    *dag.Graph // of a portable file, else nil
}

// readFile reads and checks a file.
func readFile(path string) (*file, error) {
	a, err := openArchive(path)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	f := &file{path: path, parts: map[string][]byte{}, known: map[string]*program{}}
	document, err := a.part(manifestName, maxManifest)
	if err != nil {
		return nil, err
	}
	if jsonlimit.Exceeds(document, maxNesting, maxValues) >= 0 {
		return nil, damaged(path, nil, "the part %s is larger than any of a program", manifestName)
	}
	d := json.NewDecoder(bytes.NewReader(document))
	d.DisallowUnknownFields()
	if err := d.Decode(&f.manifest); err != nil {
		return nil, damaged(path, err, "the part %s is not that of a program", manifestName)
	}
	m := &f.manifest
	if m.Schema != schema || m.Contract == nil {
		return nil, damaged(path, nil, "the part %s has schema %d, this program reads %d", manifestName, m.Schema, schema)
	}
	if m.Graph != "" {
		if f.parts[m.Graph], err = a.part(m.Graph, maxPart); err != nil {
			return nil, err
		}
		return f, f.readGraph()
	}
	if m.Maker == nil {
		return nil, damaged(path, nil, "the part %s does not say what compiled the programs", manifestName)
	}
	if m.Mesh != nil {
		if err := m.Mesh.Check(m.Contract.Name); err != nil {
			return nil, damaged(path, err, "the part %s has no mesh of devices", manifestName)
		}
		if err := m.Mesh.CheckValues(m.values()); err != nil {
			return nil, damaged(path, err, "the part %s splits what the programs do not have", manifestName)
		}
	}
	states := map[string]bool{}
	for _, s := range m.States {
		t := stateType(s)
		if n, err := t.Bytes(); err != nil || n < 0 || !t.Shape.IsStatic() || states[s.Name] {
			return nil, damaged(path, err, "the state variable %q has no type", s.Name)
		}
		states[s.Name] = true
	}
	for _, p := range m.Programs {
		if _, err := m.Contract.Entry(p.Entry); err != nil || p.File == manifestName || f.parts[p.File] != nil {
			return nil, damaged(path, err, "the program of %q is missing", p.Entry)
		}
		if f.parts[p.File], err = a.part(p.File, maxPart); err != nil {
			return nil, err
		}
		for _, name := range slices.Concat(p.Access.States, p.Access.Writes) {
			if !states[name] {
				return nil, damaged(path, nil, "the program of %q has the state variable %q, which is missing", p.Entry, name)
			}
		}
	}
	return f, nil
}

// ReadContract returns the contract of a file of programs.
func ReadContract(path string) (*contract.Contract, error) {
	f, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return f.manifest.Contract, nil
}

func (f *file) states() []state { return f.manifest.States }

func (f *file) start(_ context.Context, e *engine, sizes []map[string]int64) error {
	if len(sizes) > 0 {
		return errs.New(CodeSizes, "the programs of the file have their sizes").In(f.path).Hint("compile it for others too; a model file or a portable one is compiled for those that are given")
	}
	here, err := e.maker()
	if err != nil {
		return err
	}
	return f.manifest.Maker.check(here, f.path)
}

// has reports that find takes little: what there is is loaded, not compiled.
func (f *file) has(*contract.Entry, map[string]int64) bool { return true }

func (f *file) find(_ context.Context, e *engine, entry *contract.Entry, sizes map[string]int64) (*program, error) {
	var there []string
	for _, m := range f.manifest.Programs {
		if m.Entry != entry.Name {
			continue
		}
		if Spelled(m.Sizes) != Spelled(sizes) {
			there = append(there, Spelled(m.Sizes))
			continue
		}
		if p := f.known[m.File]; p != nil {
			return p, nil
		}
		options, err := xlatext.CompileOn(e.numbers(), f.manifest.Level)
		if err != nil {
			return nil, errs.WithFile(err, f.path)
		}
		x, err := e.client.Load(f.parts[m.File], options) // on a device that it was not compiled on
		if err != nil {
			return nil, errs.WithFile(err, f.path)
		}
		if err := f.agrees(e, entry, m, x); err != nil {
			_ = x.Close()
			return nil, err
		}
		f.known[m.File] = &program{executable: x, access: m.Access}
		delete(f.parts, m.File) // the plugin has it
		return f.known[m.File], nil
	}
	return nil, errs.New(CodeSizes, "there is no program for %s", Spelled(sizes)).In(f.path).On(entry.Name).
		Hint("it was compiled for %q; compile it for these sizes too", there)
}
