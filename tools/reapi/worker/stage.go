package worker

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// input is a staged file, with what tells that it was written to.
type input struct {
	path   string
	digest *re.Digest
	staged os.FileInfo
}

// stage makes dir hold an input root, and gives its files.
func (w *Worker) stage(root *re.Digest, dir string) ([]input, error) {
	var inputs []input
	var folder func(d *re.Digest, dir string) error
	folder = func(d *re.Digest, dir string) error {
		var t re.Directory
		if err := w.store.Message(d, &t); err != nil {
			return err
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			return state(err)
		}
		for _, f := range t.Files {
			path, err := child(dir, f.Name)
			if err != nil {
				return err
			}
			if err := w.store.Link(f.Digest, path); err != nil {
				return err
			}
			info, err := os.Lstat(path)
			if err != nil {
				return state(err)
			}
			inputs = append(inputs, input{path: path, digest: f.Digest, staged: info})
		}
		for _, l := range t.Symlinks {
			path, err := child(dir, l.Name)
			if err != nil {
				return err
			}
			if err := os.Symlink(l.Target, path); err != nil {
				return state(err)
			}
		}
		for _, c := range t.Directories {
			path, err := child(dir, c.Name)
			if err != nil {
				return err
			}
			if err := folder(c.Digest, path); err != nil {
				return err
			}
		}
		return nil
	}
	return inputs, folder(root, dir)
}

// child joins a folder and the name of an entry, which must be one.
func child(dir, name string) (string, error) {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return "", errs.New(CodePath, "%q is no name of a file in a folder", name)
	}
	return filepath.Join(dir, name), nil
}

// changed finds an input that an action wrote to. The blob behind it is dropped.
func (w *Worker) changed(inputs []input, dir string) error {
	for _, in := range inputs {
		info, err := os.Lstat(in.path)
		if err != nil || !os.SameFile(info, in.staged) { // removed or replaced: the blob is as it was
			continue
		}
		if !info.ModTime().Equal(in.staged.ModTime()) || info.Size() != in.staged.Size() {
			w.store.Drop(in.digest)
			rel, _ := filepath.Rel(dir, in.path)
			return errs.New(CodeInput, "the action wrote to its input %s", rel).Hint("copy the file and change the copy")
		}
	}
	return nil
}

// outputNames lists what an action declares to make, and checks all names that it
// gives, whichever of them count.
func outputNames(c *re.Command) ([]string, error) {
	old := slices.Concat(c.OutputFiles, c.OutputDirectories) //nolint:staticcheck // deprecated in the protocol
	for _, n := range slices.Concat(c.OutputPaths, old) {
		if !filepath.IsLocal(n) || n == "." || n != filepath.Clean(n) || strings.Contains(n, "\x00") {
			return nil, errs.New(CodePath, "%q is no path of an output in the action's folder", n)
		}
	}
	if d := c.WorkingDirectory; d != "" && !filepath.IsLocal(d) {
		return nil, errs.New(CodePath, "%q leads out of the action's folder", d)
	}
	names := slices.Clone(c.OutputPaths)
	if len(names) == 0 { // clients before version 2.1
		names = old
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// folders makes the folders of an action's outputs, and those that are outputs.
func folders(root *os.Root, c *re.Command, names []string) error {
	if err := noLinks(root, c.WorkingDirectory); err != nil {
		return err
	}
	var dirs []string
	for _, n := range names {
		dirs = append(dirs, filepath.Dir(filepath.Join(c.WorkingDirectory, n)))
	}
	for _, n := range c.OutputDirectories { //nolint:staticcheck // deprecated in the protocol, sent by Bazel
		dirs = append(dirs, filepath.Join(c.WorkingDirectory, n))
	}
	for _, d := range dirs {
		if err := noLinks(root, d); err != nil {
			return err
		}
		if err := root.MkdirAll(d, 0o755); err != nil {
			return state(err)
		}
	}
	return nil
}

// noLinks refuses a folder that is reached by a symbolic link, of an input or of
// the action's making: what lies there is not the action's. The end of the path
// may be missing.
func noLinks(root *os.Root, dir string) error {
	if dir = filepath.Clean(dir); dir == "." {
		return nil
	}
	at := ""
	for part := range strings.SplitSeq(dir, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		info, err := root.Lstat(at)
		switch {
		case os.IsNotExist(err):
			return nil
		case err != nil:
			return state(err)
		case !info.IsDir():
			return errs.New(CodePath, "%s is on the way to an output, and is no folder", at).Hint("declare what it points to")
		}
	}
	return nil
}

// collect stores what an action made of its declared outputs. One that is missing
// is left out: the client knows which are optional. Links are stored and not
// followed.
func (w *Worker) collect(root *os.Root, dir string, names []string, result *re.ActionResult) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := noLinks(root, filepath.Dir(path)); err != nil {
			return err
		}
		info, err := root.Lstat(path)
		switch {
		case os.IsNotExist(err):
		case err != nil:
			return state(err)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := root.Readlink(path)
			if err != nil {
				return state(err)
			}
			result.OutputSymlinks = append(result.OutputSymlinks, &re.OutputSymlink{Path: name, Target: target})
		case info.IsDir():
			t := &re.Tree{}
			if t.Root, err = w.tree(root, path, name, &t.Children); err != nil {
				return err
			}
			d, err := w.store.PutMessage(t)
			if err != nil {
				return err
			}
			result.OutputDirectories = append(result.OutputDirectories, &re.OutputDirectory{Path: name, TreeDigest: d})
		default:
			d, err := w.file(root, path, name, info)
			if err != nil {
				return err
			}
			result.OutputFiles = append(result.OutputFiles, &re.OutputFile{Path: name, Digest: d, IsExecutable: info.Mode()&0o111 != 0})
		}
	}
	return nil
}

// tree stores the files below path and appends each folder below it to all.
func (w *Worker) tree(root *os.Root, path, name string, all *[]*re.Directory) (*re.Directory, error) {
	entries, err := fs.ReadDir(root.FS(), filepath.ToSlash(path)) // by name
	if err != nil {
		return nil, state(err)
	}
	d := &re.Directory{}
	for _, e := range entries {
		path, name := filepath.Join(path, e.Name()), name+"/"+e.Name()
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			target, err := root.Readlink(path)
			if err != nil {
				return nil, state(err)
			}
			d.Symlinks = append(d.Symlinks, &re.SymlinkNode{Name: e.Name(), Target: target})
		case e.IsDir():
			c, err := w.tree(root, path, name, all)
			if err != nil {
				return nil, err
			}
			digest, err := w.store.PutMessage(c)
			if err != nil {
				return nil, err
			}
			*all = append(*all, c)
			d.Directories = append(d.Directories, &re.DirectoryNode{Name: e.Name(), Digest: digest})
		default:
			info, err := e.Info()
			if err != nil {
				return nil, state(err)
			}
			digest, err := w.file(root, path, name, info)
			if err != nil {
				return nil, err
			}
			d.Files = append(d.Files, &re.FileNode{Name: e.Name(), Digest: digest, IsExecutable: info.Mode()&0o111 != 0})
		}
	}
	return d, nil
}

// file stores one output after a look for forbidden text.
func (w *Worker) file(root *os.Root, path, name string, info os.FileInfo) (*re.Digest, error) {
	if !info.Mode().IsRegular() { // opening a pipe waits for a writer
		return nil, errs.New(CodeOutput, "output %s is neither file, folder nor link, but %s", name, info.Mode())
	}
	f, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, state(err)
	}
	defer f.Close()
	if now, err := f.Stat(); err != nil {
		return nil, state(err)
	} else if !os.SameFile(now, info) {
		return nil, errs.New(CodeOutput, "output %s was replaced while it was read", name).Hint("wait for what the action starts")
	}
	if found, err := contains(f, w.Forbid); err != nil {
		return nil, state(err)
	} else if found != "" {
		return nil, forbidden("output "+name, found)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil, state(err)
	}
	return w.store.Put(f, nil)
}
