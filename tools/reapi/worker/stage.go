package worker

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// outputNames lists what an action declares to make.
func outputNames(c *re.Command) ([]string, error) {
	names := slices.Clone(c.OutputPaths)
	if len(names) == 0 { // clients before version 2.1
		names = slices.Concat(c.OutputFiles, c.OutputDirectories) //nolint:staticcheck // deprecated in the protocol
	}
	for _, n := range append(names, c.WorkingDirectory) {
		if n != "" && !filepath.IsLocal(n) {
			return nil, errs.New(CodePath, "%q leads out of the action's folder", n)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// collect stores what an action made of its declared outputs. One that is missing
// is left out: the client knows which are optional.
func (w *Worker) collect(dir string, names []string, result *re.ActionResult) error {
	for _, name := range names {
		path := filepath.Join(dir, name)
		info, err := os.Lstat(path)
		switch {
		case os.IsNotExist(err):
		case err != nil:
			return state(err)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return state(err)
			}
			result.OutputSymlinks = append(result.OutputSymlinks, &re.OutputSymlink{Path: name, Target: target})
		case info.IsDir():
			t := &re.Tree{}
			if t.Root, err = w.tree(path, name, &t.Children); err != nil {
				return err
			}
			d, err := w.store.PutMessage(t)
			if err != nil {
				return err
			}
			result.OutputDirectories = append(result.OutputDirectories, &re.OutputDirectory{Path: name, TreeDigest: d})
		default:
			d, err := w.file(path, name)
			if err != nil {
				return err
			}
			result.OutputFiles = append(result.OutputFiles, &re.OutputFile{Path: name, Digest: d, IsExecutable: info.Mode()&0o111 != 0})
		}
	}
	return nil
}

// tree stores the files below path and appends each folder below it to all.
func (w *Worker) tree(path, name string, all *[]*re.Directory) (*re.Directory, error) {
	entries, err := os.ReadDir(path) // by name
	if err != nil {
		return nil, state(err)
	}
	d := &re.Directory{}
	for _, e := range entries {
		path, name := filepath.Join(path, e.Name()), name+"/"+e.Name()
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return nil, state(err)
			}
			d.Symlinks = append(d.Symlinks, &re.SymlinkNode{Name: e.Name(), Target: target})
		case e.IsDir():
			c, err := w.tree(path, name, all)
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
			digest, err := w.file(path, name)
			if err != nil {
				return nil, err
			}
			d.Files = append(d.Files, &re.FileNode{Name: e.Name(), Digest: digest, IsExecutable: info.Mode()&0o111 != 0})
		}
	}
	return d, nil
}

// file stores one output after a look for forbidden text.
func (w *Worker) file(path, name string) (*re.Digest, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, state(err)
	}
	defer f.Close()
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
