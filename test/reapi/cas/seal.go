package cas

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"golang.org/x/sys/unix"
)

// The mode and time of every blob: executable and read-only, since the inputs of
// actions are links to it, and a time that no write leaves behind. A file with
// others is not a blob, whoever changed it and when.
const (
	sealedMode = 0o555
	sealedTime = 946684800 // 2000-01-01T00:00:00Z
)

// seal returns a file that is written the mode and time of blobs.
func seal(f *os.File) error {
	at := time.Unix(sealedTime, 0)
	return errors.Join(f.Chmod(sealedMode), f.Close(), os.Chtimes(f.Name(), at, at))
}

func sealed(st *unix.Stat_t, d *re.Digest) bool {
	sec, nsec := st.Mtim.Unix()
	return st.Mode == unix.S_IFREG|sealedMode && st.Size == d.SizeBytes && sec == sealedTime && nsec == 0
}

// Stamp is the state of a file at a time. Its time of change, which is that of
// links too, cannot be put back.
type Stamp struct{ st unix.Stat_t }

// Stat stamps a file.
func Stat(path string) (Stamp, error) {
	var s Stamp
	if err := unix.Lstat(path, &s.st); err != nil {
		return s, state(err)
	}
	return s, nil
}

// Tick is longer than the steps in which the times of files proceed: a change that
// comes a tick after a stamp shows.
const Tick = 11 * time.Millisecond

// Changed reports whether the file that was linked to path and stamped was changed
// since. It is looked for at the blob's place, whatever became of path, and is
// removed from there if it was. What only got or lost links is hashed.
func (s *Store) Changed(d *re.Digest, path string, staged Stamp) (bool, error) {
	for _, at := range []string{s.path(d), path} {
		var st unix.Stat_t
		if unix.Lstat(at, &st) != nil || st.Ino != staged.st.Ino || st.Dev != staged.st.Dev {
			continue // removed or replaced, which changes no blob
		}
		if sealed(&st, d) {
			if st.Ctim == staged.st.Ctim {
				return false, nil
			}
			if same, err := holds(at, d); err != nil || same {
				return false, err
			}
		}
		if at != path {
			s.Drop(d)
		}
		return true, nil
	}
	return false, nil
}

func holds(path string, d *re.Digest) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, state(err)
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, d.SizeBytes+1)); err != nil {
		return false, state(err)
	}
	return hex.EncodeToString(sum.Sum(nil)) == d.Hash, nil
}
