package release

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// elfOf is the beginning of a program for a processor.
func elfOf(m elf.Machine) string {
	head := make([]byte, 64)
	copy(head, elf.ELFMAG)
	head[elf.EI_CLASS], head[elf.EI_DATA] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB)
	head[18] = byte(m)
	return string(head)
}

// model writes the tar of a model.
func model(t *testing.T, path string, members map[string]string) {
	t.Helper()
	var sums strings.Builder
	var names []string
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		sum := sha256.Sum256([]byte(members[name]))
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
		mode := int64(0o644)
		if name == runner {
			mode = 0o755
		}
		require.NoError(t, put(w, "m/"+name, mode, int64(len(members[name])), strings.NewReader(members[name])))
	}
	require.NoError(t, put(w, "m/"+Sums, 0o644, int64(sums.Len()), strings.NewReader(sums.String())))
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile(path, b.Bytes(), 0o666))
}

var parts = map[string]string{
	"program.vmfb": "v1", "contract.json": "{}", "README.md": "r", "run": elfOf(elf.EM_AARCH64),
	"model-00001-of-00002.irpa": "w1", "model-00002-of-00002.irpa": "w2", "adapter.irpa": "a",
}

// inputs returns a checkout and the options of a release of it.
func inputs(t *testing.T, members map[string]string) (checkout string, o Options) {
	t.Helper()
	dir := t.TempDir()
	checkout = filepath.Join(dir, "checkout")
	require.NoError(t, os.MkdirAll(filepath.Join(checkout, "toolchains", "iree"), 0o777))
	file := func(path, text string, mode os.FileMode) string {
		require.NoError(t, os.WriteFile(path, []byte(text), mode))
		return path
	}
	o = Options{
		Version: "1.2.3",
		Files:   map[string]string{"skainet-linux-amd64": file(filepath.Join(dir, "b"), "program", 0o755), "m.tar": filepath.Join(dir, "m.tar"), "notes.txt": file(filepath.Join(dir, "n"), "n", 0o644)},
		Models:  []string{"m.tar"},
		Parity:  map[string]string{"m": file(filepath.Join(dir, "p"), "largest difference 1e-6\n", 0o644)},
		Out:     t.TempDir(),
	}
	model(t, o.Files["m.tar"], members)
	for name, text := range map[string]string{
		"go.mod":       "module example.com/x\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/A/b v1.0.0\n\texample.com/c v0.1.0 // indirect\n)\n",
		"MODULE.bazel": "module()\n",
		wheels: `{"versions": {"3.13.0": {"compiler": {"linux": {"package": "p", "filename": "p-3.whl", "sha256": "aa"}}, "runtime": {},` +
			` "runtime_source": {"crate": "c", "version": "0.5.0", "sha256": "bb"}}}}`,
	} {
		o.Sources = append(o.Sources, Source{name, file(filepath.Join(checkout, filepath.FromSlash(name)), text, 0o644)})
	}
	slices.SortFunc(o.Sources, func(a, b Source) int { return strings.Compare(a.Name, b.Name) })
	return checkout, o
}

// files returns the content of a folder.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	list, err := os.ReadDir(folder)
	require.NoError(t, err)
	got := map[string]string{}
	for _, f := range list {
		data, err := os.ReadFile(filepath.Join(folder, f.Name()))
		require.NoError(t, err)
		got[f.Name()] = string(data)
	}
	return got
}

// Two releases of the same inputs are the same bytes, and Verify takes them.
func TestRelease(t *testing.T) {
	checkout, o := inputs(t, parts)
	require.NoError(t, Write(o))
	first := files(t, o.Out)
	_, again := inputs(t, parts)
	require.NoError(t, Write(again))
	require.Equal(t, first, files(t, again.Out))

	want := []string{"m.oci.tar", "m.tar", "notes.txt", Provenance, SBOM, "skainet-linux-amd64"}
	names, err := Verify(o.Out, checkout)
	require.NoError(t, err)
	require.Equal(t, want, names)
	st, err := os.Stat(filepath.Join(o.Out, "skainet-linux-amd64"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), st.Mode().Perm())

	var bom spdx
	require.NoError(t, json.Unmarshal([]byte(first[SBOM]), &bom))
	var purls []string
	ids := map[string]bool{}
	for _, p := range bom.Packages {
		require.False(t, ids[p.ID], p.ID)
		ids[p.ID] = true
		for _, r := range p.Refs {
			purls = append(purls, r.Locator)
		}
	}
	require.Equal(t, []string{
		"pkg:golang/github.com/a/b@v1.0.0", "pkg:golang/example.com/c@v0.1.0", "pkg:golang/std@1.26.0",
		"pkg:pypi/p@3.13.0?file_name=p-3.whl", "pkg:cargo/c@0.5.0",
	}, purls)
	for _, r := range bom.Relationships {
		require.True(t, ids[r.To] || r.To == bom.ID, r.To)
		require.True(t, ids[r.From] || r.From == bom.ID, r.From)
	}
	var origin statement
	require.NoError(t, json.Unmarshal([]byte(first[Provenance]), &origin))
	require.Equal(t, "largest difference 1e-6\n", string(origin.Predicate.Run.Byproducts[0].Content))
}

// image reads an image's layers, each a list of its files, and its settings.
func image(t *testing.T, data string) (layers [][]string, digests []string, c config) {
	t.Helper()
	blobs := map[string][]byte{}
	r := tar.NewReader(strings.NewReader(data))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		blobs[h.Name] = b
	}
	var i index
	require.NoError(t, json.Unmarshal(blobs["index.json"], &i))
	var m manifest
	require.NoError(t, json.Unmarshal(blobs[place(i.Manifests[0])], &m))
	require.NoError(t, json.Unmarshal(blobs[place(m.Config)], &c))
	var ids []string
	for _, l := range m.Layers {
		var names []string
		b := blobs[place(l)]
		require.Len(t, b, int(l.Size))
		z, err := gzip.NewReader(bytes.NewReader(b))
		require.NoError(t, err)
		plain, err := io.ReadAll(z)
		require.NoError(t, err)
		sum := sha256.Sum256(plain)
		ids = append(ids, "sha256:"+hex.EncodeToString(sum[:]))
		r := tar.NewReader(bytes.NewReader(plain))
		for {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
			names = append(names, h.Name)
		}
		layers, digests = append(layers, names), append(digests, l.Digest)
	}
	require.Equal(t, c.RootFS.DiffIDs, ids)
	return layers, digests, c
}

// A new program is a new layer of few bytes; the layers of the weights and the runner stay.
func TestImage(t *testing.T) {
	_, o := inputs(t, parts)
	require.NoError(t, Write(o))
	layers, first, c := image(t, files(t, o.Out)["m.oci.tar"])
	require.Equal(t, [][]string{
		{"model/adapter.irpa", "model/model-00001-of-00002.irpa", "model/model-00002-of-00002.irpa"},
		{"model/run"},
		{"model/README.md", "model/contract.json", "model/program.vmfb", "model/SHA256SUMS"},
	}, layers)
	require.Equal(t, []string{
		"./run", "program.vmfb", "--contract=contract.json", "--archive=adapter=adapter.irpa",
		"--archive=model=model-00001-of-00002.irpa", "--archive=model=model-00002-of-00002.irpa",
	}, c.Config.Entrypoint)
	require.Equal(t, platform{"arm64", "linux", "v8"}, c.platform)

	other := map[string]string{}
	for name, content := range parts {
		other[name] = content
	}
	other["program.vmfb"] = "v2"
	_, o = inputs(t, other)
	require.NoError(t, Write(o))
	_, second, _ := image(t, files(t, o.Out)["m.oci.tar"])
	require.Equal(t, first[:2], second[:2])
	require.NotEqual(t, first[2], second[2])

	// Without a runner that a container starts there is no image.
	for _, run := range []string{"", "MZ", elfOf(elf.EM_386)} {
		other["run"] = run
		if run == "" {
			delete(other, "run")
		}
		_, o = inputs(t, other)
		require.NoError(t, Write(o))
		require.NoFileExists(t, filepath.Join(o.Out, "m.oci.tar"))
	}
}

// Each change of a release is found, and says where.
func TestChanged(t *testing.T) {
	checkout, o := inputs(t, parts)
	require.NoError(t, Write(o))
	whole := files(t, o.Out)
	restore := func() {
		require.NoError(t, os.RemoveAll(o.Out))
		require.NoError(t, os.Mkdir(o.Out, 0o777))
		for name, text := range whole {
			require.NoError(t, os.WriteFile(filepath.Join(o.Out, name), []byte(text), 0o666))
		}
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(o.Out, name), []byte(text), 0o666))
	}
	// consistent changes a file, and the list of sums with it.
	consistent := func(name, text string) {
		sum, before := sha256.Sum256([]byte(text)), sha256.Sum256([]byte(whole[name]))
		write(name, text)
		write(Sums, strings.Replace(whole[Sums], hex.EncodeToString(before[:]), hex.EncodeToString(sum[:]), 1))
	}
	for what, c := range map[string]struct {
		change func()
		code   errs.Code
		words  string
	}{
		"a byte":             {func() { write("notes.txt", "m") }, CodeSum, "notes.txt"},
		"a file less":        {func() { require.NoError(t, os.Remove(filepath.Join(o.Out, "notes.txt"))) }, "FILE_OPEN", "notes.txt"},
		"a file more":        {func() { write("new", "x") }, CodeSum, "new"},
		"a file and its sum": {func() { consistent("notes.txt", "m") }, CodeSum, SBOM},
		"the SBOM":           {func() { consistent(SBOM, "{}") }, CodeSum, SBOM},
		"the provenance":     {func() { consistent(Provenance, "{}") }, CodeSum, Provenance},
		"another's subject":  {func() { consistent(Provenance, strings.ReplaceAll(whole[Provenance], "notes.txt", "other.txt")) }, CodeSum, "notes.txt"},
		"no sums":            {func() { write(Sums, "x  y\n") }, CodeSum, Sums},
		"a path in the sums": {func() { write(Sums, strings.Replace(whole[Sums], "notes.txt", "../n", 1)) }, CodeSum, Sums},
		"a model's member":   {func() { consistent("m.tar", strings.Replace(whole["m.tar"], "w1", "w3", 1)) }, CodeSum, "m.tar"},
		"an image's blob":    {func() { consistent("m.oci.tar", strings.Replace(whole["m.oci.tar"], "w1", "w3", 1)) }, CodeSum, "m.oci.tar"},
		"a cut image":        {func() { consistent("m.oci.tar", whole["m.oci.tar"][:2000]) }, CodeSum, "m.oci.tar"},
	} {
		t.Run(what, func(t *testing.T) {
			restore()
			c.change()
			_, err := Verify(o.Out, checkout)
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.words)
		})
	}
	restore()
	require.NoError(t, os.WriteFile(filepath.Join(checkout, "MODULE.bazel"), []byte("other"), 0o666))
	_, err := Verify(o.Out, checkout)
	require.Equal(t, CodeSource, errs.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "MODULE.bazel")
	_, err = Verify(o.Out, "")
	require.NoError(t, err)
}

func TestRefused(t *testing.T) {
	for what, change := range map[string]func(o *Options){
		"a path":               func(o *Options) { o.Files["../x"] = o.Files["notes.txt"] },
		"the sums":             func(o *Options) { o.Files[Sums] = o.Files["notes.txt"] },
		"a version":            func(o *Options) { o.Version = "" },
		"a model that is none": func(o *Options) { o.Models = []string{"notes.txt"} },
		"an image's name":      func(o *Options) { o.Files["m.oci.tar"] = o.Files["notes.txt"] },
		"no tar":               func(o *Options) { o.Files["m.tar"] = o.Files["notes.txt"] },
		"no go.mod":            func(o *Options) { o.Sources = []Source{{goModules, o.Files["m.tar"]}} },
		"no table":             func(o *Options) { o.Sources = []Source{{wheels, o.Files["m.tar"]}} },
	} {
		t.Run(what, func(t *testing.T) {
			_, o := inputs(t, parts)
			change(&o)
			err := Write(o)
			require.Equal(t, CodeInput, errs.CodeOf(err), "%v", err)
			require.NoFileExists(t, filepath.Join(o.Out, Sums))
		})
	}
}
