// Command formats compares readers and writers of weight files with other
// implementations: packing a GGUF file with cp, packing a safetensors file of
// 20 GB in bounded memory, opening a GGUF file with gguf-py, unpacking
// quantised blocks with libgguf.
//
// Contestants take turns, so that other load on the machine affects all equally, and each
// must do the same: archives have the source's bytes, listings
// and unpacked elements are equal, or the run ends.
//
// # Errors
//
// BENCH_SUBJECT if a program cannot be started, ends early or answers something else;
// BENCH_RESULT if two compared results differ; BENCH_SPACE if the folder has too little
// space; BENCH_FLAGS, BENCH_FILE and BENCH_RUNFILES.
//
// # Determinism
//
// Figures are measured, so none.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Runfiles paths of the parts; set by the BUILD file. A target
// without the peers leaves theirs empty.
var (
	skainetFile string
	oursFile    string

	modelFile       string // Gemma 3 270M; a small file of our own without it
	pythonFile      string
	ggufPeerFile    string
	libggufPeerFile string
)

func main() { command.Program(newCommand(os.Stdout, os.Stderr)) }

// Codes of this program, beside those of bench/harness.
const (
	codeFile  errs.Code = "BENCH_FILE"  // a file of the benchmark cannot be made, read or dropped; smallest input: --folder=none
	codeSpace errs.Code = "BENCH_SPACE" // the disk has less room than a part needs
)

type options struct {
	rounds int
	only   []string
	folder string
	model  string
	sparse int64
}

// parts of the benchmark, in the order in which they run.
var parts = []struct {
	name string
	run  func(context.Context, *bench) error
}{
	{"pack", packPart},
	{"open", openPart},
	{"unpack", unpackPart},
	{"sparse", sparsePart},
}

func newCommand(stdout, stderr io.Writer) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:           "formats",
		Short:         "Readers and writers of weight files compared with other implementations",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o, stdout, stderr) },
	}
	cmd.Flags().IntVar(&o.rounds, "rounds", 5, "measured rounds, after one to warm up; each contestant has one turn in a round")
	cmd.Flags().StringSliceVar(&o.only, "only", nil, "names of parts: "+partNames()+"; all by default")
	cmd.Flags().StringVar(&o.folder, "folder", "", "`folder` for files that are written and removed again; that of temporary files by default")
	cmd.Flags().StringVar(&o.model, "model", "", "GGUF `file` to pack and to open; Gemma 3 270M by default")
	cmd.Flags().Int64Var(&o.sparse, "sparse-bytes", 20e9, "size of the safetensors file that is packed")
	return cmd
}

func partNames() string {
	var names []string
	for _, p := range parts {
		names = append(names, p.name)
	}
	return strings.Join(names, ", ")
}

// bench is the state that the parts share.
type bench struct {
	options
	out, stderr io.Writer
	folder      string // scratch
	skainet     string
}

func run(ctx context.Context, o options, stdout, stderr io.Writer) error {
	if o.rounds < 1 || o.sparse < 1 {
		return errs.New(harness.CodeFlags, "%d rounds, %d sparse bytes, want at least 1 of each", o.rounds, o.sparse)
	}
	for _, name := range o.only {
		if !slices.Contains(strings.Split(partNames(), ", "), name) {
			return errs.New(harness.CodeFlags, "unknown part %q", name).On("--only").Hint("parts: %s", partNames())
		}
	}
	before := harness.LoadAverage()
	skainet, err := harness.Runfile(skainetFile)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(o.folder, "formats-")
	if err != nil {
		return errs.Wrap(codeFile, err, "no folder for files")
	}
	defer os.RemoveAll(folder)
	b := &bench{options: o, out: stdout, stderr: stderr, folder: folder, skainet: skainet}
	for _, p := range parts {
		if len(o.only) > 0 && !slices.Contains(o.only, p.name) {
			continue
		}
		fmt.Fprintf(stderr, "%s\n", p.name)
		if err := p.run(ctx, b); err != nil {
			return err
		}
	}
	fmt.Fprintf(stdout, "%s; %d rounds after one to warm up\n", harness.Machine(before), o.rounds)
	return nil
}

// round shows the progress of a part on the terminal.
func (b *bench) round(i int) { fmt.Fprintf(b.stderr, "  round %d of %d\n", i, b.rounds) }
