package xla

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	xlatext "github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
)

// compiled compiles the entry points of a graph.
type compiled struct {
	graph *dag.Graph
	o     Options
	known map[string]*program // by entry point and sizes
	unfit map[string]bool     // entry points that have no text for ranges of sizes
	clock int64               // of uses of programs
}

func newCompiled(o Options) *compiled {
	return &compiled{graph: o.Graph, o: o, known: map[string]*program{}, unfit: map[string]bool{}}
}

// DefaultPrograms is Options.Programs where that is less than 1.
const DefaultPrograms = 64

// use notes that a program is used, and returns it.
func (c *compiled) use(p *program) *program {
	c.clock++
	p.used = c.clock
	return p
}

// keep adds a program, and forgets the one that was not used for longest if there are more than
// Options.Programs. The plugin frees that when no call runs it any more, at a collection of
// garbage; to make another one leaves enough of that for one.
func (c *compiled) keep(name string, p *program) *program {
	c.known[name] = c.use(p)
	most := c.o.Programs
	if most < 1 {
		most = DefaultPrograms
	}
	var oldest string
	others := 0
	for name, p := range c.known {
		if p.stays {
			continue
		}
		others++
		if oldest == "" || p.used < c.known[oldest].used {
			oldest = name
		}
	}
	if others > most {
		delete(c.known, oldest)
	}
	return p
}

func (c *compiled) states() []state {
	var out []state
	for _, s := range c.graph.States {
		out = append(out, state{s.Name, s.Type.DType, s.Type.Shape, s.Init})
	}
	return out
}

func (c *compiled) start(ctx context.Context, e *engine, sizes []map[string]int64) error {
	var err error
	if c.o.Buckets, err = c.o.Buckets.checked(e.contract); err != nil || c.o.Lazy {
		return err
	}
	if err := c.startBuckets(ctx, e); err != nil {
		return err
	}
	return each(c.graph, e.contract, sizes, func(entry *contract.Entry, sizes map[string]int64) error {
		p, err := e.find(ctx, entry, sizes)
		if err == nil {
			p.stays = true
		}
		return err
	})
}

// each calls f for each entry point and each of the sizes that it can have, once: those without
// dynamic sizes have none. Of sizes that are given an entry point takes those that it has; one
// that none has is an error.
func each(g *dag.Graph, c *contract.Contract, sizes []map[string]int64, f func(entry *contract.Entry, sizes map[string]int64) error) error {
	named := map[string]bool{}
	for i := range c.Entries {
		entry := &c.Entries[i]
		for name := range dynamicSizes(entry) {
			named[name] = true
		}
	}
	for _, s := range sizes {
		for _, name := range slices.Sorted(maps.Keys(s)) {
			if !named[name] {
				return errs.New(CodeSizes, "no entry point has a dynamic size %q", name).Hint("there are %q", slices.Sorted(maps.Keys(named)))
			}
		}
	}
	for i := range c.Entries {
		entry := &c.Entries[i]
		fn, err := g.Func(entry.Name)
		if err != nil {
			return err
		}
		if fn.IsStatic() {
			if err := f(entry, nil); err != nil {
				return err
			}
			continue
		}
		own, done := dynamicSizes(entry), map[string]bool{}
		for _, s := range sizes {
			s = maps.Clone(s)
			maps.DeleteFunc(s, func(name string, _ int64) bool { return own[name] == 0 })
			if spelled := Spelled(s); !done[spelled] {
				done[spelled] = true
				if err := f(entry, s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// named is the key of known for a call.
func (c *compiled) named(entry *contract.Entry, sizes map[string]int64) string {
	exact, most := c.ranges(entry, sizes)
	name := entry.Name + " " + Spelled(exact)
	if len(most) > 0 {
		name += " up to " + Spelled(most)
	}
	return name
}

func (c *compiled) has(entry *contract.Entry, sizes map[string]int64) bool {
	return c.known[c.named(entry, sizes)] != nil
}

func (c *compiled) find(ctx context.Context, e *engine, entry *contract.Entry, sizes map[string]int64) (*program, error) {
	if p := c.known[c.named(entry, sizes)]; p != nil {
		return c.use(p), nil
	}
	m, b, err := c.emit(entry, sizes)
	if err != nil {
		return nil, err
	}
	name := c.named(entry, sizes)
	p := &program{access: m.Access[xlatext.Main], bucket: b}
	if b != nil {
		sizes = b.largest
	}
	if p.executable, err = c.executable(ctx, e, entry.Name, sizes, m); err != nil {
		return nil, on(err, strings.TrimSpace(name))
	}
	if fn, err := c.graph.Func(entry.Name); err == nil && fn.IsStatic() {
		p.stays = true
	}
	return c.keep(name, p), nil
}

// executable compiles a text, or loads what the cache has of it.
func (c *compiled) executable(ctx context.Context, e *engine, entry string, sizes map[string]int64, m *hlo.Module) (*pjrt.Executable, error) {
	options, err := xlatext.CompileOn(e.numbers(), c.o.Level, c.o.Without...)
	if err != nil {
		return nil, err
	}
	first, err := xlatext.CompileOn(upTo(len(e.devices)), c.o.Level, c.o.Without...)
	if err != nil {
		return nil, err
	}
	var fresh *pjrt.Executable
	compile := func() error {
		if c.o.Compiling != nil {
			if done := c.o.Compiling(entry, sizes); done != nil {
				defer done()
			}
		}
		fresh, err = e.client.Compile(m.Text, options)
		return err
	}
	if c.o.Cache == nil {
		err := compile()
		return fresh, err
	}
	made, err := e.maker()
	if err != nil {
		return nil, err
	}
	path, err := c.o.Cache.Get(ctx, cache.Entry{
		// The program is loaded on other devices than those it was compiled for.
		Key:   cache.Key([]byte("xla"), []byte(made.String()), first, m.Text),
		Kind:  Extension,
		Check: func(path string) error { _, err := readKept(path); return err },
		Make: func(path string) error {
			if err := compile(); err != nil {
				return err
			}
			return writeKept(path, fresh)
		},
	})
	if err != nil || fresh != nil {
		return fresh, err
	}
	bytes, err := readKept(path)
	if err != nil {
		return nil, err
	}
	if x, err := e.client.Load(bytes, options); err == nil {
		return x, nil
	}
	err = compile() // a plugin that does not load what it made
	return fresh, err
}

// upTo returns the numbers less than n.
func upTo(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i)
	}
	return out
}

// maker is what compiled a program: it loads where the same does.
type maker struct {
	Platform  string   `json:"platform"`
	API       string   `json:"api"`
	Build     string   `json:"build"` // of the plugin
	Arch      string   `json:"arch,omitempty"`
	Processor []string `json:"processor,omitempty"` // its instructions, where the code is for it
}

// String returns all of it.
func (m maker) String() string {
	return strings.Join([]string{m.Platform, m.API, m.Build, m.Arch, strings.Join(m.Processor, ",")}, "\n")
}

func (e *engine) maker() (maker, error) {
	p := e.client.Plugin()
	build, err := p.Build()
	if err != nil {
		return maker{}, err
	}
	m := maker{Platform: e.client.Platform(), API: p.Version(), Build: build}
	if m.Platform == cpuPlatform {
		here := processor.Here()
		m.Arch, m.Processor = here.Arch, here.Has()
	}
	return m, nil
}

// check returns an error if what m compiled does not load here.
func (m maker) check(here maker, path string) error {
	if m.Platform != here.Platform {
		return errs.New(CodeBuild, "the programs are for %s, the plugin for %s", m.Platform, here.Platform).In(path).Hint("name the plugin for their device with --plugin")
	}
	if m.Platform == cpuPlatform {
		need := processor.Needs{Arch: m.Arch, Instructions: m.Processor}
		// The names are of the same table as this processor's: one that it lacks is of a later
		// version of this program, or damaged.
		if unknown := processor.Here().Unknown(m.Processor); m.Arch == processor.Here().Arch && len(unknown) > 0 {
			return errs.New(processor.CodeCPU, "the programs need instructions that are not known here: %s", strings.Join(unknown, ", ")).In(path).
				Hint("compile them again on this machine, or use the version of this program that compiled them")
		}
		if err := processor.Here().Check([]processor.Needs{need}); err != nil {
			var lacks *errs.Error
			if errors.As(err, &lacks) { // its hint names targets of IREE
				err = lacks.Hint("compile it again on this machine: skainet compile --target=%s", xlatext.Targets()[0].Name)
			}
			return errs.WithFile(err, path)
		}
	}
	if m.Build != here.Build || m.API != here.API {
		return errs.New(CodeBuild, "the programs were compiled by another build of the plugin (%s, version %s; this one is %s, version %s)",
			short(m.Build), m.API, short(here.Build), here.API).In(path).Hint("compile them again with this plugin, or name the other one with --plugin")
	}
	return nil
}

func short(build string) string { return build[:min(len(build), 12)] }
