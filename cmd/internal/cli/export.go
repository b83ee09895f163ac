package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// Codes of export.
const (
	CodeNoModel  errs.Code = "EXPORT_NO_MODEL" // smallest input: export nothing
	codeExporter errs.Code = "EXPORT_EXPORTER" // smallest input: an exporter killed by a signal
)

type exportFlags struct {
	name, weights, index, policy, out, dtype, stored string
	graph, merge, f16, wide                          bool
}

func newExportCommand() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export EXPORTER|GRAPH [--weights FILE | --index FILE] --prefix PREFIX",
		Short: "Write a model as StableHLO text with its contract",
		Long: `Export runs EXPORTER, the program that skainet_model declares for each model in Go:
build NAME_exporter; or it reads a graph file, which "skainet import" writes for a model
in a file. It writes PREFIX.mlir and PREFIX.contract.json; PREFIX.kernels.mlir, the text
for CPU targets; and PREFIX.constants.irpa, the constants that --constants makes
external; with --graph also PREFIX.graph.json, which "skainet graph" and "skainet
eval" read; with --integer-f16 also PREFIX.f16.mlir and PREFIX.kernels.f16.mlir,
both texts for processors without f16; with --wide PREFIX.kernels.wide.mlir, the text for
processors with AVX-512. Only names, shapes, types and settings of weights are read.

With --dtype f16 or bf16 the program computes in smaller floats; with int8 its
large weights are 8-bit integers with a scale for each output channel; with
int8_dynamic the operands of their products also become integers as it runs, which is
faster on processors that multiply bytes and less accurate. Arguments and results keep their types, and "skainet pack" converts the weights. Weights that
the file stores in blocks, such as Q4_K, are read in blocks, unless
--weight-policy says otherwise. A program exported with --merge-equal-weights fits only weight files in which the same tensors are equal.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.export(cmd, args[0]) },
	}
	cmd.Flags().StringVar(&f.name, "name", "", "`name` of the module in the text; the exporter's or the graph's name by default")
	cmd.Flags().StringVar(&f.weights, "weights", "", "weight `file` to build the model for")
	cmd.Flags().StringVar(&f.index, "index", "", "weights index `file`, instead of the weights")
	cmd.Flags().StringVar(&f.policy, "constants", "inline", "inline, external, or the size in `bytes` from which named constants are external")
	cmd.Flags().StringVar(&f.dtype, "dtype", "", "`type` that the program computes in: "+strings.Join(export.Precisions, ", ")+"; the model's by default")
	cmd.Flags().StringVar(&f.stored, "weight-policy", "", "how the program stores weights: one of "+strings.Join(passes.Stores(), ", ")+" (the first, as in the file, is the default), and `PATTERN=one` of them, such as packed,token_embd.weight=int8")
	cmd.Flags().BoolVar(&f.merge, "merge-equal-weights", false, "compare the tensors of --weights and read one parameter for all that are equal")
	cmd.Flags().BoolVar(&f.f16, "integer-f16", false, "also write the texts for processors without f16")
	cmd.Flags().BoolVar(&f.wide, "wide", false, "also write the text with kernels for processors with 32 vector registers of 64 bytes, such as those with AVX-512")
	cmd.Flags().BoolVar(&f.graph, "graph", false, "also write the graph as JSON")
	command.FlagPrefix.Text(cmd, &f.out, "")
	cmd.MarkFlagsMutuallyExclusive("weights", "index")
	command.Required(cmd, "prefix")
	return cmd
}

func (f *exportFlags) export(cmd *cobra.Command, exporter string) error {
	path, err := filepath.Abs(exporter) // a bare name is not searched on the path
	if err != nil {
		return errs.Wrap(CodeNoModel, err, "the exporter has no path").In(exporter)
	}
	if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
		return errs.New(CodeNoModel, "the exporter does not exist").In(exporter).
			Hint("give the program that skainet_model declares: bazel build //PACKAGE:NAME_exporter, or a graph file")
	}
	if f.merge && f.weights == "" {
		return errs.New(CodeUsage, "--merge-equal-weights needs weights to compare").Hint("give them with --weights")
	}
	if isModelFile(exporter) {
		return f.graphFile(cmd, exporter)
	}
	o, err := outputs(f.out)
	if err != nil {
		return err
	}
	dir, remove, err := atomicfile.Folder("skainet-export-")
	if err != nil {
		return errs.Wrap(codeExporter, err, "cannot create a temporary folder").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	args, err := f.readable(dir)
	if err != nil {
		return err
	}
	name := f.name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), "_exporter")
	}
	args = append(args, "--name="+name, "--policy="+f.policy, "--dtype="+f.dtype, "--weights="+f.stored,
		"--text="+o.Text, "--kernels="+o.Kernels, "--contract="+o.Contract, "--constants="+o.Constants)
	if f.graph {
		args = append(args, "--graph="+f.out+".graph.json")
	}
	if f.f16 {
		args = append(args, "--text-f16="+f.out+".f16.mlir", "--kernels-f16="+f.out+".kernels.f16.mlir")
	}
	if f.wide {
		args = append(args, "--kernels-wide="+f.out+".kernels.wide.mlir")
	}
	run := exec.CommandContext(cmd.Context(), path, args...)
	var said bytes.Buffer
	run.Stderr = &said
	if err := run.Run(); err != nil {
		return exporterError(exporter, said.String(), err)
	}
	_, err = cmd.ErrOrStderr().Write(said.Bytes())
	return err
}

// readable writes what the exporter reads of the weights to files in dir, and returns its
// arguments.
func (f *exportFlags) readable(dir string) ([]string, error) {
	if f.weights == "" {
		return []string{"--index=" + f.index}, nil
	}
	w, err := weights.Open(f.weights)
	if err != nil {
		return nil, err
	}
	defer w.Close()
	index, err := w.Index()
	if err != nil {
		return nil, err
	}
	doc, err := index.Marshal()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "index.json")
	args := []string{"--index=" + path}
	if err := atomicfile.WriteFile(path, doc); err != nil || !f.merge {
		return args, err
	}
	contents, err := w.Contents()
	if err != nil {
		return nil, err
	}
	if doc, err = json.Marshal(contents); err != nil {
		return nil, errs.Wrap(codeExporter, err, "cannot write the contents of the weights").In(f.weights)
	}
	path = filepath.Join(dir, "contents.json")
	return append(args, "--contents="+path), atomicfile.WriteFile(path, doc)
}

// exporterError returns an exporter's own message, "exporter: CODE: ...", as an error
// with that code.
func exporterError(exporter, said string, err error) error {
	said = strings.TrimSpace(said)
	last := said[strings.LastIndex(said, "\n")+1:]
	text, own := strings.CutPrefix(last, "exporter: ")
	code, what, coded := strings.Cut(text, ": ")
	if status := (*exec.ExitError)(nil); errors.As(err, &status) && own && coded {
		return errs.New(errs.Code(code), "%s", what)
	}
	return errs.Wrap(codeExporter, err, "the exporter failed: %s", said).In(exporter).Hint("is it an exporter declared by skainet_model?")
}

// outputs returns the files of an export with this prefix, which must not
// be empty or end with a slash: the files would be hidden.
func outputs(prefix string) (export.Options, error) {
	if prefix == "" || os.IsPathSeparator(prefix[len(prefix)-1]) {
		return export.Options{}, errs.New(CodeUsage, "--prefix %q is not a valid prefix", prefix).Hint("give a file name prefix")
	}
	return export.Options{
		Text: prefix + ".mlir", Kernels: prefix + ".kernels.mlir",
		Contract: prefix + ".contract.json", Constants: prefix + ".constants.irpa",
	}, nil
}
