// Package export turns a model's constructor, or its graph, into files: the text, its
// contract, the archive of its external constants, and the graph as a document.
//
// # Errors
//
// The codes of capture, of reading a graph and of emission; EXPORT_READ if the index cannot be read,
// EXPORT_POLICY and EXPORT_DTYPE for unknown options. No output is replaced before all
// are complete (internal/atomicfile).
//
// # Determinism
//
// The files depend only on the constructor or graph, the index and the policy.
package export

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/iree/kernels"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Codes of this package, besides CodeDType.
const (
	CodePolicy errs.Code = "EXPORT_POLICY" // smallest input: --constants half
	CodeRead   errs.Code = "EXPORT_READ"   // smallest input: the path of an index that does not exist
)

// Options configures what to read and where to write; an empty output is not written.
type Options struct {
	Name  string // of the module
	Index string // file of the weights index; "" for a model without weights
	DType string // "" for the types of the model, or one of Precisions
	// Weights is how the program stores weights: see passes.ParseWeightPolicy. ""
	// means as in the weight file, blocks as blocks.
	Weights string
	// Contents, if not nil, identifies equal weights: the program reads one of them for
	// all (passes.Duplicates). It then only works with weights that are equal in the same way.
	Contents passes.Contents
	Policy   hlo.ConstantPolicy
	Text     string // .mlir
	Kernels  string // .mlir with kernels, for CPU targets only
	// Text and Kernels for processors without f16 instructions
	// (iree.Options.IntegerF16). For a graph without f16 and bf16 the bytes are the
	// same.
	TextF16, KernelsF16 string
	// Kernels for processors with wide registers (iree.Options.Wide).
	KernelsWide string
	// Kernels for processors that also multiply bytes (kernels.ByteProducts).
	KernelsBytes string
	Contract     string // .contract.json
	Constants    string // .irpa with the constants that Policy made external
	Graph        string // .graph.json, see compile/dag/graphjson
	// Notes, if not nil, receives a line for each encoding of weights that the program
	// reads unpacked although the file has them in blocks and Weights asks for blocks:
	// some encodings have no kernels.
	Notes io.Writer
}

// ParsePolicy reads "inline", "external" or a number of bytes.
func ParsePolicy(text string) (hlo.ConstantPolicy, error) {
	switch text {
	case "", "inline":
		return hlo.InlineAlways, nil
	case "external":
		return hlo.ExternalAlways, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return nil, errs.New(CodePolicy, "%q is not a constant policy", text).
			Hint("use inline, external, or the size in bytes from which constants become external")
	}
	return hlo.SizeThreshold{Bytes: n}, nil
}

// ReadIndex reads a weights index; for "" it returns nil.
func ReadIndex(path string) (*tensor.Index, error) {
	if path == "" {
		return nil, nil
	}
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the weights index").In(path)
	}
	x, err := tensor.ParseIndex(data)
	return x, errs.WithFile(err, path)
}

// ReadContents reads which weights are equal, as a JSON object from names to strings;
// equal weights have the same string. For "" it returns nil.
func ReadContents(path string) (passes.Contents, error) {
	if path == "" {
		return nil, nil
	}
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the contents of weights").In(path)
	}
	var of map[string]string
	if err := json.Unmarshal(data, &of); err != nil {
		return nil, errs.Wrap(CodeRead, err, "not a list of the contents of weights").In(path)
	}
	return func(_, key string) string { return of[key] }, nil
}

// Run captures the model, emits it and writes the files. The graph and the
// module are returned for further use.
func Run(fold passes.Evaluator, build lang.Constructor, o Options) (*dag.Graph, *hlo.Module, error) {
	return Constructed(build).Run(fold, o)
}

// RunIndex is like Run with an index in memory instead of the file o.Index; nil for
// a model without weights.
func RunIndex(fold passes.Evaluator, build lang.Constructor, index *tensor.Index, o Options) (*dag.Graph, *hlo.Module, error) {
	return Constructed(build).RunIndex(fold, index, o)
}

// RunGraph emits a graph and writes the files. The graph is not changed.
func RunGraph(g *dag.Graph, o Options) (*hlo.Module, error) {
	m, err := iree.Emit(g, iree.Options{Constants: o.Policy})
	if err != nil {
		return nil, err
	}
	k, err := iree.Emit(g, iree.Options{Constants: o.Policy, Kernels: true})
	if err != nil {
		return nil, err
	}
	m.Contract.KernelsTextSHA256 = k.Contract.TextSHA256
	more := []atomicfile.File{atomicfile.Bytes(o.Kernels, k.Text)}
	halves, err := holdsHalves(g)
	if err != nil {
		return nil, err
	}
	for _, with := range []bool{false, true} {
		path, same := o.TextF16, m.Text
		if with {
			path, same = o.KernelsF16, k.Text
		}
		if path != "" && halves {
			i, err := iree.Emit(g, iree.Options{Constants: o.Policy, Kernels: with, IntegerF16: true})
			if err != nil {
				return nil, err
			}
			same = i.Text
		}
		more = append(more, atomicfile.Bytes(path, same))
	}
	for _, wide := range []struct {
		path         string
		instructions []string
	}{{o.KernelsWide, nil}, {o.KernelsBytes, []string{kernels.ByteProducts}}} {
		if wide.path == "" {
			continue
		}
		w, err := iree.Emit(g, iree.Options{Constants: o.Policy, Kernels: true, Wide: true, Instructions: wide.instructions})
		if err != nil {
			return nil, err
		}
		more = append(more, atomicfile.Bytes(wide.path, w.Text))
	}
	if o.Graph != "" {
		graph, err := graphjson.Marshal(g)
		if err != nil {
			return nil, err
		}
		more = append(more, atomicfile.Bytes(o.Graph, graph))
	}
	return m, write(m, o, more...)
}

// holdsHalves reports whether g, or the operations that its operations are made of,
// have a value of a 16-bit float, such as the scale of a block. For other graphs the
// text with Options.IntegerF16 is the same; with bf16 it differs, because products
// widen their operands in it.
func holdsHalves(g *dag.Graph) (bool, error) {
	forms, err := dag.Portable(g, func(*dag.Node) bool { return true })
	return err == nil && (forms.Holds(dtype.F16) || forms.Holds(dtype.BF16)), err
}

func write(m *hlo.Module, o Options, more ...atomicfile.File) error {
	doc, err := m.Contract.Marshal()
	if err != nil {
		return err
	}
	var files []atomicfile.File
	for _, f := range append(more,
		atomicfile.Bytes(o.Text, m.Text), atomicfile.Bytes(o.Contract, doc),
		atomicfile.File{Path: o.Constants, Write: func(w io.Writer) error { return errs.WithFile(irpa.Encode(w, constants(m)), o.Constants) }},
	) {
		if f.Path != "" {
			files = append(files, f)
		}
	}
	return atomicfile.WriteAll(files...)
}

// constants returns the constants that the policy made external.
func constants(m *hlo.Module) []irpa.Item {
	var items []irpa.Item
	for _, r := range m.Parameters {
		if v, ok := m.Constants[r.Key]; ok {
			items = append(items, irpa.Bytes(r.Key, v.Bytes))
		}
	}
	return items
}
