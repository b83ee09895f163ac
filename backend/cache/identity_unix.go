//go:build unix

package cache

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// stamp is what changes when someone writes to a file, or puts another in its place.
func stamp(path string) (string, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return "", err
	}
	return fmt.Sprint(st.Dev, st.Ino, st.Size, st.Mtim, st.Ctim), nil
}
