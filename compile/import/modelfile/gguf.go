package modelfile

import (
	"bytes"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/describe"
	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ggufFile is a language model or an encoder, whose graph its metadata choose.
type ggufFile struct {
	file  *weights.File
	index *tensor.Index
}

func sniffGGUF(head []byte) bool { return bytes.HasPrefix(head, []byte("GGUF")) }

func openGGUF(path string) (_ source, err error) {
	f, err := weights.Open(path)
	if err != nil {
		return nil, err
	}
	x, err := f.Index()
	if err == nil && x.Format != gguf.Format {
		err = errs.New(CodeUnknown, "this is a file of format %s", x.Format).In(path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &ggufFile{f, x}, nil
}

// inputs are those of all entry points; none where the file is refused, which graph says.
func (f *ggufFile) inputs() []contract.Named {
	g, err := f.graph(Options{})
	if err != nil {
		return nil
	}
	var list []contract.Named
	for _, e := range describe.Entries(g) {
		for _, a := range e.Args {
			if !slices.ContainsFunc(list, func(n contract.Named) bool { return n.Name == a.Name }) {
				list = append(list, a)
			}
		}
	}
	return list
}

func (f *ggufFile) facts() []Fact {
	var list []Fact
	for _, key := range []string{"general.architecture", "general.name"} {
		if v, ok := f.index.Metadata[key]; ok {
			list = append(list, Fact{key, v})
		}
	}
	return list
}

func (f *ggufFile) graph(o Options) (*dag.Graph, error) {
	return fromgguf.Import(f.index, fromgguf.Options{Name: o.Name, Context: o.Context})
}

func (f *ggufFile) weights() *weights.File { return f.file }

func (f *ggufFile) Close() error { return f.file.Close() }
