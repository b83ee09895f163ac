package iree

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
)

// The compiler writes the signature of each entry point as text:
//
//	sync func @step(%input0: tensor<?xi32>) -> (%output0: tensor<1x8xf32>)
//
// Without this a contract of another program, such as one with longer caches, would be
// detected only by a call with such a size, or never: the runtime checks no shapes.
const (
	declarationMark = "sync func @"
	maxDeclaration  = 1 << 20
)

// declarations are these texts.
type declarations struct{ texts }

func newDeclarations() *declarations {
	return &declarations{texts{mark: declarationMark, end: "\x00", most: maxDeclaration}}
}

var declaredTensor = regexp.MustCompile(`%(?:input|output)[0-9]+: tensor<((?:(?:[0-9]+|\?)x)*)[a-z][a-z0-9]*>`)

// check compares the contract with the program's declarations. Entry points that are
// not declared, or in an unknown form, are left to the runtime.
func (d *declarations) check(path string, c *contract.Contract) error {
	for _, text := range d.list {
		name, rest, ok := strings.Cut(strings.TrimPrefix(text, declarationMark), "(")
		e, err := c.Entry(name)
		if !ok || err != nil {
			continue
		}
		args, results, _ := strings.Cut(rest, ") -> (")
		for _, side := range []struct {
			what, text string
			named      []contract.Named
		}{{"argument", args, e.Args}, {"result", results, e.Results}} {
			declared := declaredTensor.FindAllStringSubmatch(side.text, -1)
			if len(declared) != strings.Count(side.text, "put") {
				continue
			}
			if len(declared) != len(side.named) {
				return otherProgram(path, name, "%d %ss, where the program has %d", len(side.named), side.what, len(declared))
			}
			for i, n := range side.named {
				if sizes := sizesOf(n); sizes != declared[i][1] {
					return otherProgram(path, name, "the %s %s has the sizes %q, but in the program %q", side.what, n.Name, sizes, declared[i][1])
				}
			}
		}
	}
	return nil
}

func otherProgram(path, entry, what string, args ...any) error {
	return errs.New(CodeLoad, "the contract belongs to another program: "+what, args...).In(path).On(entry).
		Hint("use the contract that was written with the program's text")
}

// sizesOf writes the sizes of a tensor as the compiler does: 1x?x3x.
func sizesOf(n contract.Named) string {
	var b strings.Builder
	for _, d := range n.Shape {
		if d.Size < 0 {
			b.WriteString("?x")
			continue
		}
		b.WriteString(strconv.FormatInt(d.Size, 10) + "x")
	}
	return b.String()
}
