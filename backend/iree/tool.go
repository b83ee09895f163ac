package iree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/archives"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// tool is a program that iree-run-module loads for each call. The program's state ends
// with the call: one call of one stateful entry point is correct, every later one is
// IREE_TOOL_STATE, unless the caller knows (Options.PerCall).
type tool struct {
	o Options

	mu       sync.Mutex
	closed   bool
	stateful string // the stateful entry point that was called, if any
}

func openTool(o Options) (backend.Executable, error) {
	t := &tool{o: o}
	names, err := t.drivers(context.Background())
	if err != nil {
		return nil, err
	}
	driver, _, _ := strings.Cut(o.Device, "://")
	for _, n := range names {
		if n == driver {
			return t, nil
		}
	}
	return nil, noDriver(o.Device, names)
}

// ToolDrivers lists the drivers that an iree-run-module has.
func ToolDrivers(ctx context.Context, path string) ([]string, error) {
	return (&tool{o: Options{Tool: path}}).drivers(ctx)
}

// ToolDevice returns an error if a driver of an iree-run-module finds no device here.
func ToolDevice(ctx context.Context, path, driver string) error {
	out, err := (&tool{o: Options{Tool: path}}).run(ctx, "--list_devices="+driver)
	if err == nil && strings.TrimSpace(out) == "" {
		err = errors.New("the driver lists no device")
	}
	if failed := (*toolFailure)(nil); errors.As(err, &failed) {
		failed.stderr = flagsError.ReplaceAllString(failed.stderr, "")
	}
	if err != nil {
		return errs.Wrap(CodeNoDevice, err, "the device cannot be opened").On(driver)
	}
	return nil
}

// flagsError is what IREE's tools print before the reason, in colour, and the reason's place.
var flagsError = regexp.MustCompile(`^[^\n]*FLAGS ERROR:[^\n]*\n(?:\S+:\d+: [A-Z_]+; )?`)

var driverLine = regexp.MustCompile(`(?m)^\s*([a-z][a-z0-9-]*):`)

func (t *tool) drivers(ctx context.Context) ([]string, error) {
	out, err := t.run(ctx, "--list_drivers")
	if err != nil {
		return nil, errs.Wrap(CodeLoad, err, "the tool does not run").In(t.o.Tool)
	}
	var names []string
	for _, m := range driverLine.FindAllStringSubmatch(out, -1) {
		names = append(names, m[1])
	}
	return names, nil
}

// Session implements backend.Shared. A call is a process of its own in any session, and
// no two have a part in memory in common but by the file system's cache.
func (t *tool) Session(files map[string][]string) (backend.Executable, error) {
	if err := archives.CheckScopes(CodeParameters, t.o.Contract, files, archives.Scopes(files)); err != nil {
		return nil, err
	}
	o := t.o
	o.Archives = maps.Clone(o.Archives)
	maps.Copy(o.Archives, files)
	return &tool{o: o}, nil
}

func (t *tool) Contract() *contract.Contract { return t.o.Contract }

// Spawns reports whether each call of a program starts a process, which loads the program anew.
func Spawns(x backend.Executable) bool {
	s, ok := x.(interface{ Spawns() bool })
	return ok && s.Spawns()
}

// Spawns is what the function of that name asks.
func (t *tool) Spawns() bool { return true }

// PerCall implements backend.PerCall.
func (t *tool) PerCall() bool { return t.o.PerCall }

func (t *tool) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return nil
}

func (t *tool) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	b, err := backend.Begin(t.o.Contract, entry, args)
	if err != nil {
		return nil, err
	}
	e := b.Entry
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil, errs.New(CodeClosed, "the program is closed").In(t.o.Program).Hint("open the program again")
	}
	if e.State && t.stateful != "" && !t.o.PerCall {
		return nil, errs.New(CodeToolState, "the call needs the state left by the call of %q, which the tool does not keep", t.stateful).
			In(t.o.Program).On(e.Name).Hint("run the program in process, with the libireert.so of a release or of ./bazelw build //toolchains/iree:runtime_library, named by --library or SKAINET_IREERT, or the model on the CPU backend, in Go open.CPU; a language model can answer in one call: textmodel.New with oneCall")
	}
	dir, remove, err := atomicfile.Folder("skainet-run-")
	if err != nil {
		return nil, errs.Wrap(CodeCall, err, "no folder for inputs and outputs").Hint("set TMPDIR to a folder with free space")
	}
	defer remove()
	if e.State {
		t.stateful = e.Name
	}
	results, err := t.call(ctx, dir, e, args, b.Results)
	return results, place(err, t.o.Program, e.Name)
}

func (t *tool) call(ctx context.Context, dir string, e *contract.Entry, args []tensor.Value, wants []tensor.Type) ([]tensor.Value, error) {
	flags, err := t.o.toolFlags(dir, e, args)
	if err != nil {
		return nil, err
	}
	outputs := make([]string, len(e.Results))
	for i, r := range e.Results {
		outputs[i] = filepath.Join(dir, fmt.Sprintf("out%d", i)+outputExt(r.DType))
		flags = append(flags, "--output=@"+outputs[i])
	}
	if _, err := t.run(ctx, flags...); err != nil {
		return nil, toolError(err)
	}
	results := make([]tensor.Value, len(outputs))
	for i, want := range wants {
		v, err := readOutput(outputs[i], want)
		if err != nil {
			return nil, err
		}
		results[i] = v
	}
	return results, nil
}

// toolFlags returns what IREE's tools are told of a call, and writes its arguments to a folder.
func (o Options) toolFlags(dir string, e *contract.Entry, args []tensor.Value) ([]string, error) {
	flags := []string{"--device=" + o.Device, "--module=" + o.Program, "--function=" + e.Name}
	if strings.HasPrefix(o.Device, "local-task") {
		// Programs may use 256 KiB of stack; a worker's default is 128 KiB.
		flags = append(flags, "--task_worker_stack_size=1048576")
		if o.Workers > 0 {
			flags = append(flags, fmt.Sprintf("--task_topology_group_count=%d", o.Workers))
		}
	}
	for _, scope := range archives.Scopes(o.Archives) {
		for _, path := range o.Archives[scope] {
			flags = append(flags, "--parameters="+strings.TrimPrefix(scope+"=", "=")+path)
		}
	}
	for i, a := range args {
		path := filepath.Join(dir, fmt.Sprintf("in%d.bin", i))
		if err := os.WriteFile(path, a.Bytes, 0o600); err != nil {
			return nil, errs.Wrap(CodeCall, err, "cannot write an input").Hint("set TMPDIR to a folder with free space")
		}
		flags = append(flags, "--input="+toolType(a.Type)+"=@"+path)
	}
	return flags, nil
}

// toolType spells a type as the tool's --input flag does: 2x3xf32, i32.
func toolType(t tensor.Type) string {
	if t.Shape.Rank() == 0 {
		return t.DType.MLIR()
	}
	return t.Shape.String() + "x" + t.DType.MLIR()
}

// outputExt: NumPy's format carries type and shape, but has no bf16.
func outputExt(d dtype.DType) string {
	if d.NumPy() == "" {
		return ".bin"
	}
	return ".npy"
}

func readOutput(path string, want tensor.Type) (tensor.Value, error) {
	if outputExt(want.DType) == ".bin" {
		b, err := os.ReadFile(path)
		if err != nil {
			return tensor.Value{}, errs.Wrap(CodeCall, err, "the tool left no result")
		}
		v := tensor.Value{Type: want, Bytes: b}
		return v, v.Check()
	}
	v, err := npy.ReadFile(path)
	if err != nil {
		return tensor.Value{}, errs.Wrap(CodeCall, err, "the tool left no result")
	}
	if !ireert.Fits(v.Type, want) {
		return tensor.Value{}, errs.New(CodeCall, "a result is %s, but the contract says %s", v.Type, want).
			Hint("the contract and the program must come from the same export")
	}
	return v, nil
}

// run runs the tool and returns its standard output.
func (t *tool) run(ctx context.Context, flags ...string) (string, error) {
	argv := append(append([]string{}, t.o.ToolPrefix...), t.o.Tool)
	argv = append(argv, flags...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = t.o.Env
	out, stderr := &capped{full: errPrinted}, &capped{}
	cmd.Stdout, cmd.Stderr = out, stderr
	err := cmd.Run()
	switch {
	case err == nil:
		return out.kept.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case out.cut: // the tool ended because its output was no longer read
		return "", errPrinted
	}
	return "", &toolFailure{err: err, stderr: stderr.kept.String()}
}

// maxPrinted is how much of the tool's output is kept. It prints the names of drivers
// and errors, and writes results to files.
const maxPrinted = 1 << 20

var errPrinted = fmt.Errorf("it printed more than %d bytes; is it IREE's iree-run-module?", maxPrinted)

// capped keeps the first maxPrinted bytes. Then it fails with full, or, if that
// is nil, discards the rest.
type capped struct {
	kept bytes.Buffer
	full error
	cut  bool
}

func (c *capped) Write(b []byte) (int, error) {
	room := min(len(b), maxPrinted-c.kept.Len())
	c.kept.Write(b[:room])
	if room == len(b) {
		return room, nil
	}
	c.cut = true
	if c.full != nil {
		return room, c.full
	}
	return len(b), nil
}

// toolFailure is a run that did not exit with status 0.
type toolFailure struct {
	err    error
	stderr string
}

func (f *toolFailure) Error() string {
	var exit *exec.ExitError
	if errors.As(f.err, &exit) {
		if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
			return "iree-run-module was killed by the signal " + ws.Signal().String()
		}
	}
	if text := ireert.Clean(f.stderr, ""); text != "" {
		return text
	}
	return f.err.Error()
}

// toolError returns the code that the same fault has in process.
func toolError(err error) error {
	text := err.Error()
	switch {
	case strings.Contains(text, "creating driver") || strings.Contains(text, "creating device"):
		return errs.Wrap(CodeNoDevice, err, "the device cannot be opened").Hint("skainet devices shows which are here")
	case strings.Contains(text, "parameter"):
		return errs.Wrap(CodeParameters, err, "the program's parameters cannot be loaded").
			Hint("give the archive that was packed for this program")
	case strings.Contains(text, "creating run context") || strings.Contains(text, "loading"):
		return errs.Wrap(CodeLoad, err, "the program cannot be loaded").
			Hint("it must be a complete .vmfb of iree-compile %s for this device and this processor", target.Release())
	}
	return errs.Wrap(CodeCall, err, "the call failed")
}
