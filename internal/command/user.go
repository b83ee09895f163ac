package command

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// userFolder returns the user's working folder under `bazel run`, or "" for a program
// that was started in another way: bazel run starts a program in its runfiles and
// passes the user's folder in the environment, which child processes inherit. So the
// variables count only for a process whose working folder is still in runfiles; in a
// shell that inherited them the user's folder is the working folder.
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

// amongRunfiles reports whether a folder is in a runfiles tree, PROGRAM.runfiles.
func amongRunfiles(folder string) bool {
	for _, part := range strings.Split(filepath.ToSlash(folder), "/") {
		if strings.HasSuffix(part, ".runfiles") {
			return true
		}
	}
	return false
}

// Path resolves a file argument relative to the user's folder.
func Path(argument string) string {
	if dir := userFolder(); dir != "" && !filepath.IsAbs(argument) {
		return filepath.Join(dir, argument)
	}
	return argument
}

// AtUser changes to the user's folder.
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
