package atomicfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// errNoCopy says that the system does not copy between these two files.
var errNoCopy = errors.New("no copy by the system")

// copyRange copies up to n bytes to the place where to is.
func copyRange(to, from *os.File, offset, n int64) (int64, error) {
	for {
		k, err := unix.CopyFileRange(int(from.Fd()), &offset, int(to.Fd()), nil, int(n), 0)
		switch err {
		case nil:
			return int64(k), nil
		case unix.EINTR:
			continue
		case unix.EXDEV, unix.ENOSYS, unix.EINVAL, unix.EOPNOTSUPP, unix.EPERM, unix.EBADF, unix.EIO:
			// EIO and EPERM come from file systems and sandboxes that mean no; if
			// it is the disk, the ordinary copy meets it again and says where.
			return 0, errNoCopy
		}
		return 0, os.NewSyscallError("copy_file_range", err)
	}
}

// begin tells the disk to begin with a range. It is a hint: what fails shows in
// the sync at the end.
func begin(f *os.File, offset, n int64) {
	_ = unix.SyncFileRange(int(f.Fd()), offset, n, unix.SYNC_FILE_RANGE_WRITE)
}

// reserve takes n bytes on the disk and does not lengthen the file.
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
