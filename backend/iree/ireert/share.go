package ireert

import (
	"strings"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
)

// Memory is what a session takes, in bytes.
type Memory struct {
	Archives int64 // of the archives that it opened
	Shared   int64 // of archives that it shares with the session that opened them
	// Device is what is allocated on the device, by all sessions on it. A mapped archive
	// is no part of it on a CPU, where it is used in place.
	Device int64
}

// Share opens another session on the device of s, with the programs of s, and with
// its archives but for the scopes in other, which get these. Programs and archives that
// both have are in memory once. State is the new session's own; calls of the two may run
// at the same time, and either may be closed first.
func (s *Session) Share(other map[string][]string, scopes []string, mode ParameterMode) (_ *Session, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return nil, err
	}
	n := &Session{lib: s.lib, functions: map[string]Function{}, buffers: map[*Buffer]struct{}{}, text: new(errorText)}
	rc := s.lib.share(s.s, unsafe.Pointer(&n.s), n.text.pointer(), n.text.room())
	if status := n.text.status(rc); status != nil {
		return nil, errs.Wrap(CodeNoDevice, status, "the device cannot be shared").Hint("open the program alone, or on another device: skainet devices shows which are here")
	}
	defer func() {
		if err != nil {
			n.Close()
		}
	}()
	for _, scope := range scopes {
		if err := noNUL(CodeParameters, scope); err != nil {
			return nil, err
		}
		if paths, replaced := other[scope]; replaced {
			for _, path := range paths {
				if err := n.AddParameters(scope, path, mode); err != nil {
					return nil, err
				}
			}
			continue
		}
		rc := s.lib.paramsShared(n.s, s.s, scope, n.text.pointer(), n.text.room())
		if status := n.text.status(rc); status != nil {
			return nil, errs.Wrap(CodeParameters, status, "the archives of the other session cannot be shared").On(scope)
		}
	}
	rc = s.lib.loadShared(n.s, s.s, n.text.pointer(), n.text.room())
	if status := n.text.status(rc); status != nil {
		code, what := CodeLoad, "the program of the other session cannot be loaded"
		if strings.Contains(status.Text, "parameter") {
			code, what = CodeParameters, "the program's parameters cannot be loaded"
		}
		return nil, errs.Wrap(code, status, "%s", what).Hint("give archives that were packed for this program")
	}
	return n, nil
}

// Memory returns what the session takes.
func (s *Session) Memory() (Memory, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.open(); err != nil {
		return Memory{}, err
	}
	var m Memory
	rc := s.lib.memory(s.s, unsafe.Pointer(&m.Archives), unsafe.Pointer(&m.Shared), unsafe.Pointer(&m.Device), s.text.pointer(), s.text.room())
	if status := s.text.status(rc); status != nil {
		return Memory{}, errs.Wrap(CodeLoad, status, "the session's memory is not known")
	}
	return m, nil
}
