package check

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// members reads a tar with the standard library.
func members(t *testing.T, path string) (names []string, content map[string]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	content = map[string]string{}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names, content
		}
		require.NoError(t, err)
		require.True(t, h.ModTime.Equal(time.Unix(0, 0)))
		require.Zero(t, h.Uid+h.Gid)
		require.Empty(t, h.Uname+h.Gname)
		mode := int64(0o644)
		if strings.HasSuffix(h.Name, "/run") {
			mode = 0o755
		}
		require.Equal(t, mode, h.Mode, h.Name)
		b, err := io.ReadAll(r)
		require.NoError(t, err)
		names = append(names, h.Name)
		content[h.Name] = string(b)
	}
}

func TestBundle(t *testing.T) {
	_, c := write(t, param("model", "w", dtype.F32, 8, 2))
	b := Bundle{
		Name: "m", Program: program(t), Contract: c, Target: "cpu_x86_64_v3", Device: "local-task",
		Archives: []Archive{{"model", archive(t, "w", 8), c}}, Runner: file(t, "static", []byte("runner")),
	}
	out := filepath.Join(t.TempDir(), "m.tar")
	require.NoError(t, b.Write(out))
	names, content := members(t, out)
	require.Equal(t, []string{"m/README.md", "m/SHA256SUMS", "m/contract.json", "m/model.irpa", "m/program.vmfb", "m/run"}, names)
	require.Equal(t, "runner", content["m/run"])
	sums := strings.Split(strings.TrimSpace(content["m/SHA256SUMS"]), "\n")
	require.Len(t, sums, len(names)-1, "all but the sums themselves")
	for _, line := range sums {
		sum, name, _ := strings.Cut(line, "  ")
		want := sha256.Sum256([]byte(content["m/"+name]))
		require.Equal(t, hex.EncodeToString(want[:]), sum, name)
	}
	readme := content["m/README.md"]
	for _, want := range []string{"# m for cpu_x86_64_v3", "IREE 3.13.0", "`local-task`", "| argument | `x` | f32[2] |", "| result | `y` | f32[2] |", "    ./run program.vmfb --contract=contract.json --archive=model=model.irpa --entry=main x=x.npy\n", "--entry=main x=1,2\n", "`m.main`", "A call continues"} {
		require.Contains(t, readme, want)
	}
	require.NotContains(t, readme, t.TempDir())
	require.NotContains(t, readme, "no runner")

	// Files in other places, with other times and modes, give the same bytes.
	again := filepath.Join(t.TempDir(), "again.tar")
	for _, p := range []*string{&b.Program, &b.Contract, &b.Runner, &b.Archives[0].Path} {
		data, err := os.ReadFile(*p)
		require.NoError(t, err)
		*p = file(t, "other", data)
		require.NoError(t, os.Chmod(*p, 0o755))
		require.NoError(t, os.Chtimes(*p, time.Unix(1e9, 0), time.Unix(1e9, 0)))
	}
	require.NoError(t, b.Write(again))
	first, err := os.ReadFile(out)
	require.NoError(t, err)
	second, err := os.ReadFile(again)
	require.NoError(t, err)
	require.True(t, bytes.Equal(first, second))

	b.Runner = ""
	require.NoError(t, b.Write(out))
	names, content = members(t, out)
	require.NotContains(t, names, "m/run")
	require.Contains(t, content["m/README.md"], "- no runner: there is none for this target, ")
	require.Contains(t, content["m/README.md"], "skainet run program.vmfb --contract=contract.json --device=local-task ")

	// Parts that do not fit are rejected.
	_, ints := write(t, param("model", "w", dtype.I32, 8, 2))
	none := filepath.Join(t.TempDir(), "none.tar")
	b.Archives[0].Contract = ints
	require.Equal(t, CodeFit, errs.CodeOf(b.Write(none)))
	b.Archives[0].Contract = ""
	b.Runner = "none"
	require.Equal(t, CodeRead, errs.CodeOf(b.Write(none)))
	b.Contract = "none"
	require.Equal(t, CodeRead, errs.CodeOf(b.Write(none)))
	require.NoFileExists(t, none)
}

// Programs for other processors are beside the first, and the README says what they need.
func TestBundleAlternatives(t *testing.T) {
	_, c := write(t)
	b := Bundle{Name: "m", Program: program(t), Contract: c, Target: "cpu_x86_64_v3", Device: "local-task", Alternatives: map[string]string{
		"cpu_x86_64_v4": file(t, "v4", []byte("wide")), "cpu_x86_64_v1": file(t, "v1", []byte("old")), "mine": file(t, "mine", []byte("other")),
	}}
	out := filepath.Join(t.TempDir(), "m.tar")
	require.NoError(t, b.Write(out))
	names, content := members(t, out)
	require.Subset(t, names, []string{"m/program.vmfb", "m/program-cpu_x86_64_v1.vmfb", "m/program-cpu_x86_64_v4.vmfb", "m/program-mine.vmfb"})
	require.Equal(t, "wide", content["m/program-cpu_x86_64_v4.vmfb"])
	readme := content["m/README.md"]
	require.Contains(t, readme, "- `program-cpu_x86_64_v1.vmfb`: the same for `cpu_x86_64_v1`, any processor that runs the other\n")
	require.Regexp(t, "- `program-cpu_x86_64_v4.vmfb`: the same for `cpu_x86_64_v4`, processors with avx512bw, .*avx512f", readme)
	require.Contains(t, readme, "- `program-mine.vmfb`: the same for `mine`\n")
	require.Contains(t, readme, "in place of `program.vmfb` below")
	require.Contains(t, content["m/SHA256SUMS"], "  program-cpu_x86_64_v4.vmfb\n")

	b.Alternatives = map[string]string{"a/b": b.Contract}
	require.Equal(t, CodeName, errs.CodeOf(b.Write(out)))
	path := file(t, "v4", []byte("wide"))
	b.Alternatives = map[string]string{"cpu_x86_64_v4": path}
	require.Equal(t, CodeOutput, errs.CodeOf(b.Write(path)), "it would be replaced")
}

// What goes with the weights is in the tar, and in its README; it replaces nothing there.
func TestBundleDocuments(t *testing.T) {
	_, c := write(t, param("model", "w", dtype.F32, 8, 2))
	b := Bundle{
		Name: "m", Program: program(t), Contract: c, Archives: []Archive{{"model", archive(t, "w", 8), c}},
		Documents: map[string]string{"LICENSE-weights": file(t, "mit", []byte("as is")), "MODEL_CARD.md": file(t, "card", []byte("# M"))},
	}
	out := filepath.Join(t.TempDir(), "m.tar")
	require.NoError(t, b.Write(out))
	_, content := members(t, out)
	require.Equal(t, "as is", content["m/LICENSE-weights"])
	require.Equal(t, "# M", content["m/MODEL_CARD.md"])
	require.Contains(t, content["m/README.md"], "- `LICENSE-weights`: of the weights; pass it on with them\n- `MODEL_CARD.md`: ")
	require.Contains(t, content["m/SHA256SUMS"], "  MODEL_CARD.md\n")

	for _, name := range []string{"README.md", "SHA256SUMS", "model.irpa", "../x", "a/b", ""} {
		b.Documents = map[string]string{name: b.Contract}
		require.Equal(t, CodeName, errs.CodeOf(b.Write(out)), name)
	}
	path := file(t, "card", []byte("# M"))
	b.Documents = map[string]string{"card": path}
	require.Equal(t, CodeOutput, errs.CodeOf(b.Write(path)), "it would be replaced")
}

// No member lies outside the tar's folder or overwrites another, and no tar replaces one
// of its parts.
func TestBundleNames(t *testing.T) {
	bundle := func(name string, scopes ...string) Bundle {
		_, c := write(t, param(scopes[0], "w", dtype.F32, 8, 2))
		b := Bundle{Name: name, Program: program(t), Contract: c, Runner: file(t, "run", nil)}
		for _, s := range scopes {
			b.Archives = append(b.Archives, Archive{s, archive(t, "w", 8), ""})
		}
		return b
	}
	out := filepath.Join(t.TempDir(), "m.tar")
	for _, scope := range []string{"../../x", "..", ".", "a/b", `a\b`, "a\x00b", "a\nb", "/x", ""} {
		b := bundle("n", scope)
		require.Equal(t, CodeName, errs.CodeOf(b.Write(out)), "%q", scope)
	}
	for _, name := range []string{"../../evil", "/abs", "", ".", "..", "a/../b", "a//b", "a/", `a\b`, "a\nb"} {
		b := bundle(name, "model")
		require.Equal(t, CodeName, errs.CodeOf(b.Write(out)), "%q", name)
	}
	// Archives of one scope are numbered; a scope may have the name of one.
	b := bundle("n", "model", "model")
	b.Archives[1].Path = archive(t, "v", 8) // each key in one of them, as shards are
	require.NoError(t, b.Write(out))
	names, content := members(t, out)
	require.Subset(t, names, []string{"n/model-00001-of-00002.irpa", "n/model-00002-of-00002.irpa"})
	require.Contains(t, content["n/README.md"], " --archive=model=model-00001-of-00002.irpa --archive=model=model-00002-of-00002.irpa ")
	require.NoError(t, os.Remove(out))
	_, b.Contract = write(t, param("model", "w", dtype.F32, 8, 2), param("model-00002-of-00002", "w", dtype.F32, 8, 2))
	b.Archives = append(b.Archives, Archive{"model-00002-of-00002", archive(t, "w", 8), ""})
	err := b.Write(out)
	require.Equal(t, CodeName, errs.CodeOf(err))
	require.ErrorContains(t, err, "two archives would be called model-00002-of-00002.irpa")
	require.NoFileExists(t, out)

	b = bundle("a/n", "model")
	require.NoError(t, b.Write(out))
	names, _ = members(t, out)
	require.Contains(t, names, "a/n/model.irpa")

	b.Archives[0].Contract = file(t, "packed", nil)
	for _, part := range []string{b.Program, b.Contract, b.Runner, b.Archives[0].Path, b.Archives[0].Contract} {
		before, err := os.ReadFile(part)
		require.NoError(t, err)
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(part, link))
		require.Equal(t, CodeOutput, errs.CodeOf(b.Write(part)))
		require.Equal(t, CodeOutput, errs.CodeOf(b.Write(link)))
		after, err := os.ReadFile(part)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
}
