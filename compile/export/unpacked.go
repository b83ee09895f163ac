package export

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/compile/dag/passes"
	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// unpacked are the weights of an encoding that a program reads unpacked.
type unpacked struct {
	names         []string
	file, program int64 // bytes
}

// noteUnpacked writes a line for each encoding whose weights are in blocks in the file
// and are read unpacked by the program although no policy asks for that: there are no
// kernels for the encoding, or blocks cannot be used where the model uses the weight.
// They take many times the memory, which the contract shows but is easily overlooked
// there.
func noteUnpacked(w io.Writer, g *dag.Graph, index *tensor.Index, o Options) error {
	if w == nil || index == nil || storesRows(o.DType, o.Weights) {
		return nil
	}
	policy, err := passes.ParseWeightPolicy(o.Weights)
	if err != nil {
		return err
	}
	params, err := g.Params()
	if err != nil {
		return err
	}
	found := map[quant.Encoding]*unpacked{}
	var order []quant.Encoding
	for _, p := range params {
		spec, err := index.Lookup(p.Key)
		if err != nil || spec.Encoding.IsDense() || !p.Encoding.IsDense() || policy.Of(p.Key) != passes.StoreAsIs {
			continue
		}
		u := found[spec.Encoding]
		if u == nil {
			u = &unpacked{}
			found[spec.Encoding], order = u, append(order, spec.Encoding)
		}
		n, err := p.Type.Bytes()
		if err != nil {
			continue // the text was written, so the size is known
		}
		u.names = append(u.names, p.Key)
		u.file, u.program = u.file+spec.Bytes, u.program+n
	}
	slices.Sort(order)
	for _, e := range order {
		fmt.Fprintln(w, found[e].note(e))
	}
	return nil
}

func (u *unpacked) note(e quant.Encoding) string {
	const shown = 3
	names := strings.Join(u.names[:min(shown, len(u.names))], ", ")
	if len(u.names) > shown {
		names += ", ..."
	}
	why := "the model uses them where programs cannot read blocks"
	if !slices.Contains(op.PackedEncodings(), e) {
		why = "programs cannot read blocks of this encoding"
	}
	return fmt.Sprintf("note: weights in %s are read unpacked, %d bytes for %d in the file: %s (%d: %s); set a weight policy for them, such as %s=bf16, to silence this note",
		e, u.program, u.file, why, len(u.names), names, u.names[0])
}
