package hugepages

import "golang.org/x/sys/unix"

// advise ignores errors: a kernel without huge pages returns one.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
