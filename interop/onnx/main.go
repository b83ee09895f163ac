// Command onnx runs the backend node tests that come with ONNX on this project's
// backends: each model becomes a graph, goes through its JSON form, is run with
// the test's inputs, and is compared with the test's outputs.
//
// It prints what passes, fails and has no counterpart, by operator, and the
// reasons of what has none. With --record it fails where a test fails that is not
// counted there, or fewer pass than the file says.
//
// # Errors
//
// ONNX_RECORD for a count below the recorded one, ONNX_TESTS for a folder that
// holds no tests.
//
// # Determinism
//
// The report depends only on the tests.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/evaluate"
)

func main() {
	var o options
	cmd := &cobra.Command{
		Use: "onnx --tests FOLDER [--backend cpu|iree] [--record FILE] [--only PATTERN]", Args: cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error { return run(cmd.Context(), o, os.Stdout) },
	}
	f := cmd.Flags()
	f.StringVar(&o.tests, "tests", "", "`folder` of the node tests: onnx/backend/test/data/node of the wheel")
	f.StringVar(&o.evaluate.Backend, "backend", evaluate.CPU, "backend to run on: cpu or iree")
	f.StringVar(&o.evaluate.Compiler, "iree-compile", "", "iree-compile `file`")
	f.StringVar(&o.evaluate.Linker, "lld", "", "iree-lld `file`")
	f.StringVar(&o.evaluate.Library, "library", "", "libireert.so `file`")
	f.StringVar(&o.record, "record", "", "recorded counts (JSON) to hold the result against")
	f.StringVar(&o.only, "only", "*", "`pattern` of the tests to run")
	f.BoolVar(&o.verbose, "verbose", false, "name every test")
	if err := cmd.ExecuteContext(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "onnx:", err)
		os.Exit(1)
	}
}
