package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	backendiree "github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
)

const bugsHead = `# Faults of IREE %s that make wrong numbers

Written by "needed --bugs=compile/iree/BUGS.md": for each row of the table of rewrites that keeps a
program from wrong numbers, the smallest known program without it, in the form in which IREE asks for
reports: what happened, a program, commands, expected and actual results, the version.

Compiler: IREE compiler version %s, the wheels of PyPI, Linux on x86-64.
`

// shown is the number of elements of a value that a report has.
const shown = 64

// reported are the rows that keep programs from wrong numbers.
func reported() []iree.Rewrite {
	var rows []iree.Rewrite
	for _, kind := range []iree.Evidence{iree.WrongNumbers, iree.OtherDevice} {
		for _, r := range iree.Rewrites() {
			if r.Shown == kind {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// bugs writes the reports to a file; what programs give is from running them, and "" without
// a compiler.
func (t tools) bugs(ctx context.Context, path string) error {
	text, err := t.reports(ctx)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(path, []byte(text))
}

func (t tools) reports(ctx context.Context) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, bugsHead, target.Release(), target.IREEVersion())
	for _, r := range reported() {
		if err := t.report(ctx, &b, r, faults[r.ID]); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// report writes the section of one row.
func (t tools) report(ctx context.Context, b *strings.Builder, r iree.Rewrite, f fault) error {
	g, err := lang.CaptureWith("repro", f.index(), f.build)
	if err != nil {
		return err
	}
	o := f.options(&r)
	o.Without = []string{r.ID}
	m, err := iree.Emit(g, o)
	if err != nil {
		return err
	}
	row, err := target.Find(f.row())
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n\nSeen on: %s. Avoided by: %s.\n\n`repro.mlir`:\n\n```mlir\n%s```\n\n", r.ID, r.Symptom, r.Targets, strings.TrimSuffix(r.Instead, "."), m.Text)
	if f.cause != "" {
		fmt.Fprintf(b, "Cause, by --mlir-print-ir-after-all: %s\n\n", f.cause)
	}
	fmt.Fprintf(b, "```\niree-compile repro.mlir -o repro.vmfb")
	for _, flag := range row.Flags {
		fmt.Fprintf(b, " \\\n  '%s'", flag)
	}
	device := f.device
	if device == "" {
		device = strings.Replace(row.Device, "local-task", "local-sync", 1)
	}
	fmt.Fprintf(b, "\niree-run-module --device=%s --module=repro.vmfb --function=main", device)
	for _, v := range f.args {
		words, err := parity.Elements(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(b, " \\\n  --input='%s=%s'", argument(v.Type), strings.Join(words, " "))
	}
	b.WriteString("\n```\n")
	if r.Shown != iree.WrongNumbers {
		b.WriteString("\nExpected: what a program for processors gives on `--device=local-sync`.\n")
		return nil
	}
	reference, err := cpu.Load(g, m.Contract, nil)
	if err != nil {
		return err
	}
	defer reference.Close()
	want, err := reference.Call(ctx, "main", f.args...)
	if err != nil {
		return err
	}
	if err := listed(b, "Expected", want); err != nil || t.compiler == "" {
		return err
	}
	dir, err := os.MkdirTemp("", "needed-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "program.vmfb")
	if _, err := compiler.Compile(ctx, compiler.Options{Compiler: t.compiler, Linker: t.linker, Target: row.Name, Text: m.Text, TextName: "repro.mlir", Out: program}); err != nil {
		_, err = fmt.Fprintf(b, "\nActual: %s\n", short(err))
		return err
	}
	x, err := backendiree.Open(backendiree.Options{Program: program, Contract: m.Contract, Device: device, Library: t.library, Tool: t.tool})
	if err != nil {
		_, err = fmt.Fprintf(b, "\nActual: %s\n", short(err))
		return err
	}
	defer x.Close()
	got, err := x.Call(ctx, "main", f.args...)
	if err != nil {
		_, err = fmt.Fprintf(b, "\nActual: %s\n", short(err))
		return err
	}
	return listed(b, "Actual", got)
}

// listed writes values, one a line.
func listed(b *strings.Builder, title string, values []tensor.Value) error {
	fmt.Fprintf(b, "\n%s:\n\n```\n", title)
	for _, v := range values {
		words, err := parity.Elements(v)
		if err != nil {
			return err
		}
		more := ""
		if len(words) > shown {
			words, more = words[:8], " ..."
		}
		fmt.Fprintf(b, "%s=%s%s\n", argument(v.Type), strings.Join(words, " "), more)
	}
	b.WriteString("```\n")
	return nil
}

// argument spells a type as iree-run-module does.
func argument(t tensor.Type) string {
	if t.Shape.Rank() == 0 {
		return t.DType.MLIR()
	}
	return t.Shape.String() + "x" + t.DType.MLIR()
}
