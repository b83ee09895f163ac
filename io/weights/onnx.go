package weights

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/io/onnx"
)

// graphFile is an ONNX model: its settings say what the graph is, besides the pairs that
// its writer gave it.
type graphFile struct{ *onnx.File }

func openONNX(path string) (graphFile, error) {
	f, err := onnx.Open(path)
	return graphFile{f}, err
}

// ONNX returns the file of a model in format onnx, else nil.
func (f *File) ONNX() *onnx.File {
	if g, ok := f.source.(graphFile); ok {
		return g.File
	}
	return nil
}

func (g graphFile) settings() []Setting {
	m := g.Model()
	var list []Setting
	add := func(key, typ string, value any) {
		list = append(list, Setting{Key: key, Type: typ, Count: -1, First: func(int64) ([]any, error) { return []any{value}, nil }})
	}
	add("ir_version", "i64", m.IRVersion)
	if producer := strings.TrimSpace(m.Producer + " " + m.ProducerVersion); producer != "" {
		add("producer", "string", producer)
	}
	for _, domain := range slices.Sorted(maps.Keys(m.Opsets)) {
		add(in("opset", domain), "i64", m.Opsets[domain])
	}
	for _, v := range m.Inputs() {
		add("input."+v.Name, "string", v.String())
	}
	for _, v := range m.Graph.Outputs {
		add("output."+v.Name, "string", v.String())
	}
	for _, c := range counts(m) {
		add("operator."+c.name, "i64", int64(c.nodes))
	}
	for i := range m.Functions {
		f := &m.Functions[i]
		add("function."+in(f.Domain, f.Name), "i64", int64(len(f.Nodes)))
	}
	for _, k := range slices.Sorted(maps.Keys(m.Metadata)) {
		add(k, "string", m.Metadata[k])
	}
	return list
}

// count is how many nodes of the graph and of what it holds have an operator.
type count struct {
	name  string
	nodes int
}

// counts lists the operators, the most frequent first.
func counts(m *onnx.Model) []count {
	nodes := map[string]int{}
	for n := range m.Nodes() {
		domain := n.Domain
		if domain == "ai.onnx" {
			domain = ""
		}
		nodes[in(domain, n.Op)]++
	}
	var list []count
	for name, n := range nodes {
		list = append(list, count{name, n})
	}
	slices.SortFunc(list, func(a, b count) int { return cmp.Or(cmp.Compare(b.nodes, a.nodes), cmp.Compare(a.name, b.name)) })
	return list
}

// in returns a name behind its domain, if there is one.
func in(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return fmt.Sprintf("%s.%s", a, b)
}
