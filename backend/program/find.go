package program

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// File returns the path of one of Files. If given is not empty, it is a path that
// the user chose instead, relative to the user's folder.
func (p Parts) File(name, given string) (string, error) { return find(name, given, p.Files[name]) }

// find returns the path of a part: the given one, the one in the runfiles, or else
// the file of that name in the binary's folder.
func find(what, given, place string) (string, error) {
	if given != "" {
		return command.Path(given), nil
	}
	if place == "" {
		return "", missing(what, fs.ErrNotExist)
	}
	path, err := place, error(nil)
	if !filepath.IsAbs(place) {
		path, err = runfiles.Rlocation(place)
	}
	if err == nil {
		_, err = os.Stat(path)
	}
	if err == nil {
		return path, nil
	}
	if beside, ok := besideBinary(filepath.Base(place)); ok {
		return beside, nil
	}
	return "", missing(what, err).In(filepath.Base(place))
}

func missing(what string, cause error) *errs.Error {
	return errs.Wrap(CodeRunfiles, cause, "the %s is not next to this binary", what).
		Hint("start the binary with bazel run, keep the folder %s.runfiles, copy the file into the binary's folder, or name it", os.Args[0])
}

// besideBinary returns a file in the binary's folder, for parts that were copied
// without runfiles.
func besideBinary(name string) (string, bool) {
	own, err := os.Executable()
	if err != nil {
		return "", false
	}
	path := filepath.Join(filepath.Dir(own), name)
	info, err := os.Stat(path)
	return path, err == nil && info.Mode().IsRegular()
}
