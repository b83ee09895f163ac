package cli

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile"
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
func (f *xlaFlags) compile(cmd *cobra.Command, path string, to compile.Target, out string) error {
	sizes, err := command.Sizes(f.sizes)
	if err != nil {
		return err
	}
	if err := apart(out, false, path, f.plugin); err != nil {
		return err
	}
	o := openfile.Options{Import: f.in, Run: open.Options{
		Backend: open.XLA, Target: to.Name, Level: to.Level, Plugin: f.plugin, Progress: progress.On(cmd.ErrOrStderr()),
	}}
	m, _, err := openfile.Import(path, nil, o)
	if err != nil {
		return err
	}
	return m.Write(cmd.Context(), command.Path(out), sizes)
}
