// Package hugepages asks the operating system for huge pages for large tensors
// and files.
//
// A product with a vector reads each element of a matrix once. Where a page is
// 4 KiB, the processor's prefetching ends with each of them, and every page needs an
// entry of the translation buffer; with pages of 2 MiB the same reads run at nearly
// the speed of the memory. Go does not ask for them by itself, nor do mappings of
// files, which get them where the file system can read in pieces of that size.
//
// # Errors
//
// None: a system without free huge pages is only slower.
//
// # Determinism
//
// Contents of memory are never changed.
package hugepages

import "unsafe"

// Size of a huge page on amd64, and on arm64 with pages of 4 KiB. Elsewhere
// advice for multiples of it is as good.
const Size = 2 << 20

// Advise asks for huge pages for the part of b that is whole huge pages,
// best before anything was written to it. It does nothing if there is no whole one.
func Advise(b []byte) {
	if b = whole(b); len(b) > 0 {
		advise(b)
	}
}

// whole returns the part of b that is whole huge pages.
func whole(b []byte) []byte {
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(b))) % Size)
	if len(b) < skip+Size {
		return nil
	}
	return b[skip : skip+(len(b)-skip)/Size*Size]
}
