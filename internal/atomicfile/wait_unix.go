//go:build unix

package atomicfile

import (
	"context"
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// retry is how often a lock that another process has is asked for.
const retry = 50 * time.Millisecond

// Lock waits until no other process has the lock of the file at path, which it makes, and
// takes it until unlock. The lock ends with the process, however that ends. Where files
// have no locks there is none: what it guards is done twice then.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, failed(path, err)
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return func() { f.Close() }, nil
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(retry):
		}
	}
}
