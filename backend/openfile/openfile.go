// Package openfile opens a model file, of any format of compile/import/modelfile, on a
// backend: by the CPU reference, or as a program that IREE or XLA compiles of it.
//
// A file is opened in two steps. Import reads its structure and makes the graph, for the
// sizes of the arguments that a call will have; then what it takes and gives is known.
// Open reads the weights, and compiles the graph where the backend needs that.
//
// # Errors
//
// USAGE for options that do not fit together; MODELFILE_TARGET for a device that no row of the table of targets is for,
// IREE_NO_COMPILER, IREE_LOAD, those of package wheel, and XLA_PLUGIN where the compiler or the runtime is not found; otherwise those of reading and importing the
// file (modelfile, importtext), of its passes, and of package backend/open.
//
// # Determinism
//
// As those packages.
package openfile

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/open"
	xlaprogram "github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/shard"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Options says how to import a file, and where to run it.
type Options struct {
	Import  importtext.Options
	Weights string           // of a graph file
	Memory  command.ByteSize // most bytes of a run; 0 means open.DefaultMaxMemory
	Cache   string           // folder of compiled programs; "" is that of package cache
	Run     open.Options
	// Like are types of arrays for the file's inputs, those of all calls, by name: they give
	// sizes as the arrays among the arguments do.
	Like map[string][]tensor.Type
}

// Flags declares the options, but for the device and the runtime, which commands have
// already.
func (o *Options) Flags(cmd *cobra.Command) {
	o.ProgramFlags(cmd)
	o.BackendFlag(cmd)
}

// ProgramFlags declares them for a command that chooses the backend.
func (o *Options) ProgramFlags(cmd *cobra.Command) {
	o.Import.Flags(cmd)
	cmd.Flags().StringVar(&o.Weights, "weights", "", "weight `file` of a graph file")
	o.CompileFlags(cmd)
}

// BackendFlag declares the flag that chooses the backend.
func (o *Options) BackendFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.Run.Backend, "backend", open.CPU, "`backend` that a model file runs on: "+strings.Join(open.Backends(), " or ")+"; cpu needs no compiler")
}

// CacheFlag declares the flag of the folder that programs are kept in.
func CacheFlag(cmd *cobra.Command, folder *string) {
	cmd.Flags().StringVar(folder, "cache", "", "`folder` that keeps the programs of model files; "+cache.Variable+" or the user's folder of caches by default")
}

// FetchFlag declares the flag that lets tools of IREE be fetched.
func FetchFlag(cmd *cobra.Command, fetch *bool) {
	cmd.Flags().BoolVar(fetch, "fetch", true, "fetch IREE's compiler and its runtime's tool where none is found: once, by hash, from where pip is configured to")
}

// CompileFlags declares the options that are not of the import.
func (o *Options) CompileFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(&o.Memory, "max-memory", "maximum `size` of a model file's parameters and values at any time; 32GiB, or what the machine has, by default")
	f.StringVar(&o.Run.Target, "target", "", "`name` of the target that a model file is compiled for; that of this processor, or of the device, by default")
	CacheFlag(cmd, &o.Cache)
	command.FlagCompiler.Says("iree-compile `file`; "+compiler.Variable+", or the one next to this program or on the path, by default").Text(cmd, &o.Run.Compiler, "")
	command.FlagLinker.Says("iree-lld `file`, if it is not next to iree-compile").Text(cmd, &o.Run.Linker, "")
	FetchFlag(cmd, &o.Run.Fetch)
	command.FlagCompilerFlag.Texts(cmd, &o.Run.Flags)
	command.FlagLevel.Text(cmd, &o.Run.Level, "")
}

// XLA reports whether the options choose XLA: by the backend, or by a target.
func (o *Options) XLA() bool { return o.Run.Backend == open.XLA || xla.IsTarget(o.Run.Target) }

// Check returns an error if the file at path cannot be read, or is no model of a known
// format.
func Check(path string) error {
	_, err := modelfile.FormatOf(path)
	return err
}

// Model is an imported model file.
type Model struct {
	Graph    *dag.Graph // with the passes of a program
	Contract *contract.Contract
	Format   string
	Layout   shard.Layout // over several devices; see Model.Mesh

	run   open.Options
	cache string
}

// Import reads a file and makes its graph for calls with these arguments, each as
// "NAME=VALUE" with a name of the file; there may be none. The result has the same
// arguments, with names of the contract.
func Import(path string, texts []string, o Options) (*Model, []string, error) {
	if err := o.backend(); err != nil {
		return nil, nil, err
	}
	m, err := modelfile.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	given, err := arguments(m, texts)
	if err != nil {
		return nil, nil, err
	}
	in := o.Import
	in.Memory = o.Memory
	plain, arrays := in, append(slices.Clone(given), like(m, o.Like)...)
	if m.Takes("--shape") {
		in.Shapes = append(append([]string{}, in.Shapes...), arrays.shapes(m.Inputs(), in, o.Run.Buckets)...)
	}
	g, err := in.Graph(m)
	if err != nil && len(in.Shapes) > len(plain.Shapes) {
		err = blamed(m, plain, arrays, err)
	}
	if err != nil {
		return nil, nil, given.tooLate(err)
	}
	x, err := o.model(m, g)
	if err != nil {
		return nil, nil, err
	}
	return x, given.named(x.Contract), nil
}

// Given is Import of a graph that the caller made: of the file at path, such as one with other
// results; or without a file, path "", with the weights of the options if it has parameters.
// Import of the options is not used.
func Given(g *dag.Graph, path string, o Options) (*Model, error) {
	if err := o.backend(); err != nil {
		return nil, err
	}
	if path == "" {
		return o.graph(g)
	}
	m, err := modelfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return o.model(m, g)
}

// backend returns the error of a backend that does not exist, before long work. One that is not
// named is an error of Open: a model may be imported for a program alone.
func (o *Options) backend() error {
	if o.Run.Backend == "" {
		return nil
	}
	return open.CheckBackend(o.Run.Backend)
}

// model returns the model of a file's graph, which gets a program's passes.
func (o *Options) model(m *modelfile.Model, g *dag.Graph) (*Model, error) {
	path := m.Path()
	index, err := o.index(m)
	if err != nil {
		return nil, err
	}
	l, err := m.Layout()
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	file := path
	if m.Weights() == nil {
		file = o.Weights
	}
	x, err := o.passed(g, index, file)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	x.Format, x.Layout = m.Format(), l
	return x, nil
}

// graph returns the model of a graph that no file has.
func (o *Options) graph(g *dag.Graph) (*Model, error) {
	index := &tensor.Index{Format: modelfile.Graph, Tensors: []tensor.Spec{}}
	if o.Weights != "" {
		w, err := weights.Open(o.Weights)
		if err != nil {
			return nil, err
		}
		defer w.Close()
		if index, err = w.Index(); err != nil {
			return nil, err
		}
	}
	x, err := o.passed(g, index, o.Weights)
	if err != nil {
		return nil, err
	}
	x.Format = modelfile.Graph
	return x, nil
}

// passed returns the model of a graph, which gets a program's passes, with weights of a file.
func (o *Options) passed(g *dag.Graph, index *tensor.Index, file string) (*Model, error) {
	g, err := export.Given(g).Graph(cpu.Evaluate, "", index, "", "")
	if err != nil {
		return nil, err
	}
	c, err := describe.Contract(g)
	if err != nil {
		return nil, err
	}
	run := o.Run
	run.MaxMemory, run.Weights = int64(o.Memory), file
	return &Model{Graph: g, Contract: c, run: run, cache: o.Cache}, nil
}

// index returns the index of the weights: of those in the file, or of a graph's.
func (o *Options) index(m *modelfile.Model) (*tensor.Index, error) {
	if o.Weights == "" {
		return m.Index()
	}
	if m.Weights() != nil {
		return nil, errs.New(command.CodeUsage, "--weights is for graph files; a file of format %s has its own", m.Format()).In(m.Path()).Hint("leave it out")
	}
	w, err := weights.Open(o.Weights)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.Index()
}

// Mesh lays the model out over the devices of a mesh, "model=4": as its own code says, or as
// its layout does.
func (m *Model) Mesh(text string) error {
	axes, err := shard.ParseAxes(text)
	if err != nil {
		return err
	}
	g, err := shard.Apply(m.Graph, axes, m.Layout)
	if err != nil {
		return err
	}
	m.Graph = g
	return nil
}

// Costs compiles the model for XLA, for these sizes of its dynamic dimensions, and returns what
// a call takes of each device. Entry points whose sizes are not all given are left out.
func (m *Model) Costs(ctx context.Context, sizes []map[string]int64) ([]xlaprogram.Cost, error) {
	o := m.run
	if err := prepareXLA(&o, m.cache); err != nil {
		return nil, err
	}
	x := o.XLA()
	x.Graph, x.Sizes = m.Graph, sizes
	return xlaprogram.Costs(ctx, x)
}

// Open loads the model; for IREE and XLA it is compiled, unless the cache has the program.
// Closing the result releases it.
func (m *Model) Open(ctx context.Context) (backend.Executable, error) {
	return m.On(ctx, m.Backend())
}

// Backend returns the backend that Open takes.
func (m *Model) Backend() string {
	if m.run.Backend == open.CPU && xla.IsTarget(m.run.Target) { // needs no --backend=xla
		return open.XLA
	}
	return m.run.Backend
}

// Compiler returns the backend that compiles for the model's target: open.XLA for a target
// of XLA, else open.IREE.
func (m *Model) Compiler() string {
	if m.run.Backend == open.XLA || xla.IsTarget(m.run.Target) {
		return open.XLA
	}
	return open.IREE
}

// Write compiles the model for XLA and writes a file of programs that package backend/xla
// opens, for these sizes of its dynamic dimensions.
func (m *Model) Write(ctx context.Context, path string, sizes []map[string]int64) error {
	o := m.run
	if err := prepareXLA(&o, m.cache); err != nil {
		return err
	}
	x := o.XLA()
	x.Graph, x.Sizes = m.Graph, sizes
	return xlaprogram.Write(ctx, path, x)
}

// Program compiles the model for IREE and writes the program to path, its contract and the
// archive of its weights next to it (open.Beside).
func (m *Model) Program(ctx context.Context, path string) (*open.Written, error) {
	o := m.run
	if o.Target == "" && len(o.Flags) == 0 {
		var err error
		if o.Target, err = Target(cmp.Or(o.Device, "cpu"), processor.Here()); err != nil {
			return nil, err
		}
	}
	if err := FindCompiler(ctx, &o, m.cache); err != nil {
		return nil, err
	}
	return open.Write(ctx, m.Graph, path, o)
}

// WritePortable writes a file with the model's graph, its level and these sizes of its dynamic
// dimensions, which package backend/xla compiles where it opens it: no plugin is needed now.
func (m *Model) WritePortable(path string, sizes []map[string]int64) error {
	x := m.run.XLA()
	x.Graph, x.Sizes = m.Graph, sizes
	return xlaprogram.WritePortable(path, x)
}

// On is like Open, on another backend.
func (m *Model) On(ctx context.Context, name string) (backend.Executable, error) {
	o := m.run
	o.Backend = name
	for _, f := range []struct {
		flag  string
		given bool
	}{{command.FlagPlugin.Name, o.Plugin != ""}, {command.FlagWeightForm.Name, o.WeightForm != ""}, {"sizes", len(o.Sizes) > 0}, {"buckets", !o.Buckets.IsZero()}} {
		if f.given && name != open.XLA {
			return nil, errs.New(command.CodeUsage, "--%s is for XLA, and the backend is %s", f.flag, name).Hint("add --backend=%s, or leave it out", open.XLA)
		}
	}
	if o.Backend == open.IREE {
		if err := prepare(ctx, &o, m.cache); err != nil {
			return nil, err
		}
		if err := iree.CheckDevice(o.Library, o.Device, o.Workers); err != nil {
			return nil, err
		}
	} else if o.Backend == open.XLA {
		if err := prepareXLA(&o, m.cache); err != nil {
			return nil, err
		}
	} else if err := known(&o); err != nil {
		return nil, err
	}
	return open.Graph(ctx, m.Graph, o)
}
