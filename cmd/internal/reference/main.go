// Command reference writes what each program and each of skainet's commands prints for
// --help, as sections in AsciiDoc. Cobra's package doc has no AsciiDoc, and a page that differed from
// --help would be a second text to read.
//
//	reference OUT.adoc PROGRAM...
//
// Skainet's commands are those of its tree; each PROGRAM is run.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/parity/paritymain"
	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/lang"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: reference OUT.adoc PROGRAM...")
		os.Exit(2)
	}
	page, err := page(os.Args[2:])
	if err == nil {
		err = atomicfile.WriteFile(os.Args[1], page)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

// page returns the sections: of skainet's commands, of the programs, and of parity tests.
func page(programs []string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("// Made by //cmd/internal/reference from --help: ./bazelw run //docs:update\n")
	for _, cmd := range tree(cli.Command()) {
		path := strings.Fields(cmd.CommandPath())
		if err := section(&b, cmd.CommandPath(), len(path), func(stdout, stderr io.Writer) error {
			return status(cli.Main(append(path[1:], "--help"), stdout, stderr))
		}); err != nil {
			return nil, err
		}
	}
	for _, program := range programs {
		name := strings.TrimSuffix(filepath.Base(program), ".exe")
		if err := section(&b, name, 1, func(stdout, stderr io.Writer) error {
			cmd := exec.Command(program, "--help")
			cmd.Stdout, cmd.Stderr = stdout, stderr
			return cmd.Run()
		}); err != nil {
			return nil, err
		}
	}
	err := section(&b, "Parity tests, and layer_diff", 1, func(stdout, stderr io.Writer) error {
		return status(paritymain.Main(paritymain.Model{Build: func(*lang.Module) {}}, []string{"--help"}, stdout, stderr))
	})
	return b.Bytes(), err
}

// tree returns a command and those below it that --help lists, in their order.
func tree(cmd *cobra.Command) []*cobra.Command {
	found := []*cobra.Command{cmd}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			found = append(found, tree(sub)...)
		}
	}
	return found
}

func status(exit int) error {
	if exit != 0 {
		return fmt.Errorf("exit status %d", exit)
	}
	return nil
}

// section writes what help prints under a heading. A level of 1 is a section of the page.
func section(b *bytes.Buffer, title string, level int, help func(stdout, stderr io.Writer) error) error {
	var stdout, stderr bytes.Buffer
	if err := help(&stdout, &stderr); err != nil {
		return fmt.Errorf("%s --help: %w: %s", title, err, bytes.TrimSpace(stderr.Bytes()))
	}
	text := strings.TrimSpace(stdout.String())
	if text == "" || strings.Contains("\n"+text, "\n----") {
		return fmt.Errorf("%s --help: no text that a listing can hold: %.80q", title, text)
	}
	fmt.Fprintf(b, "\n%s %s\n\n[source,text]\n----\n%s\n----\n", strings.Repeat("=", level+1), title, text)
	return nil
}
