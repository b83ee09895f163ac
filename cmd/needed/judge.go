package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	backendiree "github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// most is the time limit of a compilation, which normally takes seconds.
const most = 2 * time.Minute

// tools are the files needed to compile and run programs.
type tools struct{ compiler, linker, library, tool string }

// verdict is the result for a row.
type verdict struct{ off, on, needed string }

// judge compiles the model of a row with and without it, and runs it if the bug is
// wrong numbers.
func (t tools) judge(ctx context.Context, r iree.Rewrite, f fault) (v verdict, err error) {
	g, err := lang.CaptureWith("needed", f.index(), f.build)
	if err != nil {
		return v, err
	}
	o := f.options(&r)
	with, err := iree.Emit(g, o)
	if err != nil {
		return v, err
	}
	o.Without = []string{r.ID}
	without, err := iree.Emit(g, o)
	if err != nil {
		return v, err
	}
	dir, err := os.MkdirTemp("", "needed-")
	if err != nil {
		return v, err
	}
	defer os.RemoveAll(dir)
	see := func(m *hlo.Module) (string, bool) {
		ctx, stop := context.WithTimeout(ctx, most)
		defer stop()
		return t.see(ctx, dir, r, f, g, m)
	}
	switch r.Shown {
	case iree.OtherDevice:
		return verdict{lines(without), lines(with), "seen on " + r.Targets}, nil
	case iree.Time:
		return t.race(ctx, dir, r, f, without, with)
	}
	var right, wrong bool
	v.on, right = see(with)
	v.off, wrong = see(without)
	switch {
	case !right:
		err = errs.New(CodeWith, "the model fails with the rewrite: %s", v.on).On(r.ID)
	case r.Shown == iree.Costs && v.on != v.off, r.Shown != iree.Costs && !wrong:
		v.needed = "yes"
	default:
		v.needed = "no"
		err = errs.New(CodeGone, "the compiler no longer needs the rewrite: %s", v.off).On(r.ID).Hint("test it on all targets, then remove the row from compile/iree")
	}
	return v, err
}

// row is the target of f's programs.
func (f fault) row() string {
	if f.target == "" {
		return target.Default()
	}
	return f.target
}

func lines(m *hlo.Module) string {
	return fmt.Sprintf("%d lines, %d barriers", bytes.Count(m.Text, []byte("\n")), bytes.Count(m.Text, []byte("optimization_barrier")))
}

// see describes what happens to a text, and reports whether that is correct.
func (t tools) see(ctx context.Context, dir string, r iree.Rewrite, f fault, g *dag.Graph, m *hlo.Module) (string, bool) {
	o := compiler.Options{Compiler: t.compiler, Linker: t.linker, Target: f.row(), Text: m.Text, TextName: "needed.mlir", Out: filepath.Join(dir, "program.vmfb")}
	if r.Shown == iree.Costs {
		o.Stage = []string{"--compile-to=" + f.phase}
	}
	if _, err := compiler.Compile(ctx, o); err != nil {
		return short(err), false
	}
	switch r.Shown {
	case iree.Costs:
		made, err := os.ReadFile(o.Out)
		if err != nil {
			return short(err), false
		}
		return fmt.Sprintf("%d times %s", bytes.Count(made, []byte(f.count)), f.count), true
	case iree.NoProgram:
		return "compiles", true
	}
	library := t.library
	if f.device == threads {
		library = "" // whose threads compute one dispatch after the other; those of the tool do not
	}
	x, err := backendiree.Open(backendiree.Options{Program: o.Out, Contract: m.Contract, Device: f.device, Library: library, Tool: t.tool})
	if err != nil {
		return short(err), false
	}
	defer x.Close()
	reference, err := cpu.Load(g, m.Contract, nil)
	if err != nil {
		return short(err), false
	}
	defer reference.Close()
	return compare(ctx, reference, x, f)
}

// tries is the number of calls of a program whose bug is a race between threads; on a
// machine with other work, some of them give right numbers.
const tries = 30

// compare calls both programs with the same arguments; all calls must agree.
func compare(ctx context.Context, reference, x backend.Executable, f fault) (string, bool) {
	want, err := reference.Call(ctx, "main", f.args...)
	if err != nil {
		return short(err), false
	}
	calls := 1
	if f.device == threads {
		calls = tries
	}
	for range calls {
		got, err := x.Call(ctx, "main", f.args...)
		if err != nil {
			return short(err), false
		}
		r, err := parity.Compare("main", nil, got, want, rules)
		if err != nil {
			return short(err), false
		}
		if !r.OK() {
			return "wrong numbers", false
		}
	}
	return "right numbers", true
}

// rules allow a few ulps of f32, since functions differ between libraries, and the
// initial values of state variables; the bugs cause larger differences.
var rules = parity.Rules{Float: map[dtype.DType]parity.Tolerance{dtype.F32: {Abs: 1e-20, Rel: 1e-6}}}

// place matches the file that a message begins with, and the position in it.
var place = regexp.MustCompile(`(needed\.mlir(:[0-9]+)*|\S*program\.vmfb): `)

// short returns the first informative line of a message, without its code and position.
func short(err error) string {
	if errs.CodeOf(err) == compiler.CodeCrashed {
		return "the compiler crashes"
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	line = strings.TrimPrefix(line, string(errs.CodeOf(err))+": ")
	if at := place.FindStringIndex(line); at != nil {
		line = line[at[1]:]
	}
	if at := strings.Index(line, "error: "); at >= 0 {
		line = line[at+len("error: "):]
	}
	if len(line) > width {
		line = line[:width-3] + "..."
	}
	return line
}

// width is the number of characters of a message that are shown.
const width = 60
