// Package randmain is the main function of programs that run random graphs on backends
// and compare them with the reference: randcheck, and the tests that the rule
// operators_test declares for operations of other workspaces. See package randgraph.
//
//	randcheck --seed 1000 --graphs 5000 --backend cpu,iree
//
// The backend kernels is IREE with the text for processors, in which kernels stand in place of
// some operations. A peer is a program with its arguments, such as "python3 stablehlo_peer.py".
//
// # Errors
//
// Those of package randgraph, and USAGE for a backend that is none. The
// exit status is 1 where a graph fails, 2 for wrong usage.
//
// # Determinism
//
// The graphs depend only on the seed and the options.
package randmain

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/test/randgraph"
)

// Files that Bazel brings along, as runfiles paths; set at link time.
var compilerFile, linkerFile, libraryFile, toolFile, pythonFile, peerFile string

// kernels is IREE with the text for processors.
const kernels = "kernels"

type options struct {
	check    randgraph.Check
	backends []string
	open     open.Options
	peer     string
}

// Main runs the graphs that the arguments ask for, and returns the exit status.
func Main(args []string) int {
	var o options
	cmd := &cobra.Command{
		Use: "randcheck [--seed N] [--graphs N] [--backend NAME,...]", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.Uint64Var(&o.check.Seed, "seed", 0, "seed of the first graph")
	f.IntVar(&o.check.Graphs, "graphs", 100, "number of graphs")
	f.IntVar(&o.check.Batch, "batch", 20, "graphs in one program")
	f.IntVar(&o.check.MaxOps, "ops", 30, "operations in a graph, at most")
	f.StringSliceVar(&o.check.Only, "only", nil, "operations to choose from")
	f.BoolVar(&o.check.Own, "own", false, "choose an operation that a package registers half of the time")
	f.BoolVar(&o.check.Dynamic, "dynamic", false, "make sizes dynamic")
	f.BoolVar(&o.check.Special, "special", false, "make floats NaN, infinite and large")
	f.StringVar(&o.check.Dir, "output", "", "`folder` for graphs that fail")
	f.StringSliceVar(&o.backends, "backend", []string{open.CPU}, "peer, kernels, or any of "+strings.Join(open.Backends(), ", "))
	command.FlagCompiler.Text(cmd, &o.open.Compiler, bundled(compilerFile))
	command.FlagLinker.Text(cmd, &o.open.Linker, bundled(linkerFile))
	command.FlagLibrary.Text(cmd, &o.open.Library, bundled(libraryFile))
	command.FlagTool.Text(cmd, &o.open.Tool, bundled(toolFile))
	f.StringVar(&o.peer, "peer", strings.TrimSpace(bundled(pythonFile)+" "+bundled(peerFile)), "`command` of another implementation: see stablehlo_peer.py")
	return command.Run(context.Background(), cmd, args, os.Stdout, os.Stderr)
}

// bundled returns the path of a file that Bazel provides, or "".
func bundled(file string) string {
	if file == "" {
		return ""
	}
	path, err := runfiles.Rlocation(file)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil || strings.HasSuffix(path, ".absent") {
		return ""
	}
	return path
}

func (o *options) run(ctx context.Context) error {
	for _, name := range o.backends {
		switch {
		case name == kernels || slices.Contains(open.Backends(), name):
			e := o.open
			if e.Backend = name; name == kernels {
				e.Backend, e.Kernels = open.IREE, true
			}
			o.check.Backends = append(o.check.Backends, randgraph.Backend{
				Name: name,
				Open: func(ctx context.Context, g *dag.Graph) (backend.Executable, error) { return open.Graph(ctx, g, e) },
			})
		case name == "peer":
			argv := strings.Fields(o.peer)
			if len(argv) == 0 {
				return errs.New(command.CodeUsage, "no command of a peer is given").Hint("give --peer")
			}
			p := &randgraph.Peer{Argv: argv, Log: os.Stderr}
			defer p.Close()
			o.check.Backends = append(o.check.Backends, p.Backend(name))
		default:
			return errs.New(command.CodeUsage, "no backend is named %q", name).Hint("use peer, kernels, or one of %s", strings.Join(open.Backends(), ", "))
		}
	}
	if o.check.Dir == "" {
		o.check.Dir = os.Getenv("TEST_UNDECLARED_OUTPUTS_DIR") // where Bazel keeps what a test leaves
	} else {
		o.check.Dir = command.Path(o.check.Dir)
	}
	return o.check.Run(ctx, os.Stdout)
}
