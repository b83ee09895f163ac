package iree

import (
	"io"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/errs"
)

// For the message of a device that does not fit, the compiler writes the targets of the
// code into each program, at every level of optimisation:
//
//	#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "x86-64-v4",
//	cpu_features = "+avx,+avx2,...", ..., target_triple = "x86_64-unknown-unknown-eabi-elf"}>
//
// The runtime compares the kind of the code with its own, and not the features.
const (
	executableMark = `#hal.executable.target<"llvm-cpu", `
	maxExecutable  = 1 << 16
)

// executables are these texts.
type executables struct{ texts }

func newExecutables() *executables {
	return &executables{texts{mark: executableMark, end: "}>", most: maxExecutable}}
}

// needs returns what the code needs: one for each form of it. Those that name no
// processor are left to the runtime.
func (x *executables) needs() []processor.Needs {
	var all []processor.Needs
	for _, text := range x.list {
		if triple := attribute(text, "target_triple"); triple != "" {
			all = append(all, processor.NeedsOf(triple, attribute(text, "cpu_features")))
		}
	}
	return all
}

// attribute returns the value of a string attribute in MLIR's text, "" where there is none.
func attribute(text, name string) string {
	_, rest, found := strings.Cut(text, " "+name+` = "`)
	if !found {
		if _, rest, found = strings.Cut(text, "{"+name+` = "`); !found {
			return ""
		}
	}
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// Needs reads what the code of a program needs of the processor: one for each form of it,
// most programs have one, and none for programs that run on another device or in the
// runtime's interpreter.
func Needs(path string) ([]processor.Needs, error) {
	found := newExecutables()
	if err := readModule(path, found); err != nil {
		return nil, err
	}
	return found.needs(), nil
}

// Best returns the path of the program, of several that differ only in the processor that
// they were compiled for, that has the most instructions of those that the processor can
// run: it is the fastest. Of equal ones it is the first. PROGRAM_CPU if it can run none.
func Best(paths []string, p processor.Processor) (string, error) {
	best, most := "", -1
	var refused error
	for _, path := range paths {
		forms, err := Needs(path)
		if err != nil {
			return "", err
		}
		if err := p.Check(forms); err != nil {
			refused = errs.WithFile(err, path)
			continue
		}
		count := 0 // of the interpreter's programs
		for _, n := range forms {
			if p.Runs(n) {
				count = max(count, 1+len(n.Instructions))
			}
		}
		if count > most {
			best, most = path, count
		}
	}
	if most < 0 {
		return "", refused
	}
	return best, nil
}

// examined are the texts of a program that are compared before it is loaded.
type examined struct {
	declarations *declarations
	executables  *executables
}

func examine(path string) (examined, error) {
	x := examined{newDeclarations(), newExecutables()}
	_, err := readParts(path, io.MultiWriter(x.declarations, x.executables))
	return x, err
}
