package xla

import (
	"errors"
	"fmt"

	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/dag"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// spread is a value on the devices of a mesh: the part of each, in their order.
type spread []*pjrt.Buffer

// Close frees the parts.
func (s spread) Close() error {
	var all []error
	for _, b := range s {
		all = append(all, b.Close())
	}
	return errors.Join(all...)
}

// gone reports whether a part is not there any more: a run that failed had it as a donation.
func (s spread) gone() bool {
	for _, b := range s {
		if gone, err := b.Deleted(); gone || err != nil {
			return true
		}
	}
	return false
}

// put brings the parts of a value to the devices. Those that lie together in memory that is
// lent are read in place where Client.Borrow can.
func (e *engine) put(v tensor.Value, s dag.Sharding, lent bool) (out spread, err error) {
	defer func() {
		if err != nil {
			_ = out.Close()
			out = nil
		}
	}()
	t := v.Type
	if !s.IsWhole() {
		if err := e.mesh.Fits(v.Type, s); err != nil {
			return nil, err
		}
		t = e.mesh.Part(v.Type, s)
	}
	for i, d := range e.devices {
		own, inPlace := v, lent
		if !s.IsWhole() {
			p := pieceOf(v.Type, t, e.mesh.Index(int64(i), s))
			if at, n, ok := p.contiguous(); ok {
				own = tensor.Value{Type: t, Bytes: v.Bytes[at : at+n]}
			} else {
				if own, err = tensor.Zero(t); err != nil {
					return out, err
				}
				p.runs(func(whole, at, n int64) { copy(own.Bytes[at:at+n], v.Bytes[whole:whole+n]) })
				inPlace = false
			}
		}
		bring := e.client.Copy
		if inPlace {
			bring = e.client.Borrow
		}
		b, err := bring(own, d)
		if err != nil {
			return out, err
		}
		out = append(out, b)
	}
	return out, nil
}

// read copies a result, into the caller's memory where that fits.
func (e *engine) read(from spread, s dag.Sharding, want tensor.Type, i int, into []tensor.Value) (tensor.Value, error) {
	kept := want
	if !s.IsWhole() {
		if err := e.mesh.Fits(want, s); err != nil {
			return tensor.Value{}, err
		}
		kept = e.mesh.Part(want, s)
	}
	t, err := from[0].Type()
	if err != nil {
		return tensor.Value{}, err
	}
	if !t.Equal(kept) {
		return tensor.Value{}, errs.New(pjrt.CodeProgram, "result %d is %s, but the contract says %s", i, t, kept).
			Hint("the contract and the program must come from the same export")
	}
	var out tensor.Value
	if i < len(into) && into[i].Type.Equal(want) && into[i].Check() == nil {
		out = into[i]
	} else if out, err = tensor.Zero(want); err != nil {
		return tensor.Value{}, err
	}
	if s.IsWhole() {
		return out, from[0].ReadInto(out.Bytes)
	}
	seen := map[string]bool{} // devices along other axes have the same part
	for device, b := range from {
		index := e.mesh.Index(int64(device), s)
		key := fmt.Sprint(index)
		if seen[key] {
			continue
		}
		seen[key] = true
		p := pieceOf(want, kept, index)
		if first, n, ok := p.contiguous(); ok {
			if err := b.ReadInto(out.Bytes[first : first+n]); err != nil {
				return tensor.Value{}, err
			}
			continue
		}
		v, err := b.Read()
		if err != nil {
			return tensor.Value{}, err
		}
		p.runs(func(whole, at, n int64) { copy(out.Bytes[whole:whole+n], v.Bytes[at:at+n]) })
	}
	return out, nil
}

// piece is where a part lies in a whole value: both have dimensions of whole.
type piece struct {
	whole, part, first []int64 // sizes, sizes, and where the part begins
	element            int64   // bytes
}

// pieceOf returns the piece of a whole value with this number along each dimension.
func pieceOf(whole, t tensor.Type, index []int64) piece {
	p := piece{whole: whole.Shape.Sizes(), part: t.Shape.Sizes(), first: make([]int64, len(index)), element: whole.DType.Bytes(1)}
	for i, at := range index {
		p.first[i] = at * p.part[i]
	}
	return p
}

// contiguous returns the bytes of the piece, if they lie together.
func (p piece) contiguous() (at, n int64, ok bool) {
	runs := 0
	p.runs(func(whole, _, length int64) {
		if runs++; runs == 1 {
			at, n = whole, length
		}
	})
	return at, n, runs == 1
}

// runs calls f for all bytes that lie together in both: where they are in the whole and in
// the part, and how many.
func (p piece) runs(f func(whole, at, n int64)) {
	run, dims := p.element, len(p.whole)
	for dims > 0 && p.part[dims-1] == p.whole[dims-1] {
		dims--
		run *= p.whole[dims]
	}
	if run == 0 {
		return
	}
	if dims > 0 { // the last dimension that is split
		dims--
		inner := run
		run *= p.part[dims]
		p.walk(dims, inner, run, f)
		return
	}
	f(0, 0, run)
}

// walk visits the rows of the outer dimensions, of rows that have a split dimension of
// elements of inner bytes.
func (p piece) walk(dims int, inner, run int64, f func(whole, at, n int64)) {
	rows := int64(1)
	for _, n := range p.part[:dims] {
		rows *= n
	}
	for row := range rows {
		whole, stride, rest := p.first[dims]*inner, p.whole[dims]*inner, row
		for d := dims - 1; d >= 0; d-- {
			whole += (p.first[d] + rest%p.part[d]) * stride
			stride *= p.whole[d]
			rest /= p.part[d]
		}
		f(whole, row*run, run)
	}
}
