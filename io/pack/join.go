package pack

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// CodeJoin is the code of archives that cannot be one.
const CodeJoin errs.Code = "PACK_JOIN" // smallest input: two archives of which each has a byte "w", 0 and 1

// Join writes the archives of several programs, all of one scope, as one that each of them
// can be run with, and the contract of that archive, which has this name. Parameters of one
// key are one, which must have the same bytes in all archives; they are in the order of their
// keys.
func Join(out, contractOut, name string, archives, contracts []string, noSync bool) error {
	var list []*contract.Contract
	for _, path := range contracts {
		c, err := contract.ReadFile(path)
		if err != nil {
			return err
		}
		list = append(list, c)
	}
	c, err := contract.Join(name, list...)
	if err != nil {
		return err
	}
	doc, err := c.Marshal()
	if err != nil {
		return err
	}
	j := &job{}
	from := map[string]*irpa.File{}
	for _, path := range archives {
		a, err := irpa.Open(path)
		if err != nil {
			return err
		}
		defer a.Close()
		if err := j.joined(a, from); err != nil {
			return err
		}
	}
	slices.SortFunc(j.items, func(a, b irpa.Item) int { return cmp.Compare(a.Name, b.Name) })
	archive := irpa.Output(out, j.items)
	archive.NoSync = noSync
	return atomicfile.WriteAll(archive, atomicfile.Bytes(contractOut, doc))
}

// joined plans the entries of an archive that no archive before it has.
func (j *job) joined(a *irpa.File, from map[string]*irpa.File) error {
	all := len(j.items)
	if err := j.archive(a); err != nil {
		return err
	}
	kept := j.items[:all]
	for _, item := range j.items[all:] {
		other := from[item.Name]
		if other == nil {
			from[item.Name] = a
			kept = append(kept, item)
			continue
		}
		same, err := sameBytes(a, other, item.Name)
		if err != nil {
			return err
		}
		if !same {
			return errs.New(CodeJoin, "%s has other bytes under this key", other.Path()).In(a.Path()).On(item.Name).
				Hint("keep the archives of these programs apart")
		}
	}
	j.items = kept
	return nil
}

// sameBytes compares a parameter of two archives. What an entry says of its tensor follows
// from the contracts, which are compared.
func sameBytes(a, b *irpa.File, name string) (same bool, err error) {
	x, err := a.Tensor(name)
	if err != nil {
		return false, err
	}
	y, err := b.Tensor(name)
	if err != nil || x.Len() != y.Len() {
		return false, err
	}
	err = x.View(func(p []byte) error {
		return y.View(func(q []byte) error {
			same = bytes.Equal(p, q)
			return nil
		})
	})
	return same, err
}
