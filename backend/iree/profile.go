package iree

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree/dispatch"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ProfileTools are the paths of IREE's tools that measure dispatches.
type ProfileTools struct {
	Benchmark string // iree-benchmark-module
	Profile   string // iree-profile
}

// Profile calls an entry point some times on one thread, and returns the time of each of
// its dispatches. Text says what they work on; it may be nil. A program that keeps state is called
// on and on without a reset. The tools run in processes of their own; Options' Device must be
// local-sync, or local-task, which local-sync takes the place of, and its Library and Tool are
// not used.
func Profile(ctx context.Context, o Options, tools ProfileTools, text *dispatch.Text, calls int, entry string, args ...tensor.Value) ([]dispatch.Row, error) {
	if o.Device == "local-task" {
		o.Device = "local-sync"
	}
	if o.Device != "local-sync" {
		return nil, errs.New(dispatch.CodeProfile, "dispatches are measured on one thread of the CPU, not on %s", o.Device).Hint("give --device=cpu --threads=1")
	}
	e, err := o.Contract.Entry(entry)
	if err != nil {
		return nil, err
	}
	if err := backend.Check(e, args); err != nil {
		return nil, err
	}
	dir, remove, err := atomicfile.Folder("skainet-profile-")
	if err != nil {
		return nil, errs.Wrap(CodeCall, err, "no folder for the profile").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	flags, err := o.toolFlags(dir, e, args)
	if err != nil {
		return nil, err
	}
	profile := filepath.Join(dir, "profile.ireeprof")
	flags = append(flags, fmt.Sprintf("--benchmark_min_time=%dx", calls),
		"--device_profiling_mode=host-execution,executable-metadata", "--device_profiling_output="+profile)
	t := tool{o: Options{Tool: tools.Benchmark, Env: o.Env}}
	if _, err := t.run(ctx, flags...); err != nil {
		return nil, place(toolError(err), o.Program, entry)
	}
	cmd := exec.CommandContext(ctx, tools.Profile, "dispatch", "--dispatch_events", "--format=jsonl", profile)
	cmd.Env = o.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, errs.Wrap(dispatch.CodeProfile, err, "the tool does not run").In(tools.Profile)
	}
	rows, err := dispatch.Rows(events, calls, entry, text)
	if err != nil {
		cmd.Process.Kill() //nolint:errcheck // it may have ended
	}
	if failed := cmd.Wait(); failed != nil && ctx.Err() == nil && stderr.Len() > 0 {
		err = errs.Wrap(dispatch.CodeProfile, &toolFailure{err: failed, stderr: stderr.String()}, "the profile cannot be read")
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, place(err, o.Program, entry)
}
