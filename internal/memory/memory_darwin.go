package memory

import "golang.org/x/sys/unix"

func installed() int64 {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil || n > Most {
		return Most
	}
	return int64(n)
}

// available is what is installed: macOS gives memory of other programs back in its time.
func available() int64 { return installed() }
