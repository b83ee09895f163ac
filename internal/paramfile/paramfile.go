// Package paramfile reads the files in which Bazel puts long command lines, and
// writes those that LLVM's tools take.
//
// # Errors
//
// PARAMS_READ for a file that cannot be read, or is too large.
//
// # Determinism
//
// The text depends on the arguments alone.
//
// # Untrusted input
//
// A file has up to regular.MaxDocument bytes and 65536 lines. Each line is an argument
// and nothing else: nested files are not expanded.
package paramfile

import (
	"bytes"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// CodeRead is for files of arguments that cannot be read; smallest input: @none.
const CodeRead errs.Code = "PARAMS_READ"

// maxArguments is the maximum number of lines: several times those for an archive in a
// thousand parts, and few enough to be read at once.
const maxArguments = 1 << 16

// Arguments returns the arguments of an action: those in the file F, one per line,
// where the only argument is @F, which Bazel writes for long command lines.
func Arguments(args []string) ([]string, error) {
	if len(args) != 1 || !strings.HasPrefix(args[0], "@") {
		return args, nil
	}
	path := args[0][1:]
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the arguments").In(path)
	}
	if n := bytes.Count(data, []byte("\n")); n > maxArguments {
		return nil, errs.New(CodeRead, "%d lines of arguments, at most %d are read", n, maxArguments).In(path).Hint("check that it is a file of arguments")
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}

// Response returns arguments as a response file of LLVM's tools, one per line, in the
// quotes of a POSIX shell: cl::TokenizeGNUCommandLine in llvm/Support/CommandLine.h.
func Response(args []string) []byte {
	var b strings.Builder
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	for _, a := range args {
		b.WriteString(`"` + quote.Replace(a) + "\"\n")
	}
	return []byte(b.String())
}
