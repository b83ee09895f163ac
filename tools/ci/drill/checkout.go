package drill

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// checkout is a copy of the sources with an output base.
type checkout struct {
	dir, base string
	offline   bool // run Bazel in its own network namespace
}

func (s *session) path(name string) string { return filepath.Join(s.root, name) }

func (s *session) checkout(name string) checkout {
	return checkout{dir: s.path(name), base: s.path("base-" + filepath.Base(name))}
}

// copy copies the files that git tracks or would add, as they are now.
func (c *checkout) copy(ctx context.Context, from string) error {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = from
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	list, err := cmd.Output()
	if err != nil {
		return errs.Wrap(CodeCheckout, err, "git ls-files: %s", strings.TrimSpace(stderr.String())).In(from).
			Hint("run the drill in a checkout of the sources")
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		if err := copyFile(filepath.Join(from, name), filepath.Join(c.dir, name)); err != nil {
			return errs.Wrap(CodeCheckout, err, "copying the sources")
		}
	}
	return nil
}

func copyFile(from, to string) error {
	info, err := os.Lstat(from)
	if os.IsNotExist(err) { // removed, and not yet from git's index
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(from)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return err
	}
	return out.Close()
}

// removeAll also removes folders without write permission, as Bazel's outputs are.
func removeAll(dir string) error {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return nil
	})
	if err := os.RemoveAll(dir); err != nil {
		return errs.Wrap(CodeCheckout, err, "removing what the drill made")
	}
	return nil
}
