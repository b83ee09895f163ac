package safetensors

import (
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/filemap"
)

// join opens the shards of an index and checks it against them.
func (f *File) join(x *weightMap, faults *errs.Faults, verify bool) error {
	first := map[string]placed{} // tensor of each shard
	for _, t := range x.tensors {
		if _, ok := first[t.shard]; !ok {
			first[t.shard] = t
		}
	}
	opened := make(map[string]*shard, len(x.shards))
	whole := true
	for _, name := range x.shards {
		s, err := openShard(f.beside(name), faults, verify)
		if err == nil {
			f.shards, opened[name] = append(f.shards, s), s
			whole = whole && !s.partial
			continue
		}
		whole = false
		if errs.CodeOf(err) == regular.CodeOpen {
			t := first[name]
			err = errs.Wrap(CodeMissingShard, err, "the shard %q cannot be opened", clip(name)).At(t.field).On(t.name).In(f.path).
				Hint("put all files of the set into one folder")
		} else if slices.Contains(faults.List(), err) {
			if verify && len(faults.List()) < filemap.MaxFaults {
				continue
			}
			return err
		}
		if err := faults.Add(err); err != nil {
			return err
		}
	}
	if err := f.compare(x, opened, faults); err != nil {
		return err
	}
	f.list()
	f.metadata = f.merge(x)
	if whole {
		return f.total(x, faults)
	}
	return nil
}

func openShard(path string, faults *errs.Faults, verify bool) (*shard, error) {
	m, h, err := filemap.Parse(path, func(b []byte) (*header, error) { return parseHeader(b, faults, verify) })
	named(faults, path)
	if err != nil {
		return nil, err
	}
	return &shard{m, h}, nil
}

// compare checks that every tensor is where the map says, and that the map lists
// every tensor.
func (f *File) compare(x *weightMap, opened map[string]*shard, faults *errs.Faults) error {
	where := make(map[string]int, len(x.tensors))
	for i, t := range x.tensors {
		where[t.name] = i
	}
	found := make([]bool, len(x.tensors))
	var extra []error
	for _, name := range x.shards {
		s, ok := opened[name]
		if !ok {
			continue
		}
		for _, t := range s.tensors {
			i, ok := where[t.Name]
			if ok && x.tensors[i].shard == name {
				found[i] = true
				continue
			}
			if len(extra) == filemap.MaxFaults {
				continue
			}
			says := "does not name this tensor"
			if ok {
				says = "says that this tensor is in another shard"
			}
			extra = append(extra, fail(CodeNotInIndex, t.field, "the index %s", says).On(t.Name).In(s.m.Path()).
				Hint("make the index again"))
		}
	}
	for i, t := range x.tensors {
		s, ok := opened[t.shard]
		if found[i] || !ok || s.partial {
			continue
		}
		err := fail(CodeNotInShard, t.field, "the shard %q holds no tensor of this name", clip(t.shard)).On(t.name).In(f.path).
			Hint("make the index again")
		if err := faults.Add(err); err != nil {
			return err
		}
	}
	for _, err := range extra {
		if err := faults.Add(err); err != nil {
			return err
		}
	}
	return nil
}

// total compares total_size with the sum of the tensors.
func (f *File) total(x *weightMap, faults *errs.Faults) error {
	if x.total < 0 {
		return nil
	}
	var sum int64
	for _, t := range f.tensors {
		sum += min(t.Bytes, math.MaxInt64-sum)
	}
	if sum == x.total {
		return nil
	}
	return faults.Add(fail(CodeTotal, x.totalAt, "total_size is %d, the tensors have %d bytes", x.total, sum).In(f.path).
		Hint("remove total_size, or make the index again"))
}

// merge returns the metadata of a set.
func (f *File) merge(x *weightMap) map[string]string {
	m, differs := map[string]string{}, map[string]bool{}
	for _, s := range f.shards {
		for k, v := range s.metadata {
			if old, ok := m[k]; ok && old != v {
				differs[k] = true
			}
			m[k] = v
		}
	}
	for k := range differs {
		delete(m, k)
	}
	for k, v := range x.metadata {
		m[k] = v
	}
	return m
}
