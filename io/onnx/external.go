package onnx

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// External says where the elements of a tensor lie in another file.
type External struct {
	Location string // a path in the model's folder, with slashes
	Offset   int64
	Length   int64 // -1 where the file does not say it
}

// externalOf reads the pairs of external_data; others, such as a checksum, are not used.
func externalOf(pairs []*schema.StringStringEntryProto) (*External, error) {
	x := &External{Length: -1}
	for _, p := range pairs {
		var to *int64
		switch p.GetKey() {
		case "location":
			x.Location = p.GetValue()
			continue
		case "offset":
			to = &x.Offset
		case "length":
			to = &x.Length
		default:
			continue
		}
		n, err := strconv.ParseInt(p.GetValue(), 10, 64)
		if err != nil || n < 0 {
			return nil, errs.New(CodeExternal, "the %s of the external data is %q", p.GetKey(), p.GetValue()).
				Hint("it is to be a decimal number of bytes")
		}
		*to = n
	}
	if err := inside(x.Location); err != nil {
		return nil, err
	}
	return x, nil
}

// inside reports what is wrong with a path that must stay in the model's folder, whatever
// operating system reads it.
func inside(path string) error {
	what := ""
	switch {
	case path == "":
		what = "no path is given"
	case len(path) > MaxName:
		what = "the path is too long"
	case strings.ContainsAny(path, "\\:\x00"):
		what = "the path has a backslash, a colon or a NUL"
	case strings.HasPrefix(path, "/") || !filepath.IsLocal(filepath.FromSlash(path)):
		what = "the path leaves the model's folder"
	default:
		return nil
	}
	return errs.New(CodeExternal, "external data in %q: %s", path, what).
		Hint("keep the data in the folder of the model")
}

// files are the mapped files of external data, by their paths in the model's folder.
type files struct {
	model string // path of the model
	open  map[string]*contents
}

// place finds the elements of a tensor and checks that they are there.
func (f *files) place(t *Tensor) error {
	path := filepath.Clean(filepath.FromSlash(t.External.Location))
	c, ok := f.open[path]
	if !ok {
		if len(f.open) >= MaxFiles {
			return t.fault(errs.New(CodeLimit, "more than %d files of external data", MaxFiles))
		}
		m, err := f.mapped(path)
		if err != nil {
			return t.fault(err)
		}
		c = &contents{m: m}
		f.open[path] = c
	}
	want, have := t.size(), c.m.Size()
	switch {
	case t.External.Length >= 0 && t.External.Length != want:
		return t.fault(errs.New(CodeExternal, "%d bytes of external data for %s %d, which takes %d", t.External.Length, TypeName(t.Number), t.Dims, want))
	case t.External.Offset > have || want > have-t.External.Offset:
		return t.fault(errs.New(CodeExternal, "%d bytes at offset %d of %s, which has %d", want, t.External.Offset, t.External.Location, have).
			Hint("the file was cut short; fetch it again"))
	}
	t.in, t.window, t.from, t.to = c, true, t.External.Offset, t.External.Offset+want
	return nil
}

// mapped opens a file of the model's folder. Where links are followed, it must lie in that
// folder, or in the one where the model itself lies: build tools link their inputs.
func (f *files) mapped(path string) (*filemap.File, error) {
	beside := filepath.Join(filepath.Dir(f.model), path)
	target, err := filepath.EvalSymlinks(beside)
	if err != nil {
		return nil, missing(beside, err)
	}
	model, err := filepath.EvalSymlinks(f.model)
	if err != nil {
		return nil, missing(f.model, err)
	}
	folder, err := filepath.EvalSymlinks(filepath.Dir(f.model))
	if err != nil {
		return nil, missing(f.model, err)
	}
	if !within(folder, target) && !within(filepath.Dir(model), target) {
		return nil, errs.New(CodeExternal, "external data in %q: the link leaves the model's folder", filepath.ToSlash(path)).
			Hint("keep the data in the folder of the model")
	}
	m, err := filemap.Open(beside)
	if err != nil {
		return nil, missing(beside, err)
	}
	return m, nil
}

func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

func missing(path string, err error) error {
	if errs.CodeOf(err) == regular.CodeOpen {
		err = errors.Unwrap(err)
	}
	var p *fs.PathError
	if errors.As(err, &p) { // which has the path again
		err = p.Err
	}
	return errs.Wrap(CodeMissingData, err, "the external data cannot be opened: %s", path).
		Hint("put the file next to the model; it must be among the weights of a rule")
}

// close closes the files of external data.
func (f *files) close() error {
	var first error
	for _, c := range f.open {
		if err := c.m.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
