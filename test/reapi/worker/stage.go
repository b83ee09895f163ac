package worker

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

// input is a staged file, with the state that shows whether it was changed.
type input struct {
	path   string
	digest *re.Digest
	staged cas.Stamp
}

// stage creates an input root in dir, and returns its files.
func (w *Worker) stage(root *re.Digest, dir string) ([]input, error) {
	if err := w.measure(root); err != nil {
		return nil, err
	}
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
			path := filepath.Join(dir, f.Name)
			if err := w.store.Link(f.Digest, path); err != nil {
				return err
			}
			inputs = append(inputs, input{path: path, digest: f.Digest})
		}
		for _, l := range t.Symlinks {
			if err := os.Symlink(l.Target, filepath.Join(dir, l.Name)); err != nil {
				return state(err)
			}
		}
		for _, c := range t.Directories {
			if err := folder(c.Digest, filepath.Join(dir, c.Name)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := folder(root, dir); err != nil {
		return nil, err
	}
	for i := range inputs { // after all links, each of which changes a stamp
		var err error
		if inputs[i].staged, err = cas.Stat(inputs[i].path); err != nil {
			return nil, err
		}
	}
	if len(inputs) > 0 {
		time.Sleep(cas.Tick)
	}
	return inputs, nil
}

// changed finds the inputs that an action wrote to or changed the mode or time of.
// The blobs after all of them are dropped; the error names the first.
func (w *Worker) changed(inputs []input, dir string) error {
	var first error
	for _, in := range inputs {
		changed, err := w.store.Changed(in.digest, in.path, in.staged)
		if changed {
			rel, _ := filepath.Rel(dir, in.path)
			err = errs.New(CodeInput, "the input %s was changed while the action ran", rel).Hint("copy the file and change the copy")
		}
		first = cmp.Or(first, err)
	}
	return first
}

// outputNames lists the declared outputs of an action, and checks all names in it,
// including those that are ignored.
func outputNames(c *re.Command) ([]string, error) {
	old := slices.Concat(c.OutputFiles, c.OutputDirectories) //nolint:staticcheck // deprecated in the protocol
	all := slices.Concat(c.OutputPaths, old)
	if len(all) > MaxEntries {
		return nil, errs.New(cas.CodeLimit, "the action names %d outputs, the limit is %d", len(all), MaxEntries).Hint("make it several actions")
	}
	for _, n := range all {
		if len(n) > MaxPath {
			return nil, errs.New(CodePath, "the path %q of an output has %d bytes, the limit is %d", n, len(n), MaxPath)
		}
		if !filepath.IsLocal(n) || n == "." || n != filepath.Clean(n) || strings.Contains(n, "\x00") {
			return nil, errs.New(CodePath, "%q is not a path of an output in the action's folder", n)
		}
	}
	if d := c.WorkingDirectory; d != "" && (!filepath.IsLocal(d) || len(d) > MaxPath || strings.Contains(d, "\x00")) {
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

// noLinks rejects a folder that is reached through a symbolic link, whether an input or created
// by the action: its contents are not the action's. The end of the path may be missing.
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
			return errs.New(CodePath, "%s is on the way to an output, and is not a folder", at).Hint("declare what it points to")
		}
	}
	return nil
}

// collect stores what an action made of its declared outputs. One that is missing
// is left out: the client knows which are optional. Links are stored and not
// followed.
func (w *Worker) collect(root *os.Root, dir string, names []string, result *re.ActionResult) error {
	out := &outputs{Worker: w, root: root, left: w.entries, bytes: cas.MaxBlob}
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
			if t.Root, err = out.tree(path, name, 0, &t.Children); err != nil {
				return err
			}
			d, err := w.store.PutMessage(t)
			if err != nil {
				return err
			}
			result.OutputDirectories = append(result.OutputDirectories, &re.OutputDirectory{Path: name, TreeDigest: d})
		default:
			d, err := out.file(path, name, info)
			if err != nil {
				return err
			}
			result.OutputFiles = append(result.OutputFiles, &re.OutputFile{Path: name, Digest: d, IsExecutable: info.Mode()&0o111 != 0})
		}
	}
	return nil
}

// outputs stores the outputs of one action, up to limits.
type outputs struct {
	*Worker
	root  *os.Root
	left  int   // entries of folders that may come yet
	bytes int64 // of files that may come yet
}

// tree stores the files below path and appends each folder below it to all.
func (w *outputs) tree(path, name string, depth int, all *[]*re.Directory) (*re.Directory, error) {
	if depth > MaxDepth {
		return nil, errs.New(CodeOutput, "output %s is nested more than %d deep", name, MaxDepth)
	}
	entries, err := fs.ReadDir(w.root.FS(), filepath.ToSlash(path)) // by name
	if err != nil {
		return nil, state(err)
	}
	if w.left -= len(entries); w.left < 0 {
		return nil, errs.New(CodeOutput, "the outputs have more than %d entries, reached in %s", w.entries, name).Hint("put them into an archive")
	}
	d := &re.Directory{}
	for _, e := range entries {
		path, name := filepath.Join(path, e.Name()), name+"/"+e.Name()
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			target, err := w.root.Readlink(path)
			if err != nil {
				return nil, state(err)
			}
			d.Symlinks = append(d.Symlinks, &re.SymlinkNode{Name: e.Name(), Target: target})
		case e.IsDir():
			c, err := w.tree(path, name, depth+1, all)
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
			digest, err := w.file(path, name, info)
			if err != nil {
				return nil, err
			}
			d.Files = append(d.Files, &re.FileNode{Name: e.Name(), Digest: digest, IsExecutable: info.Mode()&0o111 != 0})
		}
	}
	return d, nil
}

// file stores one output after a search for forbidden text.
func (w *outputs) file(path, name string, info os.FileInfo) (*re.Digest, error) {
	if !info.Mode().IsRegular() { // opening a pipe waits for a writer
		return nil, errs.New(CodeOutput, "output %s is neither file, folder nor link, but %s", name, info.Mode())
	}
	if w.bytes -= info.Size(); w.bytes < 0 {
		return nil, errs.New(CodeOutput, "the outputs have more than %d bytes, reached in %s", int64(cas.MaxBlob), name).Hint("split them over several actions")
	}
	f, err := w.root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
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
