package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/skainet-dev/skainet-go/errs"
)

// dropPages has the kernel forget the pages of a file that are written back,
// which needs no privilege.
func dropPages(f *os.File) error {
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// room checks that a folder has that much free space.
func room(folder string, bytes int64) error {
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil {
		return fileError(err)
	}
	if free := int64(s.Bavail) * s.Bsize; free < bytes {
		return errs.New(codeSpace, "%d bytes are free, %d are needed", free, bytes).In(folder).
			Hint("name another --folder, or leave the part out with --only")
	}
	return nil
}

// peakMiB returns the most memory that a process had. The kernel counts what its
// parent had before exec, which here is a few megabytes.
func peakMiB(s *os.ProcessState) float64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(usage.Maxrss) / 1024
}

// diskMiB returns the room that a file takes, which is less than its length where
// it has holes.
func diskMiB(path string) int64 {
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil {
		return -1
	}
	return s.Blocks * 512 >> 20
}
