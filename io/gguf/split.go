package gguf

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// partName matches the names of the parts of a split model; numbers count from 1.
var partName = regexp.MustCompile(`^(.*)-(\d{5})-of-(\d{5})\.gguf$`)

// PartPath returns the path of part i of count, counted from 0, of a model whose
// unsplit file would be at prefix + ".gguf".
func PartPath(prefix string, i, count int) string {
	return fmt.Sprintf("%s-%05d-of-%05d.gguf", prefix, i+1, count)
}

// siblings returns all parts of the model of which p, at path, is the whole or a
// part. Where it fails, it has closed what it opened but p.
func siblings(path string, p *part, faults *errs.Faults) ([]*part, error) {
	count, ok := p.get(keySplitCount)
	if !ok || count.typ != U16 || count.bits < 2 {
		return []*part{p}, nil
	}
	no, _ := p.get(keySplitNo)
	m := partName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		err := fail(CodeSplit, no.field, "a part of %d, whose name does not follow the pattern of a split model", count.bits).In(path).On(keySplitNo).
			Hint("name the parts NAME-00001-of-%05d.gguf and so on", count.bits)
		return []*part{p}, faults.Add(err)
	}
	prefix := filepath.Join(filepath.Dir(path), m[1])
	for i, want := range []uint64{no.bits + 1, count.bits} {
		v := []Value{no, count}[i]
		if n, err := strconv.ParseUint(m[2+i], 10, 64); err != nil || n != want {
			err := fail(CodeSplit, v.field, "the name has part %s of %s, the file part %d of %d", m[2], m[3], no.bits+1, count.bits).In(path).On(v.key)
			return []*part{p}, faults.Add(err)
		}
	}
	parts, err := openParts(prefix, p, int(no.bits), int(count.bits), faults)
	if err == nil && len(parts) == int(count.bits) {
		err = total(parts, faults)
	}
	if err != nil {
		closeOthers(parts, p)
		return []*part{p}, err
	}
	return parts, nil
}

// openParts opens the other parts next to p, which is part own.
func openParts(prefix string, p *part, own, count int, faults *errs.Faults) ([]*part, error) {
	var parts []*part
	for i := range count {
		if i == own {
			parts = append(parts, p)
			continue
		}
		path := PartPath(prefix, i, count)
		q, err := openPart(path, faults)
		switch {
		case errs.CodeOf(err) == regular.CodeOpen:
			err := errs.Wrap(CodeMissingPart, err, "part %d of %d cannot be opened", i+1, count).In(path).
				Hint("put all parts into one folder")
			if err := faults.Add(err); err != nil {
				return parts, err
			}
			continue
		case err != nil:
			return parts, err
		}
		parts = append(parts, q)
		if err := faults.Add(belongs(q, p, i, count)); err != nil {
			return parts, err
		}
	}
	return parts, nil
}

// belongs checks that q is part i of the model that p is a part of.
func belongs(q, p *part, i, count int) error {
	path := q.m.Path()
	for j, want := range [...]int{i, count} {
		key := [...]string{keySplitNo, keySplitCount}[j]
		v, ok := q.get(key)
		if !ok || v.typ != U16 {
			return fail(CodeSplit, 0, "the part has no %s", key).In(path).On(key)
		}
		if v.bits != uint64(want) {
			return fail(CodeSplit, v.at, "%d, want %d", v.bits, want).In(path).On(key)
		}
	}
	if q.version != p.version || q.big != p.big {
		return fail(CodeSplit, int64(len(magic)), "the parts have different versions or byte orders").In(path)
	}
	return nil
}

// total checks the number of tensors that each part says the model has.
func total(parts []*part, faults *errs.Faults) error {
	n := 0
	for _, p := range parts {
		n += len(p.tensors)
	}
	for _, p := range parts {
		v, ok := p.get(keySplitTensors)
		if !ok || v.typ != I32 {
			continue // found to be of a wrong type, or not given
		}
		if all, _ := v.Int(); all != int64(n) {
			if err := faults.Add(fail(CodeSplit, v.at, "%d tensors in all, the parts hold %d", all, n).In(p.m.Path()).On(v.key)); err != nil {
				return err
			}
		}
	}
	return nil
}

func closeOthers(parts []*part, p *part) {
	for _, q := range parts {
		if q != p {
			q.m.Close()
		}
	}
}
