package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errAlone means that these two files can never share blocks.
var errAlone = errors.New("nothing is shared")

// shareRange makes n bytes of to, from at on, the bytes of from from offset on.
func shareRange(to, from *os.File, at, offset, n int64) error {
	err := unix.IoctlFileCloneRange(int(to.Fd()), &unix.FileCloneRange{
		Src_fd: int64(from.Fd()), Src_offset: uint64(offset), Src_length: uint64(n), Dest_offset: uint64(at),
	})
	switch err {
	case unix.EXDEV, unix.ENOSYS, unix.EOPNOTSUPP, unix.ENOTTY, unix.EPERM, unix.EBADF:
		return errAlone
	}
	return err
}

// begin starts writeback of a range. It is a hint: failures show in the sync at the
// end.
func begin(f *os.File, offset, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, n, unix.SYNC_FILE_RANGE_WRITE)
}

// reserve reserves n bytes on the disk and does not lengthen the file.
func reserve(f *os.File, n int64) error {
	if n <= 0 {
		return nil
	}
	for {
		switch err := unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, n); err {
		case unix.EINTR:
			continue
		case unix.ENOSPC, unix.EDQUOT, unix.EFBIG:
			return os.NewSyscallError("fallocate", err)
		default: // done, or not known to this file system
			return nil
		}
	}
}
