package iree

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/skainet-dev/skainet-go/errs"
)

// LibraryVariable names the environment variable that FindLibrary looks at.
const LibraryVariable = "SKAINET_IREERT"

// FindLibrary looks for the runtime library: the file named by
// SKAINET_IREERT, then in the executable's folder, then in the lib folder next to it.
func FindLibrary() (string, error) {
	if path := os.Getenv(LibraryVariable); path != "" {
		return filepath.Abs(path)
	}
	name := "libireert.so"
	if runtime.GOOS == "darwin" {
		name = "libireert.dylib"
	}
	exe, err := os.Executable()
	if err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		dir := filepath.Dir(exe)
		for _, path := range []string{filepath.Join(dir, name), filepath.Join(dir, "..", "lib", name)} {
			if _, err := os.Stat(path); err == nil {
				return path, nil
			}
		}
	}
	return "", errs.New(CodeLoad, "the runtime library %s was not found", name).
		Hint("name it with --library or %s, or name the tool iree-run-module with --tool", LibraryVariable)
}

// Runtime returns the file that runs the program: the library, or else the tool.
func (o *Options) Runtime() (string, error) {
	library, err := o.library()
	if err != nil || library != "" {
		return library, err
	}
	return o.Tool, nil
}

// library chooses the form: the path of the library, or "" for the tool.
func (o *Options) library() (string, error) {
	switch {
	case len(o.ToolPrefix) > 0:
		// The program is for another architecture than this process.
	case o.Library != "":
		path, err := filepath.Abs(o.Library)
		if err != nil {
			return "", errs.Wrap(CodeLoad, err, "the library's path").In(o.Library)
		}
		if _, err := os.Stat(path); err == nil || o.Tool == "" {
			return path, nil
		}
	case o.Tool == "":
		return FindLibrary()
	}
	if o.Tool == "" {
		return "", errs.New(CodeLoad, "a prefix was given for the tool, but no tool").Hint("name an iree-run-module")
	}
	if _, err := os.Stat(o.Tool); err != nil {
		return "", errs.Wrap(CodeLoad, err, "the tool does not exist").In(o.Tool).Hint("name an iree-run-module")
	}
	return "", nil
}
