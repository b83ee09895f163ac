package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/backend/openfile"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// ofFile reports whether a file is a model that is no text: text goes to IREE's compiler as it
// is, which knows more of it than StableHLO. What is neither is an error.
func ofFile(path string) (bool, error) {
	format, err := modelfile.FormatOf(path)
	if err == nil {
		return format != constants.Format, nil
	}
	if errs.CodeOf(err) != modelfile.CodeUnknown {
		return false, err
	}
	head, failed := beginning(path)
	if failed == nil && (bytes.HasPrefix(head, []byte("ML\xefR")) || mlir.Match(head)) { // bytecode, or text
		return false, nil
	}
	return false, err
}

// mlir matches how MLIR begins that is not the StableHLO that constants.Sniff knows: comments,
// then an operation of any dialect, an alias, or a name in quotes.
var mlir = regexp.MustCompile(`^(?:\s+|//[^\n]*\n)*(?:[a-z_]+\.[a-z_]|func |[#!][A-Za-z_]|"[a-z]|%\w)`)

// beginning returns the first bytes of a file.
func beginning(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return head[:n], err
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
	to := "to call it"
	if row, err := target.Find(o.Run.Target); err == nil {
		if needs := processor.RowNeeds(row); needs.Arch != "" && !processor.Here().Runs(needs) {
			to = "this processor cannot run it; to call it on one that can"
		}
	}
	fmt.Fprintln(cmd.ErrOrStderr(), "skainet: "+to+":", strings.Join(line, " "))
	return nil
}

// word returns a path as a shell takes it.
func word(path string) string {
	if strings.ContainsAny(path, " \t$&;()<>*?\\\"`") {
		return "'" + path + "'"
	}
	return path
}
