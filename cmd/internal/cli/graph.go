package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/dag/draw"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Codes of pictures.
const (
	codeDrawFormat  errs.Code = "DRAW_FORMAT"  // smallest input: --format png
	codeDrawProgram errs.Code = "DRAW_PROGRAM" // smallest input: --format svg without skainet-draw
)

// How to find skainet-draw: drawVariable names the program; by default it is
// searched next to this program and on the path.
const (
	drawName     = "skainet-draw"
	drawVariable = "SKAINET_DRAW"
)

func newGraphCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "graph",
		Short: "Import and draw graphs",
		Long: `A graph is a JSON document of everything that a model computes, with weights by key.
"skainet export --graph" writes one, as do exporters of models that are built
with Bazel (--graph FILE); other programs can generate their own.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newGraphShowCommand(), newGraphImportCommand())
	return cmd
}

func newGraphShowCommand() *cobra.Command {
	var out, format string
	cmd := &cobra.Command{
		Use:   "show FILE.json [--format dot|svg] [-o FILE]",
		Short: "Draw a graph with shapes and sizes",
		Long: `Show prints the graph as DOT text, which Graphviz and others draw, or as an
SVG picture, laid out by the program ` + drawName + `. It is searched next to
skainet and on the path, unless ` + drawVariable + ` names it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "dot" && format != "svg" {
				return errs.New(codeDrawFormat, "unknown format %q", format).Hint("use --format dot or --format svg")
			}
			g, err := graphjson.ReadFile(args[0])
			if err != nil {
				return err
			}
			picture, err := draw.DOT(g)
			if err != nil {
				return errs.WithFile(err, args[0])
			}
			if format == "svg" {
				if picture, err = laidOut(args[0]); err != nil {
					return err
				}
			}
			return command.Emit(cmd, out, picture, args[0])
		},
	}
	cmd.Flags().StringVar(&format, "format", "dot", "dot or svg")
	command.FlagOutput.Text(cmd, &out, "")
	return cmd
}

// laidOut runs skainet-draw on a valid graph file.
func laidOut(file string) ([]byte, error) {
	program := os.Getenv(drawVariable)
	if own, err := os.Executable(); err == nil && program == "" {
		beside := filepath.Join(filepath.Dir(own), drawName)
		if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
			program = beside
		}
	}
	if program == "" {
		program = drawName
	}
	path, err := filepath.Abs(file) // a name may look like a flag
	if err != nil {
		return nil, errs.Wrap(codeDrawProgram, err, "the file has no path").In(file)
	}
	var picture, messages bytes.Buffer
	cmd := exec.Command(program, path)
	cmd.Stdout, cmd.Stderr = &picture, &messages
	err = cmd.Run()
	if status := (*exec.ExitError)(nil); errors.As(err, &status) {
		return nil, errs.New(codeDrawProgram, "no picture: %s: %s", drawName, strings.TrimSpace(messages.String())).In(file)
	}
	if err != nil {
		return nil, errs.Wrap(codeDrawProgram, err, "cannot run the program that lays out pictures").
			Hint("install it (go install github.com/skainet-dev/skainet-go/cmd/%[1]s@latest, or ./cmd/%[1]s in a checkout; //cmd/%[1]s with Bazel), put it next to skainet or on the path, or name it in %[2]s", drawName, drawVariable)
	}
	return picture.Bytes(), nil
}

func newGraphImportCommand() *cobra.Command {
	var policy, out string
	cmd := &cobra.Command{
		Use:   "import FILE.json --prefix PREFIX",
		Short: "Write a graph as StableHLO text with its contract",
		Long: `Import checks a graph and writes the files that "skainet export" writes for a
model, so that it can be compiled, packed and run.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			p, err := export.ParsePolicy(policy)
			if err != nil {
				return err
			}
			g, err := graphjson.ReadFile(args[0])
			if err != nil {
				return err
			}
			o, err := outputs(out)
			if err != nil {
				return err
			}
			for _, path := range []string{o.Text, o.Kernels, o.Contract, o.Constants} {
				if err := command.Apart(path, args[0]); err != nil {
					return err
				}
			}
			o.Name, o.Policy = g.Name, p
			_, err = export.RunGraph(g, o)
			return errs.WithFile(err, args[0])
		},
	}
	cmd.Flags().StringVar(&policy, "constants", "inline", "inline, external, or the size in `bytes` from which named constants are external")
	command.FlagPrefix.Text(cmd, &out, "")
	command.Required(cmd, "prefix")
	return cmd
}
