package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// ofFile reports whether a file is a model that is no text: text goes to IREE's compiler as it
// is, which knows more of it than StableHLO.
func ofFile(path string) bool {
	format, err := modelfile.FormatOf(path)
	return err == nil && format != constants.Format
}

// program compiles a model file for IREE, and says how the program is run.
func (f *xlaFlags) program(cmd *cobra.Command, path string, o openfile.Options, out string) error {
	document, archive := open.Beside(out, contract.DefaultScope)
	for _, file := range []string{out, document, archive} {
		if err := command.Apart(file, path, o.Weights, o.Run.Compiler, o.Run.Linker); err != nil {
			return err
		}
	}
	for i, names := range [][]string{{document, archive}, {archive}} {
		if err := command.Apart([]string{out, document}[i], names...); err != nil {
			return err
		}
	}
	f.in.Notes = cmd.ErrOrStderr()
	o.Import = f.in
	model, _, err := openfile.Import(path, nil, o)
	if err != nil {
		return err
	}
	w, err := model.Program(cmd.Context(), command.Path(out))
	if err != nil {
		return err
	}
	warn(cmd, w.Warnings)
	line := []string{"skainet run", word(w.Program), "--contract", word(w.Contract)}
	for _, scope := range slices.Sorted(maps.Keys(w.Archives)) {
		for _, archive := range w.Archives[scope] {
			line = append(line, "--archive", word(strings.TrimPrefix(scope+"="+archive, contract.DefaultScope+"=")))
		}
	}
	for _, scope := range w.Unpacked {
		_, archive := open.Beside(w.Program, scope)
		line = append(line, "--archive", word(strings.TrimPrefix(scope+"="+archive, contract.DefaultScope+"=")))
		fmt.Fprintf(cmd.ErrOrStderr(), "skainet: no weights were given: skainet pack --contract %s --scope %s --weights FILE -o %s\n", word(w.Contract), scope, word(archive))
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "skainet: to call it:", strings.Join(line, " "))
	return nil
}

// word returns a path as a shell takes it.
func word(path string) string {
	if strings.ContainsAny(path, " \t$&;()<>*?\\\"`") {
		return "'" + path + "'"
	}
	return path
}
