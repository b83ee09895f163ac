package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
)

// Where the tools are among the runfiles; set by the BUILD file.
var skainet, exporter, compile, compiler, linker string

type tools struct{ skainet, exporter, compile, compiler, linker string }

func find() (t tools, err error) {
	for _, x := range []struct {
		to    *string
		place string
	}{{&t.skainet, skainet}, {&t.exporter, exporter}, {&t.compile, compile}, {&t.compiler, compiler}, {&t.linker, linker}} {
		if *x.to, err = harness.Runfile(x.place); err != nil {
			return t, err
		}
		if *x.to, err = filepath.Abs(*x.to); err != nil {
			return t, err
		}
	}
	return t, nil
}

// step is what one process took; ran is false where the size was too large for it.
type step struct {
	ran          bool
	seconds, cpu float64
	mebibytes    float64
}

// row is what one model took.
type row struct {
	shape                  shape
	parameters             int64
	weights, text, program int64 // bytes
	shards                 int
	index, export, pack    step
	compile                step
}

// build runs the steps of one model in a folder that is removed.
func (o *options) build(ctx context.Context, t tools, s shape) (r row, err error) {
	dir, err := os.MkdirTemp(o.folder, "large-")
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	in := func(name string) string { return filepath.Join(dir, name) }
	r.shape = s
	if r.parameters, err = s.parameters(); err != nil {
		return r, err
	}
	if err := s.write(in("m.gguf")); err != nil {
		return r, err
	}
	r.weights = size(in("m.gguf"))
	run := func(to *step, argv ...string) {
		if err == nil {
			*to, err = measure(ctx, argv)
		}
	}
	run(&r.index, t.skainet, "inspect", "--index", "--output", in("m.json"), in("m.gguf"))
	run(&r.export, t.exporter, "--name", "m", "--index", in("m.json"), "--constants", in("c.irpa"),
		"--text", in("m.mlir"), "--kernels", in("k.mlir"), "--contract", in("contract.json"))
	r.text = size(in("k.mlir"))
	if float64(r.weights) < o.packBelow*1e9 {
		run(&r.pack, t.skainet, "pack", "--no-sync", "--contract", in("contract.json"), "--constants", in("c.irpa"),
			"--weights", in("m.gguf"), "--max-shard-size", o.shard, "--output", in("m.irpa"))
		archives, _ := filepath.Glob(in("m*.irpa"))
		slices.Sort(archives)
		r.shards = len(archives)
	}
	if position(s.name) <= position(o.compileUpTo) {
		argv := []string{t.compile, "--compiler", t.compiler, "--linker", t.linker, "--text", in("k.mlir"), "--output", in("m.vmfb")}
		for _, f := range o.flags {
			argv = append(argv, "--flag", f)
		}
		run(&r.compile, argv...)
		r.program = size(in("m.vmfb"))
	}
	return r, err
}

func position(name string) int {
	return slices.IndexFunc(shapes, func(s shape) bool { return s.name == name })
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

func measure(ctx context.Context, argv []string) (step, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // a tool of the build
	var said bytes.Buffer
	cmd.Stderr = &said
	begun := time.Now()
	if err := cmd.Run(); err != nil {
		return step{}, errs.Wrap(harness.CodeContestant, err, "%s: %s", filepath.Base(argv[0]), bytes.TrimSpace(said.Bytes()))
	}
	peak, ok := peakMemory(cmd.ProcessState)
	if !ok {
		return step{}, fmt.Errorf("this system does not report what a process used")
	}
	return step{
		ran: true, seconds: time.Since(begun).Seconds(),
		cpu:       (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		mebibytes: float64(peak) / (1 << 20),
	}, nil
}
