package artifact

import (
	"strings"

	"github.com/skainet-dev/skainet-go/internal/errs"
	"github.com/skainet-dev/skainet-go/internal/filemap"
)

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
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return nil, nil
	}
	return strings.Split(text, "\n"), nil
}
