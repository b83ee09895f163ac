package modelfile

import (
	"bytes"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// graphFile is a graph of ours as a file; its weights are elsewhere.
type graphFile struct{ g *dag.Graph }

// sniffGraph recognises the object of compile/dag/graphjson. Its first field may be any, and so
// may the space between.
func sniffGraph(head []byte) bool { return isObject(head) && bytes.Contains(head, []byte(`"schema"`)) }

func openGraph(path string) (source, error) {
	g, err := graphjson.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return graphFile{g}, nil
}

func (f graphFile) inputs() []contract.Named {
	var list []contract.Named
	for _, e := range describe.Entries(f.g) {
		list = append(list, e.Args...)
	}
	return list
}

func (f graphFile) facts() []Fact { return []Fact{{"name", f.g.Name}} }

func (f graphFile) graph(Options) (*dag.Graph, error) { return f.g, nil }

func (f graphFile) weights() *weights.File { return nil }

func (f graphFile) Close() error { return nil }
