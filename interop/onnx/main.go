// Command onnx runs the backend node tests that come with ONNX on this project's
// backends: each model becomes a graph, goes through its JSON form, is run with
// the test's inputs, and is compared with the test's outputs.
//
// It prints what passes, fails and has no counterpart, by operator, and the reasons for
// the last. With --record it fails if the outcome of a test differs from the record; it
// supports Bazel's test sharding (TEST_TOTAL_SHARDS).
//
// # Errors
//
// ONNX_RECORD for an outcome other than the recorded one, ONNX_TESTS for a folder or a
// wheel without tests, ONNX_FLAGS for an invalid pattern or shard, ONNX_MUTANT for a changed
// model at which the importer fails, ONNX_RUNFILES for missing runfiles.
//
// # Determinism
//
// The report depends only on the tests.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Runfiles paths of the parts; set by the BUILD file.
var (
	testsFile    string
	compilerFile string
	linkerFile   string
	libraryFile  string
	toolFile     string
)

func main() {
	if err := command.AtUser(); err != nil {
		fmt.Fprintln(os.Stderr, "onnx:", err)
		os.Exit(command.Usage)
	}
	os.Exit(command.Run(context.Background(), newCommand(os.Stdout), os.Args[1:], os.Stdout, os.Stderr))
}

func newCommand(out io.Writer) *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "onnx [--tests WHEEL|FOLDER] [--backend NAME] [--only PATTERN] [--record FILE | --update FOLDER | --mutants]", Args: cobra.NoArgs,
		SilenceErrors: true, SilenceUsage: true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.complete(); err != nil {
				return err
			}
			return run(cmd.Context(), o, out)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.tests, "tests", "", "`file` of ONNX's wheel, or the folder onnx/backend/test/data/node of it")
	f.StringVar(&o.open.Backend, "backend", open.CPU, "`backend` to run on: "+strings.Join(open.Backends(), " or "))
	command.FlagCompiler.Text(cmd, &o.open.Compiler, "")
	command.FlagLinker.Text(cmd, &o.open.Linker, "")
	command.FlagLibrary.Text(cmd, &o.open.Library, "")
	command.FlagTool.Text(cmd, &o.open.Tool, "")
	f.StringVar(&o.record, "record", "", "record (`file`) to compare every test with")
	f.StringVar(&o.update, "update", "", "`folder` to write record.json and the table of README.md in")
	f.StringVar(&o.only, "only", "*", "`pattern` of the tests to run")
	f.BoolVar(&o.mutants, "mutants", false, "change each model in one place after another, and fail where the importer does")
	f.BoolVar(&o.verbose, "verbose", false, "name every test")
	return cmd
}

// complete fills in unset flags from the runfiles, and the shard from Bazel.
func (o *options) complete() error {
	e := &o.open
	files := []*string{&o.tests}
	found := []string{testsFile}
	if e.Backend == open.IREE && e.Compiler == "" {
		files, found = append(files, &e.Compiler, &e.Linker), append(found, compilerFile, linkerFile)
	}
	if e.Backend == open.IREE && e.Library == "" && e.Tool == "" {
		if strings.HasSuffix(libraryFile, ".absent") {
			files, found = append(files, &e.Tool), append(found, toolFile)
		} else {
			files, found = append(files, &e.Library), append(found, libraryFile)
		}
	}
	for i, file := range files {
		if *file != "" {
			continue
		}
		path, err := runfiles.Rlocation(found[i])
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil || found[i] == "" {
			return errs.Wrap(codeRunfiles, err, "runfiles of the program are missing").Hint("start it with bazel run, or name them with flags")
		}
		*file = path
	}
	return o.sharded()
}

// sharded selects the shard of the tests that Bazel assigns to this process.
func (o *options) sharded() error {
	o.parts = 1
	total := os.Getenv("TEST_TOTAL_SHARDS")
	if total == "" {
		return nil
	}
	var err, other error
	o.parts, err = strconv.Atoi(total)
	o.part, other = strconv.Atoi(os.Getenv("TEST_SHARD_INDEX"))
	if err = errors.Join(err, other); err != nil || o.part < 0 || o.part >= o.parts {
		return errs.Wrap(codeFlags, err, "TEST_SHARD_INDEX does not fit TEST_TOTAL_SHARDS %q", total)
	}
	if status := os.Getenv("TEST_SHARD_STATUS_FILE"); status != "" {
		if err := atomicfile.WriteFile(status, nil); err != nil {
			return errs.Wrap(codeFlags, err, "TEST_SHARD_STATUS_FILE")
		}
	}
	return nil
}
