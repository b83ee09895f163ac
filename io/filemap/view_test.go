//go:build unix

package filemap

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
)

var page = os.Getpagesize()

// large is a mapped file of four pages of 'x', and its path.
func large(t *testing.T) (*File, string) {
	t.Helper()
	path := write(t, strings.Repeat("x", 4*page))
	f, err := Open(path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return f, path
}

//go:noinline
func sum(b []byte) (s int) {
	for _, c := range b {
		s += int(c)
	}
	return s
}

var clone []byte // so that the copy is made

func isCutShort(t *testing.T, err error, path string, have int) {
	t.Helper()
	var e *errs.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, tensor.CodeBadSize, e.Code, err)
	require.Equal(t, path, e.File)
	require.EqualValues(t, have, e.Offset, err)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// Each of these would end the program with SIGBUS, but for the last three,
// which would read zeros or nothing.
func TestAFileCutShortIsAnError(t *testing.T) {
	use := map[string]func(t *testing.T, f *File, w tensor.Buffer) error{
		"view of the file": func(_ *testing.T, f *File, _ tensor.Buffer) error {
			return f.View(func(b []byte) error { sum(b); return nil })
		},
		"view of a window": func(_ *testing.T, _ *File, w tensor.Buffer) error {
			return w.View(func(b []byte) error { sum(b); return nil })
		},
		"copy in assembler": func(_ *testing.T, _ *File, w tensor.Buffer) error {
			return w.View(func(b []byte) error { clone = bytes.Clone(b); return nil })
		},
		"system call": func(t *testing.T, _ *File, w tensor.Buffer) error {
			out, err := os.Create(t.TempDir() + "/out")
			require.NoError(t, err)
			defer out.Close()
			return w.View(func(b []byte) error {
				_, err := out.Write(b[3*page-10:])
				return err
			})
		},
		"view that touches nothing": func(_ *testing.T, _ *File, w tensor.Buffer) error {
			return w.View(func([]byte) error { return nil })
		},
		"reader": func(_ *testing.T, _ *File, w tensor.Buffer) error {
			r, err := w.Reader()
			if err == nil {
				_, err = io.ReadAll(r)
			}
			return err
		},
		"copy": func(_ *testing.T, _ *File, w tensor.Buffer) error {
			r, err := w.Reader()
			if err == nil {
				_, err = io.Copy(struct{ io.Writer }{io.Discard}, r)
			}
			return err
		},
	}
	for name, use := range use {
		for _, have := range []int{0, page, 2*page + 5, 4*page - 1} {
			t.Run(name, func(t *testing.T) {
				f, path := large(t)
				w := f.Window(int64(page), int64(3*page))
				require.NoError(t, use(t, f, w), "while it is whole")
				require.NoError(t, os.Truncate(path, int64(have)))
				isCutShort(t, use(t, f, w), path, have)
			})
		}
	}
}

func TestAFileCutShortWhileItIsParsed(t *testing.T) {
	cut := func(path string) func(b []byte) (int, error) {
		return func(b []byte) (int, error) {
			require.NoError(t, os.Truncate(path, 10))
			return sum(b), nil
		}
	}
	path := write(t, strings.Repeat("x", 4*page))
	f, v, err := Parse(path, cut(path))
	require.Nil(t, f)
	require.Zero(t, v)
	isCutShort(t, err, path, 10)

	path = write(t, strings.Repeat("x", 4*page))
	found := errs.New("A_B", "x")
	faults, err := Check(path, func(b []byte, faults *errs.Faults) {
		require.NoError(t, faults.Add(found))
		_, err := cut(path)(b)
		require.NoError(t, err)
	})
	require.NoError(t, err)
	require.Len(t, faults, 2)
	require.Equal(t, found, faults[0])
	require.Equal(t, path, found.File)
	isCutShort(t, faults[1], path, 10)
}

func TestParse(t *testing.T) {
	path := write(t, "abc")
	f, n, err := Parse(path, func(b []byte) (int, error) { return len(b), nil })
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.NoError(t, f.Close())
	bad := errs.New("A_B", "x")
	_, _, err = Parse(path, func(b []byte) (int, error) { return 0, bad })
	require.Equal(t, bad, err)
	require.Equal(t, path, bad.File)
	faults, err := Check(path, func([]byte, *errs.Faults) {})
	require.NoError(t, err)
	require.Empty(t, faults)
	for _, open := range []func() error{
		func() error {
			_, _, err := Parse(path+"x", func([]byte) (int, error) { return 0, nil })
			return err
		},
		func() error { _, err := Check(path+"x", nil); return err },
	} {
		require.Equal(t, regular.CodeOpen, errs.CodeOf(open()))
	}
}

// Only faults inside the mapping are the file's.
func TestOtherPanicsGoOn(t *testing.T) {
	f, path := large(t)
	var none *int
	other, _ := large(t)
	require.PanicsWithValue(t, "mine", func() { f.View(func([]byte) error { panic("mine") }) })
	require.Panics(t, func() { f.View(func(b []byte) error { b[0] = byte(*none); return nil }) })
	require.NoError(t, os.Truncate(path, 0))
	require.Panics(t, func() {
		other.View(func([]byte) error {
			sum(f.m) // of another file, which has a guard of its own
			return nil
		})
	})
	boom := errors.New("boom")
	require.Equal(t, boom, other.View(func([]byte) error { return boom }))
	require.Zero(t, f.users+other.users, "a panic releases too")
}

// In every order of closing, bytes stay readable while somebody has them, and
// the mapping ends with the last of its users.
func TestCloseOrders(t *testing.T) {
	mapped := func(b []byte) bool { // asks the system, since reading would fault
		start := b[:1:1]
		_, _, e := syscall.Syscall(syscall.SYS_MSYNC, uintptr(unsafe.Pointer(&start[0])), uintptr(page), 0)
		return e == 0
	}
	t.Run("the file first", func(t *testing.T) {
		f, _ := large(t)
		w, v := f.Window(0, int64(page)), f.Window(0, 1)
		b, err := w.Bytes()
		require.NoError(t, err)
		_, err = w.Bytes()
		require.NoError(t, err, "twice is one use")
		r, err := v.Reader()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		require.True(t, mapped(b))
		require.Equal(t, page*'x', sum(b))
		for name, use := range map[string]func() error{
			"bytes":  func() error { _, err := w.Bytes(); return err },
			"view":   func() error { return v.View(func([]byte) error { return nil }) },
			"all":    func() error { return f.View(func([]byte) error { return nil }) },
			"reader": func() error { _, err := v.Reader(); return err },
			"read":   func() error { _, err := r.Read(make([]byte, 1)); return err },
			"copy":   func() error { _, err := io.Copy(io.Discard, r); return err },
			"range":  func() error { _, _, _, _, err := v.(Ranger).FileRange(); return err },
		} {
			require.Equal(t, tensor.CodeClosed, errs.CodeOf(use()), name)
		}
		require.NoError(t, w.Close())
		require.NoError(t, w.Close())
		require.False(t, mapped(b))
	})
	t.Run("the window first", func(t *testing.T) {
		f, _ := large(t)
		w, v := f.Window(0, int64(page)), f.Window(1, 1)
		b, err := w.Bytes()
		require.NoError(t, err)
		require.NoError(t, w.Close())
		_, err = w.Bytes()
		require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
		require.True(t, mapped(b), "the file is open")
		_, err = v.Bytes()
		require.NoError(t, err, "another window")
		require.NoError(t, v.Close())
		require.NoError(t, f.Close())
		require.False(t, mapped(b))
	})
	t.Run("within a view", func(t *testing.T) {
		f, _ := large(t)
		w := f.Window(0, int64(page))
		var kept []byte
		require.NoError(t, w.View(func(b []byte) error {
			kept = b
			require.NoError(t, w.Close())
			require.NoError(t, f.Close())
			require.Equal(t, page*'x', sum(b))
			return nil
		}))
		require.False(t, mapped(kept))
	})
	t.Run("after every kind of use", func(t *testing.T) {
		f, _ := large(t)
		w := f.Window(0, int64(page))
		b, err := w.Bytes()
		require.NoError(t, err)
		for _, to := range []io.Writer{io.Discard, struct{ io.Writer }{io.Discard}} {
			r, err := w.Reader()
			require.NoError(t, err)
			n, err := io.Copy(to, r)
			require.NoError(t, err)
			require.EqualValues(t, page, n)
			_, err = r.Read(make([]byte, 1))
			require.Equal(t, io.EOF, err)
		}
		require.NoError(t, f.View(func([]byte) error { return nil }))
		require.NoError(t, w.Close())
		require.NoError(t, f.Close())
		require.False(t, mapped(b))
	})
	t.Run("while a range is copied", func(t *testing.T) {
		f, _ := large(t)
		file, at, n, release, err := f.Window(3, 5).(Ranger).FileRange()
		require.NoError(t, err)
		require.Equal(t, []int64{3, 5}, []int64{at, n})
		require.NoError(t, f.Close())
		_, err = file.ReadAt(make([]byte, n), at)
		require.NoError(t, err)
		release()
		release()
		_, err = file.ReadAt(make([]byte, n), at)
		require.ErrorIs(t, err, os.ErrClosed)
	})
}

// Run by the race detector: uses and closing from many goroutines give the
// bytes or TENSOR_CLOSED, and nothing is left mapped.
func TestUseWhileClosing(t *testing.T) {
	for range 50 {
		f, _ := large(t)
		var all sync.WaitGroup
		for i := range 4 {
			w := f.Window(int64(i*page), int64(page))
			all.Go(func() {
				for {
					err := w.View(func(b []byte) error {
						if sum(b) != page*'x' {
							return errors.New("other bytes")
						}
						return nil
					})
					if err != nil {
						require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
						return
					}
				}
			})
			all.Go(func() {
				for {
					b, err := w.Bytes()
					if err != nil {
						require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
						break
					}
					require.Equal(t, page*'x', sum(b))
				}
				require.NoError(t, w.Close())
			})
			all.Go(func() {
				for {
					r, err := w.Reader()
					if err == nil {
						_, err = io.ReadAll(r)
					}
					if err != nil {
						require.Equal(t, tensor.CodeClosed, errs.CodeOf(err))
						return
					}
				}
			})
		}
		require.NoError(t, f.Close())
		all.Wait()
		require.Zero(t, f.users)
		require.Nil(t, f.m)
	}
}
