package hugepages

import "golang.org/x/sys/unix"

// advise ignores what the kernel says: one without large pages refuses.
func advise(b []byte) { _ = unix.Madvise(b, unix.MADV_HUGEPAGE) }
