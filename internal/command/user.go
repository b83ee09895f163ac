package command

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// userFolder returns the folder where the user of `bazel run` is, or "" for a program
// that was started in another way: bazel run starts a program among its runfiles and
// says in the environment where its user is, for whatever the program starts in turn.
// So the variables count only for a process that is still among runfiles; in a shell
// that inherited them the user is where the process is.
func userFolder() string {
	user, workspace := os.Getenv("BUILD_WORKING_DIRECTORY"), os.Getenv("BUILD_WORKSPACE_DIRECTORY")
	if !filepath.IsAbs(user) || workspace == "" {
		return ""
	}
	here, err := os.Getwd()
	if err != nil || !amongRunfiles(here) {
		return ""
	}
	return user
}

// amongRunfiles reports whether a folder is in a tree of runfiles, PROGRAM.runfiles.
func amongRunfiles(folder string) bool {
	for _, part := range strings.Split(filepath.ToSlash(folder), "/") {
		if strings.HasSuffix(part, ".runfiles") {
			return true
		}
	}
	return false
}

// Path returns the path of a file that an argument names, from where the user is.
func Path(argument string) string {
	if dir := userFolder(); dir != "" && !filepath.IsAbs(argument) {
		return filepath.Join(dir, argument)
	}
	return argument
}

// AtUser goes to the folder where the user is.
func AtUser() error {
	dir := userFolder()
	if dir == "" {
		return nil
	}
	if err := os.Chdir(dir); err != nil {
		return errs.Wrap(CodeUsage, err, "BUILD_WORKING_DIRECTORY")
	}
	return nil
}
