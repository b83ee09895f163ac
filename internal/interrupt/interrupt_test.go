//go:build unix

package interrupt

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// The test program starts itself: with CHILD set it is the interrupted one.
func TestMain(m *testing.M) {
	kind := os.Getenv("CHILD")
	if kind == "" {
		os.Exit(m.Run())
	}
	ctx, stop := Context(context.Background(), "child")
	defer stop()
	if err := os.Setenv("TMPDIR", filepath.Dir(os.Getenv("FILE"))); err != nil {
		os.Exit(8)
	}
	_, remove, err := atomicfile.Folder("temporary-")
	if err != nil {
		os.Exit(9)
	}
	err = atomicfile.Write(os.Getenv("FILE"), func(io.Writer) error {
		fmt.Println("ready")
		if kind == "polite" {
			<-ctx.Done()
			return ctx.Err()
		}
		time.Sleep(time.Minute)
		return nil
	})
	if err != nil {
		remove()
		os.Exit(7)
	}
}

func TestSignals(t *testing.T) {
	for _, tt := range []struct {
		name, kind string
		signals    []os.Signal
		status     int
		stderr     string
		least      time.Duration
	}{
		{"work that looks at its context", "polite", []os.Signal{syscall.SIGTERM}, 7, "", 0},
		{"work that does not", "deaf", []os.Signal{syscall.SIGTERM}, 130, "child: interrupted\n", grace},
		{"the end of a terminal", "deaf", []os.Signal{syscall.SIGHUP, syscall.SIGHUP}, 130, "child: interrupted\n", 0},
		{"a second signal", "deaf", []os.Signal{os.Interrupt, syscall.SIGTERM}, 130, "child: interrupted\n", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			program, err := os.Executable()
			require.NoError(t, err)
			cmd := exec.Command(program)
			cmd.Env = append(os.Environ(), "CHILD="+tt.kind, "FILE="+filepath.Join(dir, "f"))
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = io.ReadFull(out, make([]byte, len("ready\n")))
			require.NoError(t, err)
			sent := time.Now()
			for _, s := range tt.signals {
				require.NoError(t, cmd.Process.Signal(s))
			}
			_ = cmd.Wait() // its error is the status
			took := time.Since(sent)
			require.Equal(t, tt.status, cmd.ProcessState.ExitCode(), stderr.String())
			require.Equal(t, tt.stderr, stderr.String())
			require.GreaterOrEqual(t, took, tt.least)
			require.Less(t, took, 30*time.Second, "not the child's own end")
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries, "no temporary file")
		})
	}
}
