package command

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Emit writes data to the file out, whole or not at all, or to the standard output
// where out is empty. The inputs are files that it must not replace.
func Emit(cmd *cobra.Command, out string, data []byte, inputs ...string) error {
	if out != "" {
		if err := Apart(out, inputs...); err != nil {
			return err
		}
		return atomicfile.WriteFile(out, data)
	}
	if _, err := cmd.OutOrStdout().Write(data); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write to the standard output")
	}
	return nil
}

// Apart returns an error if out is one of the files that the command reads or writes,
// and would be replaced. Empty names are ignored.
func Apart(out string, files ...string) error {
	for _, file := range files {
		if out != "" && file != "" && atomicfile.Same(out, file) {
			return errs.New(CodeUsage, "this file is also read or written, and would be replaced").In(out).Hint("give the output another name")
		}
	}
	return nil
}
