package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/verdict"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
)

type verifyFlags struct {
	contract, scope, out string
	archives             []string
	json                 bool
}

func newVerifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE... | verify TEXT.mlir... --contract FILE | verify --contract FILE --archive [SCOPE=]FILE...",
		Short: "List every error of a file, or check that archives have what a program needs",
		Long: `Verify checks the structure of a weight file or an archive and lists every
error that it finds, up to 1000, each with its code. It checks more than
other commands do before they use a file, such as padding. Values are not read.

A FILE whose name ends in .mlir is a program: its text is parsed as by the compiler,
and every value and type in it is checked; with --contract also that both name the
same encoding of each parameter.

With --contract and --archive it compares the parameters of each scope that is
named with the archives for a run: the same keys, each once,
with the same lengths. The runtime checks neither in advance, and accepts a parameter
that is too long.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && f.contract == "" && f.archives == nil:
				return f.files(cmd, args, faultsOf)
			case len(args) > 0 && f.archives == nil:
				c, err := contract.ReadFile(f.contract)
				if err != nil {
					return err
				}
				return f.files(cmd, args, func(path string) (verdict.File, error) {
					faults, err := verify.Against(path, c)
					return verdict.File{Path: path, Format: verdict.ProgramText, Faults: faults}, err
				})
			case len(args) == 0 && f.contract != "" && f.archives != nil:
				return f.scopes(cmd)
			}
			return errs.New(CodeUsage, "verify takes files, texts and --contract, or --contract and --archive").Hint("see %s --help", cmd.CommandPath())
		},
	}
	command.FlagContract.Text(cmd, &f.contract, "")
	command.FlagArchive.Says("archive of parameters, `[scope=]file`, of --scope where none is named; may be given again").Texts(cmd, &f.archives)
	cmd.Flags().StringVar(&f.scope, "scope", command.DefaultScope, "scope of the archives that name none")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the errors of a FILE as JSON")
	command.FlagOutput.Says("`file` for the result if there is no error, instead of standard output").Text(cmd, &f.out, "")
	cmd.MarkFlagsMutuallyExclusive("archive", "json")
	return cmd
}

// scopes checks archives against a contract.
func (f *verifyFlags) scopes(cmd *cobra.Command) error {
	archives := command.Archives(f.archives, f.scope)
	said, err := pack.CheckFiles(f.contract, archives)
	if err != nil {
		return err
	}
	return command.Emit(cmd, f.out, said, slices.Concat([]string{f.contract}, slices.Concat(slices.Collect(maps.Values(archives))...))...)
}

// files lists the errors of each file; the returned error is about the first file that has any.
func (f *verifyFlags) files(cmd *cobra.Command, paths []string, faultsOf func(path string) (verdict.File, error)) error {
	show := verdict.File.Text
	if f.json {
		show = verdict.File.JSON
	}
	said, faults, err := verdict.Files(paths, faultsOf, show)
	if err != nil {
		return err
	}
	out := f.out
	if faults != nil {
		out = "" // the file tells the build that all is well
	}
	if err := apart(out, false, paths...); err != nil {
		return err
	}
	if err := command.Emit(cmd, out, said); err != nil {
		return err
	}
	return faults
}

// faultsOf returns the errors of a file, whose format it detects.
func faultsOf(path string) (verdict.File, error) {
	if strings.HasSuffix(path, programText) {
		faults, err := verify.File(path)
		return verdict.File{Path: path, Format: verdict.ProgramText, Faults: faults}, err
	}
	format, err := weights.FormatOf(path)
	if err != nil {
		return verdict.File{}, err
	}
	faults, err := weights.Verify(path)
	return verdict.File{Path: path, Format: format, Faults: faults}, err
}
