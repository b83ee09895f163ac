package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() { command.Tool(newCommand()) }

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "embed --program FILE --contract FILE (--go FILE --package NAME | --header FILE --source FILE)", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return write(o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.name, "name", "", "prefix of the C names")
	f.StringVar(&o.label, "label", "", "the target, for comments and messages")
	f.StringVar(&o.program, "program", "", "compiled program")
	command.FlagContract.Text(cmd, &o.contract, "")
	f.StringArrayVar(&o.archives, "archive-file", nil, "its archive, if it has parameters; may be repeated")
	f.StringVar(&o.scope, "archive-scope", "", "the archive's scope")
	f.StringVar(&o.goOut, "go", "", "Go source to write; the files must be in its folder")
	f.StringVar(&o.goPackage, "package", "", "its package")
	f.StringVar(&o.header, "header", "", "C header to write")
	f.StringVar(&o.source, "source", "", "C source to write")
	f.StringVar(&o.includeName, "include", "", "how the source includes the header")
	return cmd
}
