package artifact

import (
	"bytes"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
)

// maxArguments is how many lines a file of arguments may have: several times those of
// an archive in a thousand parts, and few enough to be read at once.
const maxArguments = 1 << 16

// Arguments gives the arguments of an action: those in the file F, one a line,
// where the only argument is @F, which Bazel writes for long command lines.
func Arguments(args []string) ([]string, error) {
	if len(args) != 1 || !strings.HasPrefix(args[0], "@") {
		return args, nil
	}
	path := args[0][1:]
	data, err := filemap.ReadFile(path, filemap.MaxDocument)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the arguments").In(path)
	}
	if n := bytes.Count(data, []byte("\n")); n > maxArguments {
		return nil, errs.New(CodeRead, "%d lines of arguments, at most %d are read", n, maxArguments).In(path).Hint("is this a file of arguments?")
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}
