// Package processor compares what the code of a program needs with what a processor has:
// an instruction that a processor lacks ends the process that reaches it, without a word.
//
// Instructions have the compiler's names, such as avx512f or dotprod. A program lists
// those that its code may use (package iree reads them there), and rows of the table of
// targets list those of their programs.
//
// # Errors
//
// PROGRAM_CPU, for code of another architecture, or with instructions that the processor
// lacks. The message names all of them.
//
// # Determinism
//
// What a processor has is read once, when the process starts.
package processor

import (
	"runtime"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	CodeCPU errs.Code = "PROGRAM_CPU" // smallest input: a program of cpu_x86_64_v4 on a processor with AVX2 alone
)

// Needs is what code for a CPU needs.
type Needs struct {
	Arch         string   // as in the compiler's triples: x86_64, aarch64, riscv64
	Instructions []string // sorted
}

// Processor is a processor that runs programs.
type Processor struct {
	Arch string // as in Needs
	OS   string // in the notation of runtime.GOOS
	// Instructions reports for each one that can be told whether the processor has it.
	// Those that are absent are taken to be there.
	Instructions map[string]bool
}

// goArch is architectures of the compiler's triples in the notation of runtime.GOARCH.
var goArch = map[string]string{"amd64": "x86_64", "386": "i386", "arm64": "aarch64", "wasm": "wasm32"}

// architecture returns the common name of an architecture in a triple: 32-bit Arm has one
// for each version.
func architecture(name string) string {
	switch {
	case name == "arm64":
		return "aarch64"
	case strings.HasPrefix(name, "armv") || strings.HasPrefix(name, "thumbv"):
		return "arm"
	}
	return name
}

// NeedsOf returns the needs of code that was compiled for a triple, with the features of
// LLVM: +avx2,+fma,-sse4a. What is no instruction, such as a reserved register, stays out.
func NeedsOf(triple, features string) Needs {
	arch, _, _ := strings.Cut(triple, "-")
	n := Needs{Arch: architecture(arch)}
	for f := range strings.SplitSeq(features, ",") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(f), "+"); ok && name != "" && !strings.HasPrefix(name, "reserve-") {
			n.Instructions = append(n.Instructions, name)
		}
	}
	slices.Sort(n.Instructions)
	n.Instructions = slices.Compact(n.Instructions)
	return n
}

// Here returns the processor of this process: under an emulator, the one that it shows.
func Here() Processor {
	arch := runtime.GOARCH
	if a, ok := goArch[arch]; ok {
		arch = a
	}
	return Processor{arch, runtime.GOOS, instructions()}
}

// Lacks returns those of the needed instructions that the processor lacks.
func (p Processor) Lacks(names []string) []string {
	var lacking []string
	for _, name := range names {
		if has, told := p.Instructions[name]; told && !has {
			lacking = append(lacking, name)
		}
	}
	return lacking
}

// Unknown returns those names of which nothing is known: Lacks takes the processor to have them.
func (p Processor) Unknown(names []string) []string {
	var unknown []string
	for _, name := range names {
		if _, told := p.Instructions[name]; !told {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// Runs reports whether the processor can run the code.
func (p Processor) Runs(n Needs) bool { return n.Arch == p.Arch && len(p.Lacks(n.Instructions)) == 0 }

// Check returns an error if the processor can run none of the forms that a program has its
// code in; most have one. Code for no processor, of which there are no forms, runs anywhere.
func (p Processor) Check(forms []Needs) error {
	if len(forms) == 0 || slices.ContainsFunc(forms, p.Runs) {
		return nil
	}
	var lacking []string // of the form that comes closest
	var others []string
	for _, n := range forms {
		if n.Arch != p.Arch {
			others = append(others, n.Arch)
		} else if l := p.Lacks(n.Instructions); lacking == nil || len(l) < len(lacking) {
			lacking = l
		}
	}
	if lacking != nil {
		return p.refuse("the program needs instructions that this processor lacks: %s", strings.Join(lacking, ", "))
	}
	return p.refuse("the program is for a processor with the architecture %s, and this one has %s", strings.Join(others, ", "), p.Arch)
}

func (p Processor) refuse(what string, args ...any) error {
	err := errs.New(CodeCPU, what, args...)
	var names []string
	for _, r := range p.Rows() {
		names = append(names, r.Name)
	}
	if names == nil {
		return err.Hint("run it on a processor that it was compiled for, or compile it for vmvx, which any processor runs")
	}
	return err.Hint("compile it for a target that this processor can run: %s", strings.Join(names, ", "))
}

// systems are parts of the compiler's triples by operating system.
var systems = map[string]string{"linux": "-linux-gnu", "android": "-android", "darwin": "-apple-macosx"}

// Rows returns the targets whose code the processor can run under its operating system,
// those with the most instructions first: they are the fastest.
func (p Processor) Rows() []target.Row {
	var rows []target.Row
	for _, r := range target.Rows() {
		if r.Refused == "" && p.IsSystem(r) && p.Runs(RowNeeds(r)) {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b target.Row) int { return len(b.Instructions) - len(a.Instructions) })
	return rows
}

// IsSystem reports whether the code of a target is for the operating system.
func (p Processor) IsSystem(r target.Row) bool {
	system, known := systems[p.OS]
	return known && strings.Contains(r.Triple(), system)
}

// Has returns the instructions that the processor is known to have, sorted.
func (p Processor) Has() []string {
	names := []string{}
	for name, has := range p.Instructions {
		if has {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// RowNeeds returns what programs of a target need of a processor; the architecture is
// empty where they are not for one.
func RowNeeds(r target.Row) Needs {
	arch, _, _ := strings.Cut(r.Triple(), "-")
	return Needs{architecture(arch), r.Instructions}
}
