package open

import (
	"math"

	"golang.org/x/sys/unix"
)

// installed is how much memory the machine has.
func installed() int64 {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return math.MaxInt64
	}
	return int64(info.Totalram) * int64(info.Unit)
}
