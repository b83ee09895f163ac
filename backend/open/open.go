// Package open opens a graph on a backend: on the CPU reference, or as a program
// compiled from it by IREE or XLA, with weights from a file of any format. The CPU reads
// weights of linear layers in the blocks of the file, with the same results as
// unpacked.
//
// # Errors
//
// EVAL_BACKEND for a backend that does not exist, or lacks its compiler;
// EVAL_MEMORY for a graph whose values take more memory at once than is allowed.
// Everything else comes from package opencpu (EVAL_WORK), the emission (HLO_*), the
// compiler (IREE_*), packing (PACK_*), reading weights, and the backends.
//
// # Determinism
//
// As the backends.
package open

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/opencpu"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Codes of this package.
const (
	CodeBackend errs.Code = "EVAL_BACKEND" // smallest input: --backend tpu
	CodeMemory  errs.Code = "EVAL_MEMORY"  // smallest input: two f32 values with a limit of 7 bytes
)

// The backends.
const (
	CPU  = compile.CPU
	IREE = compile.IREE
	XLA  = compile.XLA
)

// Options configures where a graph runs.
type Options struct {
	Backend string // CPU, IREE or XLA
	Weights string // weight file for the parameters of all scopes; may be "" where there are none
	// Scopes are the weight files of scopes that have one of their own, such as an adapter.
	Scopes map[string]string
	// MaxMemory is how many bytes a run may take at once, as planned by analysis.Peak;
	// less than 1 means DefaultMaxMemory. IREE's compiler fuses values that are counted
	// separately, so for its programs, and for weights in blocks, the plan is an upper
	// bound.
	MaxMemory int64

	// Int8, for CPU, computes products with weights that the file stores in blocks
	// in integers, if packed.Matrix.Int8 supports them: faster, and less exact.
	Int8 bool

	// For IREE. Without Target, Flags are those of a target in toolchains/iree, and none
	// means those of target.Default.
	Compiler, Linker string
	Flags            []string
	// Target is a row of the table: the program is compiled with its flags, those of Flags
	// in place of flags of the same name, and from the text that the row needs. For XLA it
	// is one of compile/xla.Targets.
	Target string
	Level  string // of optimisation, for IREE with Target, and for XLA; "" is the default
	// Fetch, for package openfile, brings the compiler, and the runtime's tool, where neither is
	// found (package wheel).
	Fetch bool
	// Cache keeps programs and archives; nil: they are in the temporary folder.
	Cache    *cache.Cache
	Progress Progress

	Device        string   // local-sync where it is "", which is one thread; "cpu" takes all
	Workers       int      // as in iree.Options
	Library, Tool string   // as in iree.Options
	PerCall       bool     // as in iree.Options
	Without       []string // as in iree.Options
	Kernels       bool     // with kernels in place of some operations, for CPUs

	// For XLA, as in xla.Options. A Device that begins with child.Prefix runs the program in a
	// process of its own, whose main function calls child.Main.
	Plugin     string
	Sizes      []map[string]int64
	Buckets    xla.Buckets
	WeightForm string // xla.Options.Weights
}

// opener opens a graph with contract c; it may write files in dir.
type opener func(ctx context.Context, g *dag.Graph, c *contract.Contract, dir string, o Options) (backend.Executable, error)

// openers are the backends by name.
var openers = map[string]opener{CPU: openCPU, IREE: openIREE, XLA: openXLA}

// Backends lists the backends by name.
func Backends() []string { return slices.Sorted(maps.Keys(openers)) }

// CheckBackend returns the error of a backend that does not exist.
func CheckBackend(name string) error {
	if openers[name] != nil {
		return nil
	}
	what := fmt.Sprintf("no backend is named %q", name)
	if name == "" {
		what = "no backend was named"
	}
	return errs.New(CodeBackend, "%s", what).
		Hint("use --backend with one of %s; in Go, Backend of the options: open.CPU, open.IREE or open.XLA", strings.Join(Backends(), ", "))
}

// Graph opens the graph. The executable's Close removes temporary files.
func Graph(ctx context.Context, g *dag.Graph, o Options) (_ backend.Executable, err error) {
	open := openers[o.Backend]
	if open == nil {
		return nil, CheckBackend(o.Backend)
	}
	if o.Backend == IREE && o.Compiler == "" {
		return nil, errs.New(CodeBackend, "the backend %s needs a compiler", IREE).Hint("name an iree-compile of version %s with --compiler, or in Go in the options; package openfile finds one, and fetches it", target.IREEVersion())
	}
	c, err := describe.Contract(g)
	if err != nil {
		return nil, err
	}
	if err := o.cpu().Check(c); err != nil {
		return nil, err
	}
	if err := budget(g, o.MaxMemory); err != nil {
		return nil, err
	}
	dir, remove, err := opencpu.Folder()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	x, err := open(ctx, g, c, dir, o)
	if err != nil {
		return nil, err
	}
	return &executable{x, g, o, dir, remove}, nil
}

// cpu returns the options of package opencpu.
func (o *Options) cpu() opencpu.Options {
	return opencpu.Options{Weights: o.Weights, Scopes: o.Scopes, Int8: o.Int8}
}

func openCPU(_ context.Context, g *dag.Graph, c *contract.Contract, dir string, o Options) (backend.Executable, error) {
	return opencpu.Load(g, c, dir, o.cpu())
}

// executable checks the memory of calls with dynamic sizes, and removes the folder
// after use.
type executable struct {
	backend.Executable
	graph *dag.Graph
	o     Options
	dir   string

	remove func()
}

// Call implements backend.Executable.
func (x *executable) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	if f, err := x.graph.Func(entry); err == nil && !f.IsStatic() {
		types := make([]tensor.Type, len(args))
		for i, v := range args {
			types[i] = v.Type
		}
		// Arguments that do not fit are left to the backend to reject.
		if g, err := dag.Specialize(x.graph, entry, types...); err == nil {
			if err := budget(g, x.o.MaxMemory); err != nil {
				return nil, err
			}
		}
	}
	return x.Executable.Call(ctx, entry, args...)
}

// PerCall implements backend.PerCall.
func (x *executable) PerCall() bool { return !backend.KeepsState(x.Executable) }

// Spawns is what iree.Spawns asks.
func (x *executable) Spawns() bool { return iree.Spawns(x.Executable) }

// Close implements backend.Executable.
func (x *executable) Close() error {
	err := x.Executable.Close()
	x.remove()
	return err
}

// Evaluate returns what the CPU backend computes for the entry point main of a graph, such as
// a part of a model that is imported.
func Evaluate(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error) {
	return Evaluator(0)(ctx, g, args)
}

// Evaluator returns Evaluate with a limit, as that of Options.
func Evaluator(maxMemory int64) func(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error) {
	return func(ctx context.Context, g *dag.Graph, args []tensor.Value) ([]tensor.Value, error) {
		x, err := Graph(ctx, g, Options{Backend: CPU, MaxMemory: maxMemory})
		if err != nil {
			return nil, err
		}
		defer x.Close()
		return x.Call(ctx, "main", args...)
	}
}
