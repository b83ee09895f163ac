package modelfile

import (
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/hlo/constants"
	"github.com/skainet-dev/skainet-go/compile/import/fromhlo"
	_ "github.com/skainet-dev/skainet-go/compile/import/hloweights" // for programs that open the file again, by its path
	"github.com/skainet-dev/skainet-go/io/weights"
)

// textFile is StableHLO text, whose constants are the weights.
type textFile struct {
	*constants.File
	held *weights.File
}

func openText(path string) (source, error) {
	f, err := constants.Open(path)
	if err != nil {
		return nil, err
	}
	return textFile{f, weights.Opened(constants.Format, path, f)}, nil
}

func (f textFile) inputs() []contract.Named { return fromhlo.Inputs(f.Tree) }

func (f textFile) facts() []Fact {
	var entries []string
	for _, fn := range f.Tree.Funcs {
		if !fn.Private && fn.Body != nil {
			entries = append(entries, fn.Name)
		}
	}
	return []Fact{{"module", f.Tree.Name}, {"entry points", strings.Join(entries, ", ")}}
}

func (f textFile) graph(o Options) (*dag.Graph, error) {
	inline := o.Inline
	if inline == 0 { // none: one byte is the least that a constant has
		inline = 1
	}
	g, _, err := fromhlo.Of(f.Tree, fromhlo.Options{File: f.Path(), Name: o.Name, Shapes: o.Shapes, States: o.States, Inline: inline})
	return g, err
}

func (f textFile) weights() *weights.File { return f.held }

func (f textFile) Close() error { return f.held.Close() }
