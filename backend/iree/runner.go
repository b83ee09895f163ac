package iree

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// runner is a program in a process of the static runner, which keeps its state from
// call to call: the form for programs of another processor, under an emulator.
type runner struct {
	o      Options
	dir    string // of arguments and results
	remove func()

	mu      sync.Mutex
	cmd     *exec.Cmd
	calls   io.WriteCloser
	answers *bufio.Reader
	stderr  capped
	ended   error // why there is no process any more
}

func openRunner(o Options) (_ backend.Executable, err error) {
	if driver, _, _ := strings.Cut(o.Device, "://"); !strings.HasPrefix(driver, "local-") {
		return nil, errs.New(CodeNoDevice, "the static runner has CPUs alone").On(o.Device).Hint("use local-sync")
	}
	r := &runner{o: o}
	if r.dir, r.remove, err = atomicfile.Folder("skainet-run-"); err != nil {
		return nil, errs.Wrap(CodeLoad, err, "no folder for arguments and results").Hint("set TMPDIR to a folder with free space")
	}
	defer func() {
		if err != nil {
			r.remove()
		}
	}()
	document, err := o.Contract.Marshal()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(r.dir, "contract.json")
	if err := atomicfile.WriteFile(path, document); err != nil {
		return nil, errs.Wrap(CodeLoad, err, "cannot write the contract").Hint("set TMPDIR to a folder with free space")
	}
	words := append(append([]string{}, o.ToolPrefix...), o.Runner, o.Program, "--contract="+path, "--calls")
	for _, scope := range archives.Scopes(o.Archives) {
		for _, archive := range o.Archives[scope] {
			words = append(words, "--archive="+scope+"="+archive)
		}
	}
	r.cmd = exec.CommandContext(context.Background(), words[0], words[1:]...) // it ends with Close, or a call that is cancelled
	r.cmd.Env, r.cmd.Stderr = o.Env, &r.stderr
	if r.calls, err = r.cmd.StdinPipe(); err != nil {
		return nil, errs.Wrap(CodeLoad, err, "no pipe to the static runner")
	}
	answers, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, errs.Wrap(CodeLoad, err, "no pipe from the static runner")
	}
	r.answers = bufio.NewReaderSize(answers, 1<<12)
	if err := r.cmd.Start(); err != nil {
		return nil, errs.Wrap(CodeLoad, err, "the static runner does not start").In(words[0])
	}
	return r, nil
}

func (r *runner) Contract() *contract.Contract { return r.o.Contract }

// Close ends the process.
func (r *runner) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended == nil {
		r.end(errs.New(CodeClosed, "the program is closed").In(r.o.Program).Hint("open the program again"))
	}
	return nil
}

// end waits for the process, which has nothing more to read, and removes its files.
func (r *runner) end(why error) {
	_ = r.calls.Close()
	_ = r.cmd.Wait() // what it said is in why
	r.remove()
	r.ended = why
}

func (r *runner) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	b, err := backend.Begin(r.o.Contract, entry, args)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended != nil {
		return nil, r.ended
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	results, err := r.call(ctx, b.Entry, args, b.Results)
	return results, place(err, r.o.Program, entry)
}

func (r *runner) call(ctx context.Context, e *contract.Entry, args []tensor.Value, wants []tensor.Type) ([]tensor.Value, error) {
	words := []string{e.Name}
	for i, a := range args {
		path := filepath.Join(r.dir, fmt.Sprintf("in%d.npy", i))
		if err := npy.WriteFile(path, a); err != nil {
			return nil, errs.Wrap(CodeCall, err, "cannot write an argument")
		}
		words = append(words, e.Args[i].Name+"=@"+path)
	}
	outputs := make([]string, len(e.Results))
	for i, result := range e.Results {
		outputs[i] = filepath.Join(r.dir, fmt.Sprintf("out%d.npy", i))
		words = append(words, "--output="+result.Name+"="+outputs[i])
	}
	stop := context.AfterFunc(ctx, func() { _ = r.cmd.Process.Kill() })
	_, err := io.WriteString(r.calls, strings.Join(words, "\t")+"\n")
	answer := ""
	if err == nil {
		answer, err = r.answers.ReadString('\n')
	}
	if !stop() {
		r.end(errs.New(CodeClosed, "a call was cancelled, which ends the static runner").In(r.o.Program).Hint("open the program again"))
		return nil, ctx.Err()
	}
	if err != nil {
		r.end(errs.New(CodeClosed, "the static runner has ended").In(r.o.Program).Hint("open the program again"))
		return nil, runnerError(r.cmd.ProcessState.String(), r.stderr.kept.String())
	}
	if answer != "done\n" {
		return nil, errs.New(CodeCall, "the static runner answered %q", answer).Hint("use the runner of this release")
	}
	results := make([]tensor.Value, len(outputs))
	for i, want := range wants {
		if results[i], err = readOutput(outputs[i], want); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// runnerError returns the fault that the runner reported, with its code.
func runnerError(state, stderr string) error {
	line, _, _ := strings.Cut(stderr, "\n")
	if _, rest, found := strings.Cut(line, "iree_runner: "); found {
		if code, what, ok := strings.Cut(rest, ": "); ok {
			return errs.New(errs.Code(code), "%s", what)
		}
	}
	return errs.New(CodeCall, "the static runner ended: %s: %s", state, strings.TrimSpace(stderr))
}
