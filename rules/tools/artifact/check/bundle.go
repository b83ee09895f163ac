package check

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// Bundle is exactly what a machine needs to run a model.
type Bundle struct {
	Name     string // folder in the tar
	Program  string
	Contract string
	Target   string // row of the target table, for the README
	Device   string // the runtime's
	Archives []Archive
	// Alternatives are programs for other processors that can run this one, by their rows.
	Alternatives map[string]string
	Runner       string // a program for the target that runs it, "" for none
	Plugin       string // of a program for XLA
	// Documents are files by their names in the tar, such as a licence and a model card.
	Documents map[string]string
}

// The names in a bundle. An archive is SCOPE.irpa; several of one scope
// are SCOPE-00001-of-00002.irpa and so on, in the order given.
const (
	bundleIREE     = "program.vmfb"
	bundleXLA      = "program.xla"
	bundleContract = "contract.json"
	bundleReadme   = "README.md"
	bundleRunner   = "run"
	bundleSums     = "SHA256SUMS"
)

// program returns the program's name in the bundle.
func (b *Bundle) program() string {
	if b.Plugin != "" {
		return bundleXLA
	}
	return bundleIREE
}

// alternative returns the name in the bundle of the program for another row.
func alternative(target string) string { return "program-" + target + ".vmfb" }

// plugin returns the plugin's name in the bundle, that of its file.
func (b *Bundle) plugin() string { return filepath.Base(b.Plugin) }

// member is a file of a tar: from disk, or from memory.
type member struct {
	name string
	mode int64
	path string
	data []byte
	size int64
	sum  [sha256.Size]byte
}

// Write checks that the parts fit and writes the tar to out, atomically. Members
// are sorted by name, with the same owner, mode and time.
func (b *Bundle) Write(out string) error {
	if err := b.checkOutput(out); err != nil {
		return err
	}
	if err := b.checkNames(); err != nil { // first, since no contract has such a scope
		return err
	}
	c, err := ReadContract(b.Contract)
	if err != nil {
		return err
	}
	if err := Fit(c, b.Archives); err != nil {
		return err
	}
	if len(c.Parameters) > 0 {
		if err := b.checkTwice(); err != nil {
			return err
		}
	}
	members := []*member{
		{name: b.program(), path: b.Program},
		{name: bundleContract, path: b.Contract},
		{name: bundleReadme, data: b.readme(c)},
	}
	for target, path := range b.Alternatives {
		members = append(members, &member{name: alternative(target), path: path})
	}
	if len(c.Parameters) > 0 {
		for i, name := range b.archiveNames() {
			members = append(members, &member{name: name, path: b.Archives[i].Path})
		}
	}
	if b.Runner != "" {
		members = append(members, &member{name: bundleRunner, path: b.Runner, mode: 0o755})
	}
	if b.Plugin != "" {
		members = append(members, &member{name: b.plugin(), path: b.Plugin})
	}
	for _, name := range slices.Sorted(maps.Keys(b.Documents)) {
		if slices.ContainsFunc(members, func(m *member) bool { return m.name == name }) || name == bundleSums {
			return errs.New(CodeName, "the tar has its own %s", name).In(b.Documents[name]).Hint("give the document another name")
		}
		members = append(members, &member{name: name, path: b.Documents[name]})
	}
	sums := &member{name: bundleSums}
	slices.SortFunc(members, func(x, y *member) int { return strings.Compare(x.name, y.name) })
	for _, m := range members {
		if err := m.measure(); err != nil {
			return err
		}
		sums.data = fmt.Appendf(sums.data, "%s  %s\n", hex.EncodeToString(m.sum[:]), m.name)
	}
	sums.size = int64(len(sums.data))
	members = append(members, sums)
	slices.SortFunc(members, func(x, y *member) int { return strings.Compare(x.name, y.name) })
	return atomicfile.WriteAll(atomicfile.File{Path: out, NoSync: true, Write: func(w io.Writer) error {
		return writeTar(w, b.Name+"/", members)
	}})
}

// checkOutput returns an error if out is one of the parts.
func (b *Bundle) checkOutput(out string) error {
	parts := []string{b.Program, b.Contract, b.Runner, b.Plugin}
	for _, a := range b.Archives {
		parts = append(parts, a.Path, a.Contract)
	}
	parts = slices.AppendSeq(parts, maps.Values(b.Documents))
	for _, p := range slices.AppendSeq(parts, maps.Values(b.Alternatives)) {
		if p != "" && atomicfile.Same(out, p) {
			return errs.New(CodeOutput, "this file is a part of the tar, and would be replaced by it").In(out).Hint("give the output another name")
		}
	}
	return nil
}

// checkNames rejects names with which a tar's files would lie outside its folder. The
// folder may be nested.
func (b *Bundle) checkNames() error {
	if !isName(b.Name) {
		return errs.New(CodeName, "%q is not a valid folder name", b.Name).Hint("give a relative path without .. in it")
	}
	for target, path := range b.Alternatives {
		if !isName(target) || strings.Contains(target, "/") {
			return errs.New(CodeName, "%q is not a valid file name", alternative(target)).In(path).Hint("give the row of the target table a name without a folder")
		}
	}
	for name, path := range b.Documents {
		if !isName(name) || strings.Contains(name, "/") {
			return errs.New(CodeName, "%q is not a valid file name", name).In(path).Hint("give the document a name without a folder")
		}
	}
	for _, a := range b.Archives {
		if !isName(a.Scope) || strings.Contains(a.Scope, "/") {
			return errs.New(CodeName, "the scope %q is not a valid file name", a.Scope).In(a.Path).Hint("give the parameters another scope in the model")
		}
	}
	return nil
}

// checkTwice rejects archives that would overwrite each other.
func (b *Bundle) checkTwice() error {
	seen := map[string]bool{}
	for i, name := range b.archiveNames() { // a scope may have the name of another's shard
		if seen[name] {
			return errs.New(CodeName, "two archives would be called %s in the tar", name).In(b.Archives[i].Path).
				Hint("give the parameters another scope in the model")
		}
		seen[name] = true
	}
	return nil
}

// archiveNames returns each archive's name in the tar.
func (b *Bundle) archiveNames() []string {
	of, at := map[string]int{}, map[string]int{}
	for _, a := range b.Archives {
		of[a.Scope]++
	}
	names := make([]string, len(b.Archives))
	for i, a := range b.Archives {
		names[i] = a.Scope + ".irpa"
		if n := of[a.Scope]; n > 1 {
			at[a.Scope]++
			names[i] = irpa.ShardPath(names[i], at[a.Scope], n)
		}
	}
	return names
}

// isName reports whether a tar may hold a path on any system.
func isName(path string) bool {
	odd := func(r rune) bool { return r == '\\' || unicode.IsControl(r) }
	return path != "." && fs.ValidPath(path) && !strings.ContainsFunc(path, odd)
}

// measure reads a member once for its size and checksum.
func (m *member) measure() error {
	r, err := m.open()
	if err != nil {
		return err
	}
	defer r.Close()
	h := sha256.New()
	if m.size, err = io.Copy(h, r); err != nil {
		return errs.Wrap(CodeRead, err, "cannot read the file").In(m.path)
	}
	h.Sum(m.sum[:0])
	return nil
}

func (m *member) open() (io.ReadCloser, error) {
	if m.path == "" {
		return io.NopCloser(bytes.NewReader(m.data)), nil
	}
	if err := regular.Check(m.path); err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot open the file").In(m.path)
	}
	f, err := os.Open(m.path)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot open the file").In(m.path)
	}
	return f, nil
}

// writeTar writes members below a folder.
func writeTar(w io.Writer, folder string, members []*member) error {
	t := tar.NewWriter(w)
	for _, m := range members {
		mode := m.mode
		if mode == 0 {
			mode = 0o644
		}
		// The zero time is 1970 in every tar format; PAX is needed for files of
		// more than 8 GiB.
		h := &tar.Header{Name: folder + m.name, Mode: mode, Size: m.size, ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		r, err := m.open()
		if err != nil {
			return err
		}
		_, err = io.Copy(t, r)
		r.Close()
		if err != nil {
			return err
		}
	}
	return t.Close()
}

// WriteFiles writes a tar of files in a folder, under their names there.
func WriteFiles(out, folder string, names []string) error {
	var members []*member
	for _, name := range names {
		m := &member{name: name, path: folder + string(os.PathSeparator) + name}
		if err := m.measure(); err != nil {
			return err
		}
		members = append(members, m)
	}
	slices.SortFunc(members, func(x, y *member) int { return strings.Compare(x.name, y.name) })
	return atomicfile.WriteAll(atomicfile.File{Path: out, NoSync: true, Write: func(w io.Writer) error {
		return writeTar(w, "", members)
	}})
}
