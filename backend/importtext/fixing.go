package importtext

import (
	"fmt"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/import/modelfile"
	"github.com/skainet-dev/skainet-go/internal/display"
)

// Fixing returns the options that fix the sizes which inputs leave open, such as
// "--shape input_ids=NUMBER,NUMBER". An input whose open sizes others have too has none.
func Fixing(inputs []contract.Named) []string {
	said := map[string]bool{}
	var list []string
	for _, in := range inputs {
		var words []string
		fresh := false
		for _, d := range in.Shape {
			word := strings.TrimSuffix(d.String(), "?")
			if !d.IsStatic() {
				fresh = fresh || !said[word]
				said[word], word = true, "NUMBER"
			}
			words = append(words, word)
		}
		if fresh {
			list = append(list, "--shape "+in.Name+"="+strings.Join(words, ","))
		}
	}
	return list
}

// noteOpen says that a program of open sizes is slower, where no option speaks of sizes.
func (o *Options) noteOpen(m *modelfile.Model, g *dag.Graph) {
	if o.Notes == nil || len(o.Shapes) > 0 || !m.Takes("--shape") {
		return
	}
	for _, f := range g.Funcs {
		if list := Fixing(m.Inputs()); f.Entry && !f.IsStatic() && len(list) > 0 {
			fmt.Fprintln(o.Notes, "note: each call gives the open sizes; a program of fixed sizes is faster, one with a batch of 1 above all:",
				display.Printable(strings.Join(list, " "))+", or shapes in a BUILD file; names in place of the numbers keep them open without this note")
			return
		}
	}
}
