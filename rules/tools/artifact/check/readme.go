package check

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// readme returns a README that says what the files are and how to call the program.
func (b *Bundle) readme(c *contract.Contract) []byte {
	var t bytes.Buffer
	fmt.Fprintf(&t, "# %s for %s\n\n", c.Name, b.Target)
	if b.Plugin != "" {
		fmt.Fprintf(&t, "- `%s`: the program, for XLA and its platform `%s`; what it is compiled to is kept in the user's cache\n", bundleXLA, b.Device)
		fmt.Fprintf(&t, "- `%s`: XLA's plugin\n", b.plugin())
	} else {
		fmt.Fprintf(&t, "- `%s`: the program, for IREE %s and its device `%s`\n", bundleIREE, c.IREE, b.Device)
	}
	for _, of := range slices.Sorted(maps.Keys(b.Alternatives)) {
		fmt.Fprintf(&t, "- `%s`: the same for `%s`%s\n", alternative(of), of, b.more(of))
	}
	fmt.Fprintf(&t, "- `%s`: entry points, arguments, results and parameters\n", bundleContract)
	if len(c.Parameters) > 0 {
		for i, name := range b.archiveNames() {
			fmt.Fprintf(&t, "- `%s`: parameters of the scope `%s`\n", name, b.Archives[i].Scope)
		}
	}
	switch {
	case b.Plugin != "":
		fmt.Fprintf(&t, "- `%s`: runs the program; needs a C library that the plugin runs with\n", bundleRunner)
	case b.Runner != "":
		fmt.Fprintf(&t, "- `%s`: runs the program; static, needs nothing else\n", bundleRunner)
	default:
		t.WriteString("- no runner: there is none for this target, or none was given. `skainet run` below needs\n" +
			"  SKaiNET's command line and IREE's runtime on the machine\n")
	}
	for _, name := range slices.Sorted(maps.Keys(b.Documents)) {
		fmt.Fprintf(&t, "- `%s`: of the weights; pass it on with them\n", name)
	}
	fmt.Fprintf(&t, "- `%s`: `sha256sum -c %s` checks them\n\n", bundleSums, bundleSums)
	t.WriteString("An argument is a `.npy` file, or all its elements in row-major order with commas\n" +
		"between them; its shape is the one in the table. Results are printed;\n" +
		"`--output=NAME=FILE.npy` writes one.\n")
	if len(b.Alternatives) > 0 {
		fmt.Fprintf(&t, "\nA processor that can run another program is faster with it in place of `%s` below;\n", b.program())
		t.WriteString("`skainet run` takes the best by itself, of those that `--alternative=FILE` names.\n")
	}
	for _, e := range c.Entries {
		b.entry(&t, c, &e)
	}
	return t.Bytes()
}

// more says which instructions a row's code may use that the program's may not.
func (b *Bundle) more(of string) string {
	row, err := target.Find(of)
	own, bad := target.Find(b.Target)
	if err != nil || bad != nil {
		return "" // a row of the user's
	}
	has := func(name string) bool { return slices.Contains(own.Instructions, name) }
	if list := slices.DeleteFunc(slices.Clone(row.Instructions), has); len(list) > 0 {
		return ", processors with " + strings.Join(list, ", ")
	}
	return ", any processor that runs the other"
}

func (b *Bundle) entry(t *bytes.Buffer, c *contract.Contract, e *contract.Entry) {
	fmt.Fprintf(t, "\n## %s\n\nWithout the contract it is `%s.%s`.\n\n", e.Name, c.Name, e.Name)
	if e.State {
		t.WriteString("A call continues where the previous one ended, within one process; each run\nof the command below starts from the beginning.\n\n")
	}
	t.WriteString("| | name | type |\n|---|---|---|\n")
	for _, a := range e.Args {
		fmt.Fprintf(t, "| argument | `%s` | %s |\n", a.Name, a.Type())
	}
	for _, r := range e.Results {
		fmt.Fprintf(t, "| result | `%s` | %s |\n", r.Name, r.Type())
	}
	words := b.command(c, e)
	fmt.Fprintf(t, "\n    %s\n", strings.Join(words, " "))
	if elements := inline(e); elements != nil {
		words = append(words[:len(words)-len(e.Args)], elements...)
		fmt.Fprintf(t, "\n    %s\n", strings.Join(words, " "))
	}
}

// command returns a call of an entry point, in words that need no
// quoting in a shell: through the runner if there is one, else through
// skainet. Arguments are files and come last.
func (b *Bundle) command(c *contract.Contract, e *contract.Entry) []string {
	var words []string
	switch {
	case b.Plugin != "":
		words = append(words, "./"+bundleRunner, "run", bundleXLA, "--plugin=./"+b.plugin(), "--device="+b.Device)
	case b.Runner != "":
		words = append(words, "./"+bundleRunner, bundleIREE, "--contract="+bundleContract)
	default:
		words = append(words, "skainet run", bundleIREE, "--contract="+bundleContract, "--device="+b.Device)
	}
	if len(c.Parameters) > 0 {
		for i, name := range b.archiveNames() {
			words = append(words, "--archive="+b.Archives[i].Scope+"="+name)
		}
	}
	words = append(words, "--entry="+e.Name)
	for _, a := range e.Args {
		words = append(words, a.Name+"="+a.Name+".npy")
	}
	return words
}

// maxInline is the maximum number of elements of an argument that the README shows.
const maxInline = 16

// inline returns arguments as text, with elements that count from 1; nil if
// one is too large or has a dynamic size.
func inline(e *contract.Entry) []string {
	var words []string
	for _, a := range e.Args {
		n, err := a.Shape.Elements()
		if err != nil || n < 1 || n > maxInline {
			return nil
		}
		elements := make([]string, n)
		for i := range elements {
			elements[i] = fmt.Sprint(i + 1)
			if a.DType == dtype.Bool {
				elements[i] = fmt.Sprint(i%2 == 0)
			}
		}
		words = append(words, a.Name+"="+strings.Join(elements, ","))
	}
	return words
}
