package ireert

import (
	"strings"
	"sync"
	"unsafe"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// ParameterMode is how an archive's bytes reach the program.
type ParameterMode int32

// The modes.
const (
	// Mapped maps the archive: on a CPU device the weights are pages of the
	// file, shared by sessions and processes. The file must not change while
	// the session is open.
	Mapped ParameterMode = 0
	// Copied reads the archive into memory at load.
	Copied ParameterMode = 1
)

// MaxScopes is the maximum number of scopes of a session.
const MaxScopes = 8

// Function is an entry point that a session resolved.
type Function int32

// Session is one device with a loaded program and its state. Its methods may
// be called from several goroutines; calls run one after another.
type Session struct {
	lib *Library

	mu        sync.Mutex
	s         uintptr // 0 after Close
	functions map[string]Function
	buffers   map[*Buffer]struct{} // kept on the device
	text      *errorText
}

// Open creates a session on a device. driver is one of Drivers; device is empty
// for the driver's default or names one of its devices; workers is the number
// of threads of local-task, 0 for one per core.
func (l *Library) Open(driver, device string, workers int) (*Session, error) {
	if err := noNUL(CodeNoDevice, driver, device); err != nil {
		return nil, err
	}
	s := &Session{lib: l, functions: map[string]Function{}, buffers: map[*Buffer]struct{}{}, text: new(errorText)}
	rc := l.open(driver, device, int32(workers), unsafe.Pointer(&s.s), s.text.pointer(), s.text.room())
	if status := s.text.status(rc); status != nil {
		e := errs.Wrap(CodeNoDevice, status, "the device cannot be opened")
		e.On(strings.TrimSuffix(driver+"://"+device, "://"))
		if names, err := l.Drivers(); err == nil {
			e.Hint("skainet devices shows which are here; the drivers of this library are: %s", strings.Join(names, ", "))
		}
		return nil, e
	}
	return s, nil
}

// AddParameters adds an .irpa archive to a scope, which may have several. Call it before Load.
func (s *Session) AddParameters(scope, path string, mode ParameterMode) error {
	if err := noNUL(CodeParameters, scope, path); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return err
	}
	rc := s.lib.params(s.s, scope, path, int32(mode), s.text.pointer(), s.text.room())
	if status := s.text.status(rc); status != nil {
		return errs.Wrap(CodeParameters, status, "the parameter archive cannot be read").In(path).On(scope).
			Hint("pack it again with: skainet pack; at most %d scopes", MaxScopes)
	}
	return nil
}

// Load loads a program (.vmfb) from a file, which is mapped.
func (s *Session) Load(path string) error {
	if err := noNUL(CodeLoad, path); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return err
	}
	rc := s.lib.load(s.s, path, s.text.pointer(), s.text.room())
	status := s.text.status(rc)
	if status == nil {
		return nil
	}
	if _, what, ok := strings.Cut(status.Text, string(processor.CodeCPU)+": "); ok {
		return errs.New(processor.CodeCPU, "%s", what).In(path).Hint("compile it for this processor")
	}
	if strings.Contains(status.Text, "parameter") {
		return errs.Wrap(CodeParameters, status, "the program's parameters cannot be loaded").In(path).
			Hint("give the archive that was packed for this program")
	}
	return errs.Wrap(CodeLoad, status, "the program cannot be loaded").In(path).
		Hint("it must be a complete .vmfb of iree-compile %s for this device and this processor", target.Release())
}

// Lookup resolves "module.function".
func (s *Session) Lookup(name string) (Function, error) {
	if err := noNUL(CodeLoad, name); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return 0, err
	}
	if f, ok := s.functions[name]; ok {
		return f, nil
	}
	var index int32
	rc := s.lib.lookup(s.s, name, unsafe.Pointer(&index), s.text.pointer(), s.text.room())
	if status := s.text.status(rc); status != nil {
		return 0, errs.Wrap(CodeLoad, status, "the program has no such function").On(name).
			Hint("the contract and the program must come from the same export")
	}
	s.functions[name] = Function(index)
	return Function(index), nil
}

// Close releases the buffers kept on the device and the session. Closing again
// does nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.s == 0 {
		return nil
	}
	for b := range s.buffers {
		s.lib.release(b.handle)
		b.handle = 0
	}
	clear(s.buffers)
	s.lib.closeFn(s.s)
	s.s = 0
	return nil
}

// open reports whether the session is still open; the caller holds the lock.
func (s *Session) open() error {
	if s.s == 0 {
		return errs.New(CodeClosed, "the session was closed").Hint("open the program again")
	}
	return nil
}

// noNUL rejects what a C string cannot hold.
func noNUL(code errs.Code, texts ...string) error {
	for _, t := range texts {
		if strings.ContainsRune(t, 0) {
			return errs.New(code, "the name %q contains a NUL byte", t)
		}
	}
	return nil
}
