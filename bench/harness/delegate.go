package harness

import (
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/errs"
)

// Delegate runs another benchmark in place of this process if an argument is the flag: a
// program of the runfiles, with the same arguments. Otherwise it returns.
func Delegate(flag, place string) error {
	if !slices.ContainsFunc(os.Args[1:], func(a string) bool { return a == flag || strings.HasPrefix(a, flag+"=") }) {
		return nil
	}
	if place == "" {
		return errs.New(CodeFlags, "%s is not for this model", flag).Hint("declare a backends_benchmark for it")
	}
	path, err := Runfile(place)
	if err != nil {
		return err
	}
	own, err := runfiles.Env() // those of this program, which have the other's
	if err != nil {
		return errs.Wrap(CodeRunfiles, err, "there are no runfiles").Hint("start it with ./bazelw run")
	}
	err = syscall.Exec(path, append([]string{path}, os.Args[1:]...), append(os.Environ(), own...))
	return errs.Wrap(CodeRunfiles, err, "the program does not start").In(path)
}
