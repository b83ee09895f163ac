//go:build integration

// Package caches builds the workspace e2e/smoke with the caches configured
// in .bazelrc, and in two configurations with one cache.
package caches

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

func TestCaches(t *testing.T) {
	w := nested.Open(t, "smoke")
	server := serve(t)

	// The settings of this checkout, and an archive that stays out of shared caches.
	settings, err := os.ReadFile(filepath.Join(w.Root, ".bazelrc"))
	require.NoError(t, err)
	lines := w.Read(".bazelrc")
	for line := range strings.Lines(string(settings)) {
		if strings.HasPrefix(line, "build:ci-cache") {
			lines += line
		}
	}
	require.Contains(t, lines, "build:ci-cache-zstd ")
	w.Write(".bazelrc", lines)
	w.Replace("BUILD.bazel", `    name = "affine",
`, `    name = "affine",
    archive_tags = ["no-remote-cache"],
    module_name = "first",
`)
	// The tools are built from the disk cache that the workspaces share.
	build(t, w, "--remote_download_outputs=all")

	t.Run("requirements", func(t *testing.T) { requirements(t, w) })
	t.Run("alone", func(t *testing.T) { alone(t, w) })
	t.Run("compressed", func(t *testing.T) { compressed(t, w, server) })
	t.Run("configurations", func(t *testing.T) { configurations(t, w) })
}

// requirements: no action of the rules opts out of caches or engines, except
// those of the archive, because of the tag in its BUILD file.
func requirements(t *testing.T, w *nested.Workspace) {
	targets := []string{"//:affine_index", "//:affine_mlir", "//:affine_irpa", "//:affine_vmfb_cpu", "//:affine_run_test_run"}
	out := w.Succeed("aquery", "--output=jsonproto", "--experimental_output_paths=strip", strings.Join(targets, " + "))
	begin, end := strings.Index(out, "\n{"), strings.LastIndex(out, "\n}")
	require.Less(t, begin, end, out)
	var graph struct {
		Targets []struct {
			ID    int
			Label string
		}
		Actions []struct {
			Mnemonic      string
			TargetID      int
			ExecutionInfo []struct{ Key string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(out[begin:end+2]), &graph))
	labels := map[int]string{}
	for _, x := range graph.Targets {
		labels[x.ID] = strings.TrimPrefix(x.Label, "@@")
	}
	got := map[string][]string{}
	for _, a := range graph.Actions {
		if a.Mnemonic == "FileWrite" || a.Mnemonic == "RepoMappingManifest" || a.Mnemonic == "SourceSymlinkManifest" ||
			a.Mnemonic == "SymlinkTree" || a.Mnemonic == "Middleman" { // Bazel's own, which run nothing
			continue
		}
		keys := []string{}
		for _, e := range a.ExecutionInfo {
			keys = append(keys, e.Key)
		}
		slices.Sort(keys)
		got[a.Mnemonic+" of "+labels[a.TargetID]] = keys
	}
	mapped, kept := []string{"supports-path-mapping"}, []string{"no-remote-cache", "supports-path-mapping"}
	require.Equal(t, map[string][]string{
		"WeightsIndex of //:affine_index":      mapped,
		"ModelGraph of //:affine_mlir":         mapped,
		"StableHloExport of //:affine_mlir":    mapped,
		"StableHloVerify of //:affine_mlir":    mapped,
		"IrpaPack of //:affine_irpa":           kept,
		"IrpaVerify of //:affine_irpa":         kept,
		"IreeCompile of //:affine_vmfb_cpu":    mapped,
		"IreeSizes of //:affine_vmfb_cpu":      mapped,
		"IreeDispatches of //:affine_vmfb_cpu": mapped,
		"IreeAsm of //:affine_vmfb_cpu":        mapped,
		"IreeRun of //:affine_run_test_run":    mapped,
	}, got)
}

// alone: nothing that a program and its archive are built from is compiled C, which IREE's
// runtime is; what calls the program needs it.
func alone(t *testing.T, w *nested.Workspace) {
	compiled := func(targets string) string {
		return w.Succeed("aquery", "--output=summary", `mnemonic("Cpp(Compile|Link|Archive)", deps(`+targets+`))`)
	}
	require.NotContains(t, compiled("//:affine_vmfb_cpu + //:affine_irpa"), "Cpp")
	require.Contains(t, compiled("//:affine_run_cpu"), "CppCompile: ")
}

// rename changes the text, and thus everything derived from it.
func rename(w *nested.Workspace, from, to string) {
	w.Replace("BUILD.bazel", `module_name = "`+from+`"`, `module_name = "`+to+`"`)
}

// compressed: results are sent to a gRPC cache and fetched again, compressed,
// but not the archive.
func compressed(t *testing.T, w *nested.Workspace, server cache) {
	calls := filepath.Join(w.Dir, "calls.log")
	remote := []string{
		"--disk_cache=", "--config=ci-cache", "--config=ci-cache-zstd", "--remote_cache=grpc://" + server.address,
		"--remote_grpc_log=" + calls, "--remote_download_outputs=toplevel",
	}
	transferred := func() string {
		text, err := os.ReadFile(calls)
		require.NoError(t, err)
		return string(text)
	}
	writing := append(remote, "--config=ci-cache-write")

	rename(w, "first", "second")
	filled := build(t, w, writing...).rules()
	program, archive := filled.hash(t, "affine_vmfb_cpu.vmfb"), filled.hash(t, "affine_irpa.irpa")
	seen := map[string]bool{}
	for _, s := range filled {
		require.False(t, s.Hit, s.Mnemonic)
		seen[s.Mnemonic] = true
		// No other action of the rules is kept out of any cache.
		require.True(t, s.Cacheable, s.Mnemonic)
		require.Equal(t, s.Mnemonic != "IrpaPack" && s.Mnemonic != "IrpaVerify", s.RemoteToo, "%s of %s", s.Mnemonic, s.Target)
		for _, o := range s.Outputs {
			require.Equal(t, s.RemoteToo, server.has(o.Digest.Hash), "%s of %s", o.Path, s.Mnemonic)
		}
	}
	for _, name := range []string{"StableHloExport", "StableHloVerify", "IrpaPack", "IrpaVerify", "IreeCompile"} {
		require.True(t, seen[name], "%s: %v", name, filled.runners())
	}
	require.True(t, server.has(program))
	require.False(t, server.has(archive))
	require.Contains(t, transferred(), "compressed-blobs/zstd/"+program)
	require.NotContains(t, transferred(), "/blobs/"+program)

	// Without permission to write, nothing is sent.
	rename(w, "second", "third")
	other := build(t, w, remote...).rules()
	require.False(t, server.has(other.hash(t, "affine_vmfb_cpu.vmfb")))

	rename(w, "third", "second")
	again := build(t, w, remote...).rules()
	require.Equal(t, program, again.hash(t, "affine_vmfb_cpu.vmfb"))
	for _, s := range again {
		want := "remote cache hit"
		if !s.RemoteToo {
			want = "linux-sandbox"
		}
		require.Equal(t, want, s.Runner, s.Mnemonic)
	}
	require.Contains(t, transferred(), "compressed-blobs/zstd/"+program, "it was fetched")
}

// configurations: outputs of one configuration are cache hits in another, since paths
// do not name it. This does not apply to Bazel's own genrule, which makes the weights.
func configurations(t *testing.T, w *nested.Workspace) {
	cache := filepath.Join(w.Dir, "..", "disk")
	require.NoError(t, os.RemoveAll(cache))
	in := func(mode string) log {
		return build(t, w, "--disk_cache="+cache, "--remote_cache=", "--compilation_mode="+mode)
	}
	first, second := in("opt"), in("dbg")
	ran, hit := map[string]string{}, map[string]string{}
	for _, name := range mnemonics {
		ran[name], hit[name] = "linux-sandbox", "disk cache hit"
	}
	require.Equal(t, ran, first.rules().runners())
	require.Equal(t, hit, second.rules().runners())
	require.Equal(t, "linux-sandbox", second.runners()["Genrule"])
	require.Equal(t, first.hash(t, "affine_vmfb_cpu.vmfb"), second.hash(t, "affine_vmfb_cpu.vmfb"))
}
