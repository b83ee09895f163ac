package worker

import (
	"context"
	"strings"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

// Limits of one action. Its files have up to cas.MaxBlob bytes together.
const (
	MaxEntries = 100_000       // files, links and folders of a tree, unfolded
	MaxDepth   = 100           // folders in folders
	MaxName    = 255           // bytes of a name, as in file systems
	MaxPath    = 2000          // bytes of an output's path, and of what a link points to
	MaxText    = 8 << 20       // bytes of stdout, and of stderr
	MaxTimeout = 2 * time.Hour // also of an action that names none
)

// extent is the size of a folder when unfolded: entries and levels.
type extent struct{ entries, height int }

// measure checks an input root and all folders below it, each once, before any of
// it is created.
func (w *Worker) measure(root *re.Digest) error {
	known := map[string]extent{}
	var folder func(d *re.Digest, level int) (extent, error)
	folder = func(d *re.Digest, level int) (extent, error) {
		deep := func(height int) error {
			if level+height <= MaxDepth {
				return nil
			}
			return errs.New(cas.CodeLimit, "the input root is nested more than %d deep", MaxDepth).Hint("give the action an input root with fewer levels")
		}
		if e, ok := known[d.GetHash()]; ok {
			return e, deep(e.height)
		}
		if err := deep(0); err != nil {
			return extent{}, err
		}
		var t re.Directory
		if err := w.store.Message(d, &t); err != nil {
			return extent{}, err
		}
		if err := entries(&t); err != nil {
			return extent{}, err
		}
		e := extent{entries: len(t.Files) + len(t.Symlinks) + len(t.Directories)}
		for _, c := range t.Directories {
			below, err := folder(c.Digest, level+1)
			if err != nil {
				return e, err
			}
			e.entries, e.height = e.entries+below.entries, max(e.height, below.height+1)
			if e.entries > w.entries {
				return e, w.many()
			}
		}
		known[d.Hash] = e
		return e, nil
	}
	e, err := folder(root, 0)
	if err == nil && e.entries > w.entries {
		return w.many()
	}
	return err
}

func (w *Worker) many() error {
	return errs.New(cas.CodeLimit, "the input root unfolds to more than %d files, links and folders", w.entries).
		Hint("give the action fewer inputs, or an archive of them")
}

// entries checks one folder's: each has a name of its own, and files their digests.
func entries(t *re.Directory) error {
	seen := map[string]bool{}
	name := func(n string) error {
		if n == "" || n == "." || n == ".." || len(n) > MaxName || strings.ContainsAny(n, "/\x00") {
			return errs.New(CodePath, "%.300q is not the name of a file in a folder", n).Hint("give up to %d bytes without a slash", MaxName)
		}
		if seen[n] {
			return errs.New(CodePath, "a folder has two entries %q", n).Hint("name each once")
		}
		seen[n] = true
		return nil
	}
	for _, f := range t.Files {
		if err := name(f.Name); err != nil {
			return err
		}
		if err := cas.Check(f.Digest); err != nil {
			return err
		}
	}
	for _, l := range t.Symlinks {
		if err := name(l.Name); err != nil {
			return err
		}
		if l.Target == "" || len(l.Target) > MaxPath || strings.Contains(l.Target, "\x00") {
			return errs.New(CodePath, "the link %q points to %.3000q", l.Name, l.Target).Hint("give a path of up to %d bytes", MaxPath)
		}
	}
	for _, c := range t.Directories {
		if err := name(c.Name); err != nil {
			return err
		}
	}
	return nil
}

// sound checks the arguments of a command line, which must not contain a NUL byte.
func sound(c *re.Command) error {
	if len(c.Arguments) == 0 || c.Arguments[0] == "" {
		return errs.New(CodeStart, "the action has no arguments").Hint("name its program first")
	}
	for _, a := range c.Arguments {
		if strings.Contains(a, "\x00") {
			return errs.New(CodeStart, "the argument %q has a zero byte", a).Hint("write it into a file")
		}
	}
	for _, v := range c.EnvironmentVariables {
		if v.Name == "" || strings.ContainsAny(v.Name, "=\x00") || strings.Contains(v.Value, "\x00") {
			return errs.New(CodeStart, "%q=%q is not an environment variable", v.Name, v.Value).Hint("give a name without =, and no zero byte")
		}
	}
	return nil
}

// timeout is how long an action may take.
func timeout(a *re.Action) (time.Duration, error) {
	if a.Timeout == nil {
		return MaxTimeout, nil
	}
	limit := a.Timeout.AsDuration()
	if a.Timeout.CheckValid() != nil || limit < 0 || limit > MaxTimeout {
		return 0, errs.New(cas.CodeLimit, "an action may take from 0 s to %s, not %v s", MaxTimeout, a.Timeout.GetSeconds()).
			Hint("give a shorter timeout, or none")
	}
	if limit == 0 {
		return MaxTimeout, nil
	}
	return limit, nil
}

// text keeps what an action prints. Beyond MaxText it ends the action.
type text struct {
	name string
	full context.CancelFunc
	held []byte
	err  error
}

func (t *text) Write(p []byte) (int, error) {
	if t.err == nil && len(p) > MaxText-len(t.held) {
		t.err = errs.New(CodeOutput, "the action wrote more than %d bytes to its %s", MaxText, t.name).Hint("let it write to a file that is an output")
		t.full()
	}
	if t.err != nil {
		return 0, t.err
	}
	t.held = append(t.held, p...)
	return len(p), nil
}
