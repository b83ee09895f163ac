package pack

import (
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/peft"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

// FromZeros is the source of a parameter in a report that is zeros (Options.Zeros).
const FromZeros contract.Source = "zeros"

// lacks reports whether a weight file has no tensor for a parameter.
func lacks(p contract.Parameter, w *weights.File) bool {
	if p.Source != contract.FromWeights {
		return false
	}
	_, err := find(p, w, p.Key)
	code := errs.CodeOf(err)
	return code == CodeMissing || code == CodeNoWeights
}

// zeros plans an entry of zeros, of which an archive stores one byte. All bits are 0 in
// the zero of every element type that a program reads, and in blocks of zeros.
func (j *job) zeros(p contract.Parameter) error {
	s := tensor.Spec{Name: p.Key, DType: p.DType, Shape: p.Shape, Encoding: p.Encoding, Bytes: p.Bytes}
	item := irpa.Item{Name: p.Key, Length: p.Bytes, Pattern: []byte{0}}
	if p.Shape.Rank() <= irpa.MaxRank {
		var err error
		if item.Metadata, err = irpa.Describe(s); err != nil {
			return err
		}
	}
	of := transform.StorageOf(s)
	j.item(item, Parameter{Key: p.Key, Source: FromZeros, From: of, To: of, Transform: transform.Copy, Exact: true, Bytes: p.Bytes})
	return nil
}

// whole checks that all of an adapter goes into the archive: what a program does not read
// of it would be left out of its results.
func whole(c *contract.Contract, params []contract.Parameter, w *weights.File) error {
	if w == nil || w.Format() != peft.Format {
		return nil
	}
	x, err := w.Index()
	if err != nil {
		return err
	}
	read := map[string]bool{}
	for _, p := range params {
		read[p.Key] = true
	}
	for _, s := range x.Tensors {
		if !read[s.Name] {
			return errs.New(CodeExtra, "the adapter changes a layer for which program %s reads no adapter", c.Name).In(w.Path()).On(s.Name).
				Hint("build the model with an adapter on this layer too")
		}
	}
	return nil
}
