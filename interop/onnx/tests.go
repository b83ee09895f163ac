package main

import (
	"archive/zip"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// folder is the path of the tests in the wheel.
const inWheel = "onnx/backend/test/data/node"

// suite is the tests: a folder for each, with a model and its data.
type suite struct {
	fs.FS
	io.Closer
	names []string // sorted
}

// openSuite opens the tests of a folder, or of the wheel of ONNX.
func openSuite(file string) (*suite, error) {
	s, err := openFiles(file)
	if err != nil {
		return nil, errs.Wrap(codeTests, err, "no tests can be read").In(file).Hint("name the wheel of ONNX, or its folder %s", inWheel)
	}
	models, err := fs.Glob(s.FS, "*/model.onnx")
	if err != nil || len(models) == 0 {
		s.Close()
		return nil, errs.Wrap(codeTests, err, "no model is there").In(file).Hint("name the wheel of ONNX, or its folder %s", inWheel)
	}
	for _, m := range models {
		s.names = append(s.names, path.Dir(m))
	}
	slices.Sort(s.names)
	return s, nil
}

func openFiles(file string) (*suite, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return &suite{FS: os.DirFS(file), Closer: io.NopCloser(nil)}, nil
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, err
	}
	files, err := fs.Sub(z, inWheel)
	return &suite{FS: files, Closer: z}, err
}

// choose returns the tests that match a pattern, and of these every count-th, starting
// at index: adjacent tests cost about the same, so shards do too.
func (s *suite) choose(pattern string, index, count int) ([]string, error) {
	var chosen []string
	for i, name := range s.names {
		if i%count != index {
			continue
		}
		ok, err := path.Match(pattern, name)
		if err != nil {
			return nil, errs.Wrap(codeFlags, err, "no pattern is %q", pattern)
		}
		if ok {
			chosen = append(chosen, name)
		}
	}
	return chosen, nil
}
