package filemap

import (
	"errors"
	"io"
	"runtime/debug"
	"syscall"
	"unsafe"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

// view calls fn with n bytes of the mapping, holding it.
func (f *File) view(offset, n int64, fn func(b []byte) error) (err error) {
	if err := f.acquire(); err != nil {
		return err
	}
	defer func() {
		if e := f.release(); err == nil {
			err = e
		}
	}()
	if err := f.guard(func() error { return fn(f.m[offset : offset+n : offset+n]) }); err != nil {
		return err
	}
	// Up to the end of its last page a shorter file reads as zeros, without a
	// fault.
	return f.whole(offset + n)
}

// guard turns a fault inside the mapping into an error. Any other panic continues.
func (f *File) guard(fn func() error) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
		r := recover()
		if r == nil {
			return
		}
		fault, ok := r.(interface{ Addr() uintptr })
		if !ok || !f.holds(fault.Addr()) {
			panic(r)
		}
		err = f.cut()
	}()
	if err := fn(); errors.Is(err, syscall.EFAULT) { // a system call met the fault
		return f.cut()
	} else if err != nil {
		return err
	}
	return nil
}

// holds reports whether an address lies in the mapping.
func (f *File) holds(addr uintptr) bool {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(f.m)))
	return addr >= base && addr-base < uintptr(len(f.m))
}

// whole checks that the file still reaches to end.
func (f *File) whole(end int64) error {
	st, err := f.f.Stat()
	if err != nil {
		return regular.Failed(f.path, err)
	}
	if st.Size() < end {
		return cutAt(f.path, st.Size(), f.size)
	}
	return nil
}

// cut is the error of a fault: a file that is shorter than it was.
func (f *File) cut() error {
	if err := f.whole(f.size); err != nil {
		return err
	}
	return errs.New(tensor.CodeBadSize, "the file's bytes cannot be read").In(f.path).
		Hint("its disk or network failed; fetch it again")
}

func cutAt(path string, have, had int64) error {
	return errs.Wrap(tensor.CodeBadSize, io.ErrUnexpectedEOF, "the file has %d bytes, it had %d when it was opened", have, had).
		In(path).At(have).Hint("the file was cut short after it was opened; fetch it again")
}

// reader reads a window from the file and not from the mapping.
type reader struct {
	w  *window
	at int64 // in the file
}

// Remaining returns the number of bytes that are still to be read.
func (r *reader) Remaining() int64 { return r.w.offset + r.w.n - r.at }

func (r *reader) Read(p []byte) (int, error) {
	left := r.Remaining()
	if left == 0 {
		return 0, io.EOF
	}
	if err := r.w.acquire(); err != nil {
		return 0, err
	}
	n, err := r.w.file.f.ReadAt(p[:min(int64(len(p)), left)], r.at)
	r.at += int64(n)
	if errors.Is(err, io.EOF) {
		err = r.w.file.whole(r.w.offset + r.w.n)
	}
	if e := r.w.file.release(); err == nil {
		err = e
	}
	return n, err
}

// WriteTo lets the operating system copy where w can.
func (r *reader) WriteTo(w io.Writer) (int64, error) {
	c, ok := w.(atomicfile.RangeCopier)
	if !ok {
		return io.CopyBuffer(w, struct{ io.Reader }{r}, make([]byte, min(r.Remaining()+1, 1<<20)))
	}
	if err := r.w.acquire(); err != nil {
		return 0, err
	}
	want := r.Remaining()
	n, err := c.CopyRange(r.w.file.f, r.at, want)
	r.at += n
	if err == nil && n < want {
		err = r.w.file.whole(r.w.offset + r.w.n)
	}
	if e := r.w.file.release(); err == nil {
		err = e
	}
	return n, err
}
