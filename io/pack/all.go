package pack

import (
	"io"
	"strconv"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// All writes every tensor of a weight file to an archive, in the order of the
// file, its bytes as they are. The entries of an archive are taken with their
// metadata, and splats stay splats. Settings and aliases, for which an archive
// has no place, and types of more dimensions than it has room for, are left
// out and reported.
func All(out string, w *weights.File, o Options) (*Report, error) {
	j := &job{o: o}
	if archives := w.Archives(); archives != nil {
		for _, a := range archives {
			if err := j.archive(a); err != nil {
				return nil, err
			}
		}
		return j.write(out)
	}
	x, err := w.Index()
	if err != nil {
		return nil, err
	}
	for _, s := range x.Tensors {
		t, err := transform.New(s, transform.StorageOf(s), j.transform(w))
		if err != nil {
			return nil, err
		}
		if err := j.tensor(t, contract.FromWeights, w, s.Name); err != nil {
			return nil, err
		}
		if s.Shape.Rank() > irpa.MaxRank {
			j.report.Dropped = append(j.report.Dropped, s.Name+" (its type, of "+strconv.Itoa(s.Shape.Rank())+" dimensions)")
		}
	}
	j.report.Dropped = append(j.report.Dropped, w.Extras()...)
	return j.write(out)
}

// archive plans the entries of an archive, with types or without.
func (j *job) archive(a *irpa.File) error {
	for _, e := range a.Entries() {
		p := Parameter{Key: e.Name, Source: contract.FromWeights, Transform: transform.Copy, Exact: true, Bytes: e.Length}
		if e.Spec != nil {
			p.From = transform.StorageOf(*e.Spec)
			p.To = p.From
		}
		metadata, err := a.Metadata(e.Name)
		if err != nil {
			return err
		}
		item := irpa.Item{Name: e.Name, Length: e.Length, Metadata: metadata, Pattern: e.Pattern}
		if e.Type != irpa.Splat {
			b, err := a.Tensor(e.Name)
			if err != nil {
				return err
			}
			item.Open = func() (io.Reader, error) { return b.Reader() }
		}
		j.item(item, p)
	}
	return nil
}
