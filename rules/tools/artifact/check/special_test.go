//go:build unix

package check

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// Endless devices, and pipes that wait for a writer, are not opened.
func TestSpecialFiles(t *testing.T) {
	_, c := write(t)
	text, vmfb := file(t, "m.mlir", make([]byte, 50)), program(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, special := range []string{pipe, "/dev/zero", t.TempDir()} {
		faults := make(chan error, 4)
		go func() {
			_, err := Measure(special, vmfb, nil)
			faults <- err
			_, err = Measure(text, special, nil)
			faults <- err
			_, err = Measure(text, vmfb, []Archive{{Path: special}})
			faults <- err
			b := Bundle{Name: "n", Program: special, Contract: c}
			faults <- b.Write(filepath.Join(t.TempDir(), "m.tar"))
		}()
		for range 4 {
			select {
			case err := <-faults:
				require.Equal(t, CodeRead, errs.CodeOf(err), special)
			case <-time.After(10 * time.Second):
				t.Fatalf("%s is read", special)
			}
		}
	}
}
