// Command stablehlo lets jaxlib judge every StableHLO text of a workspace: those that it
// holds, and those that its models are exported as.
//
//	./bazelw run //tools/check:stablehlo                    # held files, and all models of //...
//	./bazelw run //tools/check:stablehlo -- //models/...    # of these models
//	./bazelw run //tools/check:stablehlo -- --held          # held files alone
//
// Models that are built only by name, with the tag manual, are among them, and one of those that
// does not build is told, since some are faulty on purpose; --manual=false leaves them out. Each
// model with weights that two devices can have half of each has texts for that mesh, too.
//
// It prints a line for each text, and ends with status 1 if jaxlib refuses one.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/hlo/judge"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Codes of this program.
const (
	codeBuild errs.Code = "CHECK_BUILD" // smallest input: a pattern without targets
	codeFault errs.Code = "CHECK_FAULT" // smallest input: a workspace with the text "x"
)

// pythonFile is the place of Python with jaxlib in the runfiles.
var pythonFile string

func main() { command.Tool(newCommand()) }

type options struct {
	python    string
	held      bool
	manual    bool
	workspace string
	limit     time.Duration
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "stablehlo [PATTERN...]",
		Short: "Let jaxlib judge every StableHLO text of a workspace",
		RunE: func(cmd *cobra.Command, patterns []string) error {
			if len(patterns) == 0 && !o.held {
				patterns = []string{"//..."}
			}
			return o.run(cmd, patterns)
		},
	}
	cmd.Flags().BoolVar(&o.held, "held", false, "judge the files that the workspace holds, and build nothing")
	cmd.Flags().BoolVar(&o.manual, "manual", true, "with models that have the tag manual")
	cmd.Flags().StringVar(&o.workspace, "workspace", os.Getenv("BUILD_WORKSPACE_DIRECTORY"), "`folder` of the workspace")
	cmd.Flags().StringVar(&o.python, "python", "", "`program` that runs Python with jaxlib; the pinned one by default")
	cmd.Flags().DurationVar(&o.limit, "limit", 20*time.Second, "how long the interpreter may take for a function")
	return cmd
}

func (o *options) run(cmd *cobra.Command, patterns []string) error {
	python, err := o.find()
	if err != nil {
		return err
	}
	if o.workspace == "" {
		o.workspace = "."
	}
	texts, err := held(o.workspace)
	if err != nil {
		return err
	}
	if len(patterns) > 0 {
		built, err := o.built(cmd.Context(), patterns)
		if err != nil {
			return err
		}
		texts = append(texts, built...)
	}
	r := &report{out: cmd.OutOrStdout(), limit: o.limit}
	if r.judge, err = judge.Start(cmd.Context(), python); err != nil {
		return err
	}
	defer func() { r.judge.Close() }()
	for _, t := range texts {
		if err := r.text(cmd.Context(), python, t); err != nil {
			return err
		}
	}
	fmt.Fprintf(r.out, "%d texts: %s\n", len(texts), r.counts())
	if r.faults > 0 {
		return errs.New(codeFault, "jaxlib %s refuses %d of %d texts", judge.Version, r.faults, len(texts))
	}
	return nil
}

// find returns the program that runs Python with jaxlib.
func (o *options) find() (string, error) {
	if o.python != "" {
		return o.python, nil
	}
	if pythonFile == "" {
		return judge.Find()
	}
	path, err := runfiles.Rlocation(pythonFile)
	if err != nil {
		return "", errs.Wrap(judge.CodeNone, err, "the pinned jaxlib is not among the runfiles").In(pythonFile)
	}
	return path, nil
}

// text is one to judge.
type text struct {
	name string                 // for the report
	data func() ([]byte, error) // nil for one that could not be built
	// fault says why there is no text, if a graph has none.
	fault string
}

func fileText(name, path string) text {
	return text{name: name, data: func() ([]byte, error) { return os.ReadFile(path) }}
}

// held returns the .mlir files of a workspace, without what Bazel made.
func held(root string) ([]text, error) {
	var texts []text
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (name == ".git" || strings.HasPrefix(name, "bazel-") || name == "node_modules") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() && strings.HasSuffix(name, ".mlir") {
			below, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			texts = append(texts, fileText(below, path))
		}
		return nil
	})
	if err != nil {
		return nil, errs.Wrap(codeBuild, err, "the workspace cannot be read").In(root)
	}
	return texts, nil
}

// groups are the outputs of stablehlo_export that have texts, or the graph of texts for XLA.
const groups = "--output_groups=mlir,kernels,f16,graph"

// built builds the texts of the models of patterns.
func (o *options) built(ctx context.Context, patterns []string) ([]text, error) {
	bazel := "bazel"
	if own := filepath.Join(o.workspace, "bazelw"); isFile(own) {
		bazel = "./bazelw"
	}
	run := func(args ...string) (string, error) {
		c := exec.CommandContext(ctx, bazel, args...)
		c.Dir, c.Stderr = o.workspace, os.Stderr
		c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "BUILD_WORK") || strings.HasPrefix(v, "RUNFILES_") })
		out, err := c.Output()
		if err != nil {
			err = errs.Wrap(codeBuild, err, "%s %s", bazel, args[0]).In(o.workspace)
		}
		return string(out), err // with --keep_going what there is, and the fault
	}
	set := strings.Join(patterns, " + ")
	var files []string
	for _, manual := range o.tagged() {
		found, err := run("query", "--noshow_progress", "--ui_event_filters=-info", models(set, manual))
		if err != nil {
			return nil, err
		}
		targets := strings.Fields(found)
		if len(targets) == 0 {
			continue
		}
		build := append([]string{"build", "--noshow_progress", groups}, targets...)
		list := []string{"cquery", "--noshow_progress", "--ui_event_filters=-info", groups, "--output=files", "set(" + strings.Join(targets, " ") + ")"}
		if !manual {
			if _, err := run(build...); err != nil {
				return nil, err
			}
			there, err := run(list...)
			if err != nil {
				return nil, err
			}
			files = append(files, strings.Fields(there)...)
			continue
		}
		// Those that fail are told as texts that are not there, or by Bazel's own message.
		_, _ = run(append(build, "--keep_going")...)
		there, err := run(append(list, "--keep_going")...)
		if err != nil && there == "" {
			return nil, err
		}
		files = append(files, strings.Fields(there)...)
	}
	if len(files) == 0 {
		return nil, errs.New(codeBuild, "no model is exported as StableHLO by %q", patterns).Hint("name packages with a skainet_model, or judge the files alone: --held")
	}
	root, err := run("info", "execution_root")
	if err != nil {
		return nil, err
	}
	var texts []text
	for _, path := range files {
		whole := filepath.Join(strings.TrimSpace(root), path)
		name := path
		if _, below, ok := strings.Cut(path, "/bin/"); ok {
			name = below
		}
		switch {
		case !strings.HasSuffix(path, ".mlir") && !strings.HasSuffix(path, ".graph.json"):
		case !isFile(whole):
			texts = append(texts, text{name: name})
		case strings.HasSuffix(path, ".mlir"):
			texts = append(texts, fileText(name, whole))
		case strings.HasSuffix(path, ".graph.json"):
			more, err := xlaTexts(name, whole)
			if err != nil { // a fault as any other: the rest is judged
				more = []text{{name: name, fault: err.Error()}}
			}
			texts = append(texts, more...)
		}
	}
	return texts, nil
}

// tagged returns whether models have the tag manual, for each query.
func (o *options) tagged() []bool {
	if o.manual {
		return []bool{false, true}
	}
	return []bool{false}
}

// models returns the query for the models of a set of targets that have the tag manual, or
// that do not.
func models(set string, manual bool) string {
	all, tagged := "kind(stablehlo_export, "+set+")", "attr(tags, \"\\bmanual\\b\", "+set+")"
	if manual {
		return all + " intersect " + tagged
	}
	return all + " except " + tagged
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}
