package program

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/errs"
)

// File returns the path of one of Files. Where given is not empty it is the path that
// the user named in its place, and is returned as it is.
func (p Parts) File(name, given string) (string, error) { return find(name, given, p.Files[name]) }

// find returns the path of a part: the one given, or that of its place among the
// runfiles, or else the file of that name in the folder of the binary.
func find(what, given, place string) (string, error) {
	if given != "" {
		return given, nil
	}
	if place == "" {
		return "", missing(what, fs.ErrNotExist)
	}
	path, err := runfiles.Rlocation(place)
	if err == nil {
		_, err = os.Stat(path)
	}
	if err == nil {
		return path, nil
	}
	if beside, ok := besideBinary(filepath.Base(place)); ok {
		return beside, nil
	}
	return "", missing(what, err)
}

func missing(what string, cause error) error {
	return errs.Wrap(CodeRunfiles, cause, "the %s is not beside the program", what).
		Hint("start it with bazel run, keep the folder %s.runfiles, or name the file", os.Args[0])
}

// besideBinary returns a file in the folder of the binary, for those that were copied
// to where no runfiles are.
func besideBinary(name string) (string, bool) {
	own, err := os.Executable()
	if err != nil {
		return "", false
	}
	path := filepath.Join(filepath.Dir(own), name)
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}
