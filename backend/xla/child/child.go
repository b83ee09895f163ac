// Package child runs XLA's programs in a process of their own: a plugin that aborts ends
// that process, and the caller gets an error and keeps its data.
//
// The process is the caller's own program, started again: its main function calls Main
// first. Open sends it the graph, or the path of a file of programs; arguments and results
// go through pipes. Weights stay in the mapped archives.
//
//	func main() {
//		child.Main()
//		...
//	}
//
// # Errors
//
// XLA_CHILD if the main function of this program does not call Main, which starts no process;
// if the process does not start, ends, or answers with something else than was
// asked, with the beginning and the end of what it printed; otherwise those of package xla, which the process
// reports. After XLA_CHILD every call fails: the state of the session is gone.
//
// # Untrusted input
//
// The process is as trusted as the caller. Lengths that it claims are read as they come.
//
// # Determinism
//
// As package xla.
package child

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// CodeChild is the code of a process that is not there any more.
const CodeChild errs.Code = "XLA_CHILD" // smallest input: the command false

// Prefix begins the names of devices whose programs run in a process of their own:
// xla+process://cpu.
const Prefix = "xla+process://"

// Device returns a device without the prefix, and whether it had it.
func Device(text string) (device string, apart bool) {
	return strings.CutPrefix(text, Prefix)
}

// variable tells the process that it is one.
const variable = "SKAINET_XLA_CHILD"

// called is set where Main was called and returned: this program may be started for a child.
var called atomic.Bool

// Main serves a parent and exits, in a process that Open started; in others it returns.
func Main() {
	if os.Getenv(variable) == "" {
		called.Store(true)
		return
	}
	if err := Serve(context.Background(), os.Stdin, os.Stdout); err != nil {
		os.Stderr.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	os.Exit(0)
}

// session is a program in another process.
type session struct {
	contract *contract.Contract
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      io.Reader
	stderr   *ends
	ended    chan struct{} // closed when the process has ended
	exit     error

	mu     sync.Mutex
	closed bool
	lost   error
}

// On opens a program where Options.Device says: in a process of its own, of this program,
// where that begins with Prefix, else in this process.
func On(ctx context.Context, o xla.Options) (backend.Executable, error) {
	device, apart := Device(o.Device)
	if o.Device = device; apart {
		return Open(ctx, o, nil)
	}
	return xla.Open(ctx, o)
}

// Open opens a program in a process of its own. command is the program with its arguments
// that calls Main; nil is this one, which must have called it. Options.Compiling and Options.Unfit have no effect.
func Open(ctx context.Context, o xla.Options, command []string) (_ backend.Executable, err error) {
	// A program that does not serve would do again in its child what led here: start a child.
	if os.Getenv(variable) != "" || command == nil && !called.Load() {
		return nil, errs.New(CodeChild, "main does not call child.Main").On(Prefix+o.Device).
			Hint("call child.Main at the beginning of main or TestMain, or run the program in this process: take %s off the device", Prefix)
	}
	if command == nil {
		own, err := os.Executable()
		if err != nil {
			return nil, errs.Wrap(CodeChild, err, "this program's path is not known").Hint("name the command")
		}
		command = []string{own}
	}
	request := message{Kind: kindOpen, Open: &opening{
		Program: o.Program, Archives: o.Archives, Copy: o.CopyParameters, Weights: o.Weights, Plugin: o.Plugin, Device: o.Device, Threads: o.Threads,
		Level: o.Level, Sizes: o.Sizes, Buckets: o.Buckets, Programs: o.Programs, Lazy: o.Lazy, Without: o.Without,
	}}
	if o.Cache != nil {
		request.Open.Cache = o.Cache.Folder()
	}
	if o.Graph != nil {
		if request.Open.Graph, err = graphjson.Marshal(o.Graph); err != nil {
			return nil, err
		}
	}
	s := &session{cmd: exec.Command(command[0], command[1:]...), stderr: &ends{}, ended: make(chan struct{})}
	// The reason why a process ends is in front of a trace of its goroutines, which says no more.
	s.cmd.Env = append(os.Environ(), variable+"=1", "GOTRACEBACK=none")
	s.cmd.Stderr = s.stderr
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, errs.Wrap(CodeChild, err, "no pipe to the process")
	}
	out, w, err := os.Pipe()
	if err != nil {
		return nil, errs.Wrap(CodeChild, err, "no pipe from the process")
	}
	s.out, s.cmd.Stdout = out, w
	err = s.cmd.Start()
	w.Close()
	if err != nil {
		out.Close()
		return nil, errs.Wrap(CodeChild, err, "the process does not start").In(command[0]).Hint("name a program that calls child.Main")
	}
	go func() {
		s.exit = s.cmd.Wait()
		close(s.ended)
	}()
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	answer, err := s.ask(ctx, request, nil)
	if err != nil {
		return nil, err
	}
	if answer.Contract == nil {
		return nil, s.lose(errs.New(CodeChild, "the process answered without a contract").In(command[0]).Hint("name a program that calls child.Main"))
	}
	s.contract = answer.Contract
	return s, nil
}

// Contract implements backend.Executable.
func (s *session) Contract() *contract.Contract { return s.contract }

// Call implements backend.Executable. A call that is cancelled ends the process.
func (s *session) Call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	e, err := s.contract.Entry(entry)
	if err != nil {
		return nil, err
	}
	if err := backend.Check(e, args); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	answer, err := s.ask(ctx, message{Kind: kindCall, Entry: entry}, args)
	if err != nil {
		return nil, err
	}
	return answer.values, nil
}

// ask sends a request and waits for its answer.
func (s *session) ask(ctx context.Context, request message, values []tensor.Value) (message, error) {
	switch {
	case s.closed:
		return message{}, errs.New(pjrt.CodeClosed, "the session was closed").Hint("open the program again")
	case s.lost != nil:
		return message{}, errs.Wrap(CodeChild, s.lost, "the process of the session has ended").Hint("open the program again")
	}
	if err := ctx.Err(); err != nil {
		return message{}, errs.Wrap(pjrt.CodeCall, err, "the call was not started")
	}
	stop := context.AfterFunc(ctx, func() { _ = s.cmd.Process.Kill() })
	defer stop()
	var answer message
	err := write(s.in, request, values)
	if err == nil {
		answer, err = read(s.out)
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return message{}, s.lose(err)
	}
	if answer.Fault != nil {
		return message{}, answer.Fault.err()
	}
	return answer, nil
}

// lose ends the process, of which an answer can no longer be believed.
func (s *session) lose(cause error) error {
	s.in.Close()
	_ = s.cmd.Process.Kill()
	<-s.ended
	gone := []error{io.EOF, io.ErrUnexpectedEOF, os.ErrClosed, syscall.EPIPE}
	if s.exit != nil && slices.ContainsFunc(gone, func(e error) bool { return errors.Is(cause, e) }) {
		cause = s.exit
	}
	s.lost = cause
	err := errs.Wrap(CodeChild, cause, "the process of the program ended")
	if printed := s.stderr.String(); printed != "" {
		return err.Hint("it printed: %s", printed)
	}
	return err.Hint("open the program again")
}

// Close implements backend.Executable.
func (s *session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	s.in.Close() // the process ends when it reads that
	select {
	case <-s.ended:
	case <-time.After(closeWait):
		_ = s.cmd.Process.Kill()
		<-s.ended
	}
	if c, ok := s.out.(io.Closer); ok {
		_ = c.Close()
	}
	return nil
}

// closeWait is how long the process may take to end by itself.
const closeWait = 10 * time.Second

// ends keeps the beginning and the end of what is written to it: a process says at first why it
// ends, and what it said last tells where that was.
type ends struct {
	mu   sync.Mutex
	head []byte
	cut  bool
	tail []byte
}

const (
	maxHead = 1500
	maxTail = 500
)

// Write implements io.Writer.
func (e *ends) Write(p []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	room := min(maxHead-len(e.head), len(p))
	e.head = append(e.head, p[:room]...)
	e.tail = append(e.tail, p[room:]...)
	if over := len(e.tail) - maxTail; over > 0 {
		e.tail, e.cut = append(e.tail[:0], e.tail[over:]...), true
	}
	return len(p), nil
}

// String returns it as one line.
func (e *ends) String() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := append(append([]byte(nil), e.head...), e.tail...)
	if e.cut {
		all = append(append(append([]byte(nil), e.head...), " ... "...), e.tail...)
	}
	return strings.ToValidUTF8(string(bytes.Join(bytes.Fields(all), []byte(" "))), "")
}
