// Package worker runs actions of the Remote Execution API, strictly.
//
// An action sees a folder that holds its input root and nothing else, the
// read-only folders of the host that the worker was told to show, a fixed user
// and host name, and no network. Run twice, it has another folder and host name
// the second time, so that a path in an output shows as a difference.
//
// # Errors
//
// REAPI_PATH, REAPI_INPUT, REAPI_OUTPUT, REAPI_FORBIDDEN,
// REAPI_NOT_REPRODUCIBLE, REAPI_TIMEOUT, REAPI_GONE and REAPI_START; those of
// package cas. An action that ends with a status other than zero is a result and
// no error.
//
// # Determinism
//
// Results depend on the action alone, as far as the action lets them.
//
// # Untrusted input
//
// Names in a tree must be names and declared outputs must stay in the action's
// folder, also after the action: no link on the way to one is followed, and pipes
// and devices are not opened. Trees, outputs, what an action prints and how long
// it runs have the limits of limits.go; a tree is measured before a file of it is
// made, since few folders that name each other unfold to many. An action itself is
// trusted as far as the sandbox goes; without one it may do what this process may.
// Inputs are links to blobs: one that was changed is found after the action, even
// with its time and length put back, and is a blob no more. An action that runs
// beside it can have read what was put back before both ended.
package worker

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

const (
	// CodePath is for paths in an action that lead out of its folder.
	CodePath errs.Code = "REAPI_PATH"
	// CodeInput says that an action changed an input.
	CodeInput errs.Code = "REAPI_INPUT"
	// CodeOutput is for outputs that cannot be stored, such as pipes.
	CodeOutput errs.Code = "REAPI_OUTPUT"
	// CodeForbidden says that an action contains forbidden text.
	CodeForbidden errs.Code = "REAPI_FORBIDDEN"
	// CodeNotReproducible says that an action had other outputs when run again.
	CodeNotReproducible errs.Code = "REAPI_NOT_REPRODUCIBLE"
	// CodeTimeout says that an action took longer than allowed.
	CodeTimeout errs.Code = "REAPI_TIMEOUT"
	// CodeGone says that a client went away, or its own deadline came, before an action's end.
	CodeGone errs.Code = "REAPI_GONE"
	// CodeStart says that an action's program could not be started.
	CodeStart errs.Code = "REAPI_START"
)

// Options configures how strict a worker is.
type Options struct {
	Bwrap  string   // bubblewrap; without it actions run unsandboxed
	Show   []string // folders of the host to show, where there is bubblewrap
	Forbid []string // text that no argument, environment value or output may hold
}

// Worker runs actions whose blobs are in a store.
type Worker struct {
	Options
	store   *cas.Store
	work    string
	entries int // MaxEntries, but in tests
}

// New returns a worker with its actions' folders below root.
func New(store *cas.Store, root string, o Options) (*Worker, error) {
	w := &Worker{Options: o, store: store, work: filepath.Join(root, "work"), entries: MaxEntries}
	if err := os.MkdirAll(w.work, 0o755); err != nil {
		return nil, state(err)
	}
	return w, nil
}

func state(err error) error { return errs.Wrap(cas.CodeState, err, "an action's folder") }

func forbidden(where, text string) error {
	return errs.New(CodeForbidden, "%s holds the forbidden text %q", where, text).
		Hint("give paths relative to the execution root and keep them out of what is written")
}

// Run runs an action; twice, if requested and its result is cacheable. The result of a
// failed action has its exit status.
func (w *Worker) Run(ctx context.Context, a *re.Action, twice bool) (*re.ActionResult, error) {
	var c re.Command
	if err := w.store.Message(a.CommandDigest, &c); err != nil {
		return nil, err
	}
	if err := sound(&c); err != nil {
		return nil, err
	}
	if err := w.clean(&c); err != nil {
		return nil, err
	}
	first, err := w.once(ctx, a, &c, place{root: "/remote/execroot", host: "worker"})
	if err != nil || !twice || first.ExitCode != 0 || a.DoNotCache {
		return first, err
	}
	second, err := w.once(ctx, a, &c, place{root: "/another/place/for/execroot", host: "second"})
	if err != nil {
		return nil, err
	}
	return first, compare(first, second)
}

// clean rejects forbidden text in the parts of an action's key.
func (w *Worker) clean(c *re.Command) error {
	for _, text := range w.Forbid {
		for _, arg := range c.Arguments {
			if strings.Contains(arg, text) {
				return forbidden("argument "+arg, text)
			}
		}
		for _, v := range c.EnvironmentVariables {
			if strings.Contains(v.Value, text) {
				return forbidden("environment "+v.Name+"="+v.Value, text)
			}
		}
	}
	return nil
}

// place is where an action appears to run.
type place struct{ root, host string }

func (w *Worker) once(ctx context.Context, a *re.Action, c *re.Command, p place) (*re.ActionResult, error) {
	names, err := outputNames(c)
	if err != nil {
		return nil, err
	}
	top, err := os.MkdirTemp(w.work, "action-")
	if err != nil {
		return nil, state(err)
	}
	defer removeAll(top)
	root := filepath.Join(top, "execroot")
	inputs, err := w.stage(a.InputRootDigest, root)
	if err != nil {
		return nil, err
	}
	handle, err := os.OpenRoot(root)
	if err != nil {
		return nil, state(err)
	}
	defer handle.Close()
	if err := folders(handle, c, names); err != nil {
		return nil, err
	}
	result, err := w.execute(ctx, a, c, root, p)
	if err := cmp.Or(err, w.changed(inputs, root)); err != nil { // the blobs of one that failed count too
		return nil, err
	}
	return result, w.collect(handle, c.WorkingDirectory, names, result)
}

func (w *Worker) execute(ctx context.Context, a *re.Action, c *re.Command, root string, p place) (*re.ActionResult, error) {
	limit, err := timeout(a)
	if err != nil {
		return nil, err
	}
	late := errs.New(CodeTimeout, "the action took longer than %s", limit).Hint("give it a longer timeout, or make it several actions")
	asked := ctx
	ctx, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	cmd := w.command(ctx, c, root, p)
	for _, v := range c.EnvironmentVariables {
		cmd.Env = append(cmd.Env, v.Name+"="+v.Value)
	}
	stdout, stderr := &text{name: "stdout", full: cancel}, &text{name: "stderr", full: cancel}
	// What an action leaves running may hold its pipes open.
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdout, stderr, 2*time.Second
	meta := &re.ExecutedActionMetadata{Worker: p.host, ExecutionStartTimestamp: timestamppb.Now()}
	err = cmd.Run()
	meta.ExecutionCompletedTimestamp = timestamppb.Now()
	if w.Bwrap == "" && cmd.Process != nil { // the sandbox ends what an action leaves running
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	switch {
	case errors.Is(context.Cause(ctx), late):
		return nil, late
	case asked.Err() != nil:
		return nil, errs.Wrap(CodeGone, asked.Err(), "the client stopped waiting for the action").Hint("give the client a longer deadline")
	}
	if err := errors.Join(stdout.err, stderr.err); err != nil {
		return nil, err
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, errs.Wrap(CodeStart, err, "%s", c.Arguments[0])
	}
	result := &re.ActionResult{ExitCode: int32(cmd.ProcessState.ExitCode()), ExecutionMetadata: meta}
	if result.StdoutDigest, err = w.store.PutBytes(stdout.held); err != nil {
		return nil, err
	}
	result.StderrDigest, err = w.store.PutBytes(stderr.held)
	return result, err
}

// command is the process of an action. The sandbox shows nothing of the host but
// what Show names.
func (w *Worker) command(ctx context.Context, c *re.Command, root string, p place) *exec.Cmd {
	if w.Bwrap == "" {
		cmd := exec.CommandContext(ctx, c.Arguments[0], c.Arguments[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
		cmd.Dir, cmd.Env = filepath.Join(root, c.WorkingDirectory), []string{}
		if name := c.Arguments[0]; strings.Contains(name, "/") && !filepath.IsAbs(name) {
			cmd.Path, cmd.Err = filepath.Join(cmd.Dir, name), nil
		}
		return cmd
	}
	args := []string{
		"--unshare-all", "--uid", "1000", "--gid", "1000", "--die-with-parent", "--new-session",
		"--hostname", p.host, "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
	}
	for _, folder := range w.Show {
		if target, err := os.Readlink(folder); err == nil { // /lib, which is usr/lib
			args = append(args, "--symlink", target, folder)
		} else {
			args = append(args, "--ro-bind", folder, folder)
		}
	}
	args = append(args, "--bind", root, p.root, "--chdir", path.Join(p.root, c.WorkingDirectory), "--")
	cmd := exec.CommandContext(ctx, w.Bwrap, append(args, c.Arguments...)...)
	cmd.Env = []string{}
	return cmd
}

// compare returns an error that names an output that differs between two runs.
func compare(first, second *re.ActionResult) error {
	digests := func(r *re.ActionResult) map[string]string {
		m := map[string]string{}
		for _, f := range r.OutputFiles {
			m[f.Path] = f.Digest.Hash
			if f.IsExecutable {
				m[f.Path] += " (executable)"
			}
		}
		for _, d := range r.OutputDirectories {
			m[d.Path] = d.TreeDigest.Hash
		}
		for _, l := range r.OutputSymlinks {
			m[l.Path] = "-> " + l.Target
		}
		return m
	}
	a, b := digests(first), digests(second)
	names := slices.Sorted(maps.Keys(a))
	for n := range b {
		if _, ok := a[n]; !ok {
			names = append(names, n)
		}
	}
	for _, n := range names {
		if a[n] != b[n] {
			return errs.New(CodeNotReproducible, "output %s is %s and then %s", n, or(a[n], "absent"), or(b[n], "absent")).
				Hint("keep time, chance, host name and folder out of it")
		}
	}
	return nil
}

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
