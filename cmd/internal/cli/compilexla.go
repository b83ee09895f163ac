package cli

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// xlaFlags are those of compile for targets of XLA.
type xlaFlags struct {
	plugin string
	sizes  []string
	in     importtext.Options
}

func (f *xlaFlags) declare(cmd *cobra.Command) {
	command.FlagPlugin.Text(cmd, &f.plugin, "")
	cmd.Flags().StringArrayVar(&f.sizes, "sizes", nil, "dynamic sizes to compile for, `NAME=N,...`, for targets of XLA; may be repeated")
}

// compile compiles a model file for a target of XLA.
func (f *xlaFlags) compile(cmd *cobra.Command, path, target, level, out string) error {
	sizes, err := parseSizes(f.sizes)
	if err != nil {
		return err
	}
	if err := apart(out, false, path, f.plugin); err != nil {
		return err
	}
	o := openfile.Options{Import: f.in, Run: open.Options{
		Backend: open.XLA, Target: target, Level: level, Plugin: f.plugin, Progress: progress.On(cmd.ErrOrStderr()),
	}}
	m, _, err := openfile.Import(path, nil, o)
	if err != nil {
		return err
	}
	return m.Write(cmd.Context(), command.Path(out), sizes)
}

// parseSizes reads lists such as "batch=1,seq=128".
func parseSizes(texts []string) ([]map[string]int64, error) {
	var all []map[string]int64
	for _, text := range texts {
		sizes := map[string]int64{}
		for part := range strings.SplitSeq(text, ",") {
			name, number, _ := strings.Cut(part, "=")
			n, err := strconv.ParseInt(number, 10, 64)
			if _, twice := sizes[name]; err != nil || n < 1 || name == "" || twice {
				return nil, errs.New(command.CodeUsage, "--sizes %q is no list of NAME=N", text).Hint("write it as batch=1,seq=128, each name once")
			}
			sizes[name] = n
		}
		all = append(all, sizes)
	}
	return all, nil
}
