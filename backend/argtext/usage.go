package argtext

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
)

// Usage describes how to call the entry points of a program: the arguments and results
// of each with their types, like the static runner's --help. With entry, only that one.
func Usage(c *contract.Contract, entry string) (string, error) {
	entries := c.Entries
	if entry != "" {
		e, err := c.Entry(entry)
		if err != nil {
			return "", err
		}
		entries = []contract.Entry{*e}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Entry points of %s:\n", c.Name)
	for _, e := range entries {
		fmt.Fprintf(&b, "  --entry=%s\n", e.Name)
		for _, a := range e.Args {
			fmt.Fprintf(&b, "    takes %s: %s, %s\n", a.Name, a.Type(), count(a))
		}
		for _, r := range e.Results {
			fmt.Fprintf(&b, "    gives %s: %s\n", r.Name, r.Type())
		}
	}
	return b.String(), nil
}

// count describes the number of elements of an argument.
func count(a contract.Named) string {
	open := 0
	for _, d := range a.Shape {
		if !d.IsStatic() {
			open++
		}
	}
	switch n, err := a.Shape.Elements(); {
	case open == 1:
		return "elements, whose number tells the size, or a .npy file"
	case err != nil:
		return "a .npy file, which has its sizes"
	case n == 1:
		return "1 element"
	default:
		return fmt.Sprintf("%d elements", n)
	}
}
