package plan

import (
	"math/bits"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Of computes the memory need of an open weight file.
func Of(w *weights.File, o Options) (*Plan, error) {
	x, err := w.Index()
	if err != nil {
		return nil, err
	}
	return of(w.Path(), x, w.GGUF(), o)
}

// of computes it from an index and, for the cache, the pairs of a GGUF file, if any.
func of(path string, x *tensor.Index, pairs *gguf.File, o Options) (*Plan, error) {
	if o.Context < 0 || o.Sequences < 0 {
		return nil, errs.New(CodeValue, "a context of %d for %d sequences", o.Context, o.Sequences)
	}
	p := &Plan{Format: x.Format, Tensors: len(x.Tensors)}
	sum := counter{}
	for _, s := range x.Tensors {
		n, err := s.Shape.Elements()
		if err != nil {
			return nil, errs.WithFile(err, path)
		}
		p.Elements = sum.add(p.Elements, n)
	}
	stored := sum.form(AsStored, x.Tensors, func(s tensor.Spec) (transform.Storage, bool) { return transform.StorageOf(s), true })
	p.Forms = append(p.Forms, stored)
	for _, name := range forms {
		to := storage(name)
		p.Forms = append(p.Forms, sum.form(name, x.Tensors, func(s tensor.Spec) (transform.Storage, bool) { return to, takes(s, to) }))
	}
	var err error
	if p.Cache, err = sum.cache(settings{path, pairs, x}, o); err != nil {
		return nil, err
	}
	sum.rows(p)
	if sum.overflow {
		err := errs.New(CodeOverflow, "the model would take more than 2^63 bytes").In(path)
		if o.Context > 0 || o.Sequences > 1 {
			return nil, err.Hint("ask for a shorter context or fewer sequences")
		}
		return nil, err.Hint("the header is damaged: skainet verify FILE")
	}
	return p, nil
}

// rows joins every target with every form.
func (c *counter) rows(p *Plan) {
	var cache int64
	if p.Cache != nil {
		cache = p.Cache.Bytes
	}
	for _, b := range backends {
		for _, f := range p.Forms {
			r := Row{Target: b.target, Form: f.Name, Mapped: f.Bytes, Host: cache, Basis: b.basis}
			if b.device {
				r.Host, r.Device = 0, c.add(f.Bytes, cache)
			}
			p.Rows = append(p.Rows, r)
		}
	}
}

// takes reports whether a tensor can be stored so: floats of any storage that fit.
func takes(s tensor.Spec, to transform.Storage) bool {
	if s.Encoding.IsOpaque() || !transform.Fits(s, to) {
		return false
	}
	_, err := transform.New(s, to, transform.Options{})
	return err == nil
}

// counter adds sizes and records an overflow.
type counter struct {
	overflow bool
}

func (c *counter) add(a, b int64) int64 {
	sum := a + b // both are not negative
	if sum < 0 {
		c.overflow = true
		return 0
	}
	return sum
}

func (c *counter) mul(list ...int64) int64 {
	product := uint64(1)
	for _, n := range list {
		hi, lo := bits.Mul64(product, uint64(n))
		if hi != 0 || lo > 1<<63-1 {
			c.overflow = true
			return 0
		}
		product = lo
	}
	return int64(product)
}

// form adds up the tensors in the storage that to returns, or unchanged.
func (c *counter) form(name string, tensors []tensor.Spec, to func(tensor.Spec) (transform.Storage, bool)) Form {
	f := Form{Name: name}
	for _, s := range tensors {
		n := s.Bytes
		if want, ok := to(s); !ok {
			f.Kept = c.add(f.Kept, n)
		} else if want != transform.StorageOf(s) {
			var err error
			if n, err = want.Bytes(s.Shape); err != nil { // overflow: takes has asked for the rest
				c.overflow = true
			}
		}
		f.Bytes = c.add(f.Bytes, n)
		if n > f.LargestBytes {
			f.Largest, f.LargestBytes = s.Name, n
		}
	}
	return f
}
