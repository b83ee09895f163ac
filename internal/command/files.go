package command

import (
	"bytes"
	"encoding/json"
	"io"

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

// Print writes a command's output, and names it in the error if that fails.
func Print(w io.Writer, what, text string) error {
	if _, err := io.WriteString(w, text); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the %s", what)
	}
	return nil
}

// PrintJSON is Print of a value as JSON with the given indent, on one line if it is empty.
// Characters of HTML stand as they are.
func PrintJSON(w io.Writer, what, indent string, value any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(value); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the %s", what)
	}
	return Print(w, what, b.String())
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
