package atomicfile

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// children are the roles of the test binary when it runs itself.
var children = map[string]func(dir string){"write": writeForEver, "full": writeToFullDisk}

func TestMain(m *testing.M) {
	if f := children[os.Getenv("ATOMICFILE_CHILD")]; f != nil {
		f(os.Getenv("ATOMICFILE_DIR"))
		return
	}
	os.Exit(m.Run())
}

func child(t *testing.T, what, dir string, env ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "ATOMICFILE_CHILD="+what, "ATOMICFILE_DIR="+dir)
	c.Env = append(c.Env, env...)
	return c
}

// generation is the content of one write: a letter over and over, so that any
// mixture and any part shows.
func generation(i int) []byte { return bytes.Repeat([]byte{'A' + byte(i%26)}, 1<<20+i%26) }

func wholeGeneration(b []byte) bool {
	return len(b) > 0 && bytes.Equal(b, generation(int(b[0]-'A')))
}

// writeForEver replaces two files that belong together, repeatedly.
func writeForEver(dir string) {
	forceNamed = os.Getenv("ATOMICFILE_NAMED") != ""
	for i := 0; ; i++ {
		write := func(name string) File {
			return File{Path: filepath.Join(dir, name), NoSync: i%2 == 0, Write: func(w io.Writer) error {
				for part := generation(i); len(part) > 0; {
					n, err := w.Write(part[:min(len(part), 100_000)])
					if err != nil {
						return err
					}
					part = part[n:]
				}
				return nil
			}}
		}
		if err := WriteAll(write("a"), write("b")); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("wrote")
	}
}

// A process that is killed at any moment leaves the old file or the new one, and
// at most temporary files that the next write removes.
func TestKill(t *testing.T) {
	for _, named := range []string{"", "1"} {
		dir := t.TempDir()
		left := 0
		for range 40 {
			c := child(t, "write", dir, "ATOMICFILE_NAMED="+named)
			out, err := c.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, c.Start())
			_, err = out.Read(make([]byte, 1)) // it has written once
			require.NoError(t, err)
			time.Sleep(time.Duration(rand.IntN(8000)) * time.Microsecond)
			require.NoError(t, c.Process.Kill())
			c.Wait()
			for _, name := range names(t, dir) {
				if leftover.MatchString(name) {
					left++
					continue
				}
				require.Contains(t, []string{"a", "b"}, name)
				b, err := os.ReadFile(filepath.Join(dir, name))
				require.NoError(t, err)
				require.True(t, wholeGeneration(b), "%s has %d bytes", name, len(b))
			}
		}
		t.Logf("%d temporary files were left by 40 kills", left)
		if named != "" {
			require.Positive(t, left, "no kill came at a moment that matters")
		}
		require.NoError(t, WriteFile(filepath.Join(dir, "c"), nil))
		require.Equal(t, []string{"a", "b", "c"}, names(t, dir))
	}
}

func names(t *testing.T, dir string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// Only what a killed writer can have left is removed, and only when it is gone.
func TestSweepLeavesOthersAlone(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".partial-1", prefix + "x", prefix + "1x", prefix} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, prefix+"2"), 0o755))
	require.NoError(t, os.Symlink(".partial-1", filepath.Join(dir, prefix+"3")))
	live, err := named(dir)
	require.NoError(t, err)
	defer live.Close()
	kept := names(t, dir)
	stale := filepath.Join(dir, prefix+"4")
	require.NoError(t, os.WriteFile(stale, nil, 0o644))
	sweep(dir)
	require.Equal(t, kept, names(t, dir))
	require.True(t, same(live))
	require.NoError(t, os.Remove(live.Name()))
	require.False(t, same(live))
}

// writeToFullDisk writes up to 4 MiB where only 1 MiB may be written, in each of the
// ways that a callback has.
func writeToFullDisk(dir string) {
	signal.Ignore(syscall.SIGXFSZ)
	lim := syscall.Rlimit{Cur: 1 << 20, Max: 1 << 20}
	data := bytes.Repeat([]byte{1}, 4<<20)
	source := filepath.Join(dir, "source")
	if err := os.WriteFile(source, data, 0o644); err != nil {
		panic(err)
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &lim); err != nil {
		panic(err)
	}
	for _, forceNamed = range []bool{false, true} {
		for name, write := range map[string]func(w io.Writer) error{
			"write": func(w io.Writer) error { _, err := w.Write(data); return err },
			"small writes": func(w io.Writer) error {
				for at := 0; at < len(data); at += 1000 {
					if _, err := w.Write(data[at:min(at+1000, len(data))]); err != nil {
						return err
					}
				}
				return nil
			},
			"flush at the end": func(w io.Writer) error { _, err := w.Write(data[:1<<20]); w.Write(data[:9]); return err },
			"copy": func(w io.Writer) error {
				f, err := os.Open(source)
				if err != nil {
					return err
				}
				defer f.Close()
				_, err = w.(RangeCopier).CopyRange(f, 0, int64(len(data)))
				return err
			},
		} {
			if err := Write(filepath.Join(dir, "old"), write); err == nil {
				fmt.Println(name, "worked")
			} else {
				fmt.Println(errs.CodeOf(err), err)
			}
		}
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "old")
	require.NoError(t, WriteFile(path, []byte("old")))
	out, err := child(t, "full", dir).CombinedOutput()
	require.NoError(t, err, "%s", out)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, 8)
	for _, line := range lines {
		require.Equal(t, "FILE_WRITE FILE_WRITE: "+path+": cannot write the file: file too large; check the folder, its permissions and the free space", line)
	}
	require.Equal(t, []string{"old", "source"}, names(t, dir))
	got, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "old", string(got))
}

// The device that is always full.
func TestNoSpace(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	source := filepath.Join(t.TempDir(), "source")
	require.NoError(t, os.WriteFile(source, make([]byte, 1<<20), 0o644))
	from, err := os.Open(source)
	require.NoError(t, err)
	defer from.Close()
	for _, use := range []func(w *writer) error{
		func(w *writer) error { w.Write([]byte("x")); return w.finish() },
		func(w *writer) error {
			_, err := w.CopyRange(from, 0, 1<<20)
			require.NoError(t, err)
			return w.finish()
		},
		func(w *writer) error { // a failed write shows in a later call, in finish at the latest
			w.Write([]byte("x"))
			for range 2 * buffers {
				if _, err := w.CopyRange(from, 0, 1<<20); err != nil {
					require.Equal(t, err, w.finish())
					return err
				}
			}
			t.Error("more than all buffers were taken after a failed write")
			return w.finish()
		},
		func(w *writer) error { _, err := w.CopyRange(from, 0, 10); require.NoError(t, err); return w.finish() },
	} {
		require.Equal(t, syscall.ENOSPC, use(newWriter(full, true)))
	}
}

func TestReserve(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	require.NoError(t, Write(path, func(w io.Writer) error {
		require.NoError(t, w.(Reserver).Reserve(0))
		require.NoError(t, w.(Reserver).Reserve(1<<20))
		_, err := w.Write([]byte("abc"))
		return err
	}))
	st, err := os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 3, st.Size(), "reserving is no writing")
	called := false
	err = Write(path, func(w io.Writer) error {
		called = true
		return w.(Reserver).Reserve(1 << 60)
	})
	require.True(t, called)
	require.Equal(t, CodeWrite, errs.CodeOf(err), "no disk has an exbibyte")
	st, err = os.Stat(path)
	require.NoError(t, err)
	require.EqualValues(t, 3, st.Size())
}
