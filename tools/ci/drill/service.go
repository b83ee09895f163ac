package drill

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
)

// patience is how long a server may take to start, or to end.
const patience = 10 * time.Second

// service is a server of a drill.
type service struct {
	address string
	how     string // what it is, for the table
	log     string // file with a line of JSON for each action
	cmd     *exec.Cmd
	ended   chan error
	end     func() error // in place of cmd
	// patience is how long it may take to start; 0 means the default.
	patience time.Duration
}

// process starts a server and waits until ready gives its address.
func (s *session) process(cmd *exec.Cmd, v *service, ready func() string) error {
	var stderr tail
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &stderr, &stderr, time.Second
	if err := cmd.Start(); err != nil {
		return errs.Wrap(CodeTool, err, "a server")
	}
	v.cmd, v.ended = cmd, make(chan error, 1)
	go func() { v.ended <- cmd.Wait() }()
	s.services = append(s.services, v)
	limit := cmp.Or(v.patience, patience)
	for begun := time.Now(); time.Since(begun) < limit; time.Sleep(20 * time.Millisecond) {
		if v.address = ready(); v.address != "" {
			return nil
		}
		select {
		case err := <-v.ended:
			v.cmd = nil
			return errs.New(CodeTool, "%s ended at once, %v: %s", filepath.Base(cmd.Path), err, bytes.TrimSpace(stderr.data))
		default:
		}
	}
	return errs.New(CodeTool, "%s did not listen within %s: %s", filepath.Base(cmd.Path), limit, bytes.TrimSpace(stderr.data))
}

func (v *service) stop() error {
	if v.end != nil {
		end := v.end
		v.end = nil
		return end()
	}
	if v.cmd == nil {
		return nil
	}
	cmd := v.cmd
	v.cmd = nil
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case err := <-v.ended:
		var exit *exec.ExitError // by the signal
		if errors.As(err, &exit) {
			return nil
		}
		return err
	case <-time.After(patience):
		return cmd.Process.Kill()
	}
}

// engine starts the strict server.
func (s *session) engine(ctx context.Context) (*service, error) {
	root := s.path("engine")
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, errs.Wrap(CodeTool, err, "the engine")
	}
	address := filepath.Join(root, "address")
	v := &service{log: filepath.Join(root, "actions.json")}
	args := []string{
		"--root", root, "--address-file", address, "--log", v.log, "--jobs", "2", "--bwrap", s.Bwrap,
		// No path of the checkout, of the output base or of the user.
		"--forbid", s.root,
	}
	if home, err := os.UserHomeDir(); err == nil && home != "/" {
		args = append(args, "--forbid", home+"/")
	}
	for _, folder := range s.Show {
		args = append(args, "--show", folder)
	}
	if s.Twice {
		args = append(args, "--twice")
	}
	return v, s.process(exec.CommandContext(ctx, s.Engine, args...), v, func() string {
		b, err := os.ReadFile(address)
		if err != nil {
			return ""
		}
		return "grpc://" + string(b)
	})
}

// faults returns the faults that the engine found in actions.
func (v *service) faults() []string {
	f, err := os.Open(v.log)
	if err != nil {
		return nil
	}
	defer f.Close()
	var faults []string
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var a struct{ Mnemonic, Target, Fault string }
		if json.Unmarshal(lines.Bytes(), &a) == nil && a.Fault != "" {
			faults = append(faults, fmt.Sprintf("%s of %s: %s", a.Mnemonic, a.Target, a.Fault))
		}
	}
	return faults
}

// freePort returns a port that is free now.
func freePort(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", errs.Wrap(CodeTool, err, "a port on loopback")
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func listens(ctx context.Context, address string) bool {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	c.Close()
	return true
}
