package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/skainet-dev/skainet-go/backend/importtext"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/compile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// xlaFlags are those of compile for model files, which targets of XLA and --emit take.
type xlaFlags struct {
	plugin   string
	sizes    []string
	portable bool
	in       importtext.Options
	flags    *pflag.FlagSet // all but the plugin's
}

func (f *xlaFlags) declare(cmd *cobra.Command) {
	command.FlagPlugin.Text(cmd, &f.plugin, "")
	var own cobra.Command
	own.Flags().StringArrayVar(&f.sizes, "sizes", nil, "dynamic sizes to compile for, `NAME=N,...`, for targets of XLA; may be repeated")
	own.Flags().BoolVar(&f.portable, "portable", false, "write the graph and no code, for targets of XLA: a plugin of any machine compiles it where it is opened")
	f.in.Flags(&own)
	f.flags = own.Flags()
	cmd.Flags().AddFlagSet(f.flags)
}

// compile compiles a model file for a target of XLA.
func (f *xlaFlags) compile(cmd *cobra.Command, path string, to compile.Target, out string) error {
	m := madeXLA
	if f.portable {
		m = madePortable
	}
	if err := f.unused(cmd, m); err != nil {
		return err
	}
	sizes, err := command.Sizes(f.sizes)
	if err != nil {
		return err
	}
	if err := apart(out, false, path, f.plugin); err != nil {
		return err
	}
	f.in.Notes = cmd.ErrOrStderr()
	o := openfile.Options{Import: f.in, Run: open.Options{
		Backend: open.XLA, Target: to.Name, Level: to.Level, Plugin: f.plugin, Progress: progress.On(cmd.ErrOrStderr()),
	}}
	model, _, err := openfile.Import(path, nil, o)
	if err != nil {
		return err
	}
	if f.portable {
		return model.WritePortable(command.Path(out), sizes)
	}
	return model.Write(cmd.Context(), command.Path(out), sizes)
}
