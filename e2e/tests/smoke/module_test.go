//go:build integration

package smoke

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

const extension = `
iree = use_extension("@skainet//toolchains/iree:extensions.bzl", "iree")
`

// module adds lines to the copy's MODULE.bazel, replacing those of an
// earlier call.
func module(w *nested.Workspace, lines string) {
	const mark = "# Added by the test.\n"
	text := w.Read("MODULE.bazel")
	for i := range text {
		if len(text)-i >= len(mark) && text[i:i+len(mark)] == mark {
			text = text[:i]
			break
		}
	}
	w.Write("MODULE.bazel", text+mark+extension+lines)
}

// moduleFiles: each mistake in iree tags is reported before anything is built.
func moduleFiles(w *nested.Workspace) {
	zeros := fmt.Sprintf("%064d", 0)
	archive := func(kind, version, sha256, source string) string {
		return fmt.Sprintf("iree.archive(kind = %q, platform = %q, version = %q, sha256 = %q, %s)\n", kind, platform, version, sha256, source)
	}
	w.Write("wheel.zip", "no wheel")
	w.Write("old/bin/iree-compile", "#!/bin/sh\necho 'IREE compiler version 3.12.0rc1 @ 0'\n")
	for _, name := range []string{"iree-lld", "iree-opt", "libIREECompiler.so", "libIREECompiler.dylib"} {
		w.Write("old/bin/"+name, "")
	}
	file := `file = "//:wheel.zip"`
	for _, c := range []struct {
		lines  string
		wanted []string
	}{
		{`iree.toolchain(version = "3.99.0")`, []string{"IREE_VERSION_UNKNOWN: smoke: IREE 3.99.0 is not in versions.json; it has 3.13.0"}},
		{
			`iree.toolchain(version = "3.13.0")` + "\n" + `iree.toolchain(version = "3.12.0")`,
			[]string{"IREE_VERSION_CONFLICT: smoke: requests both 3.13.0 and 3.12.0"},
		},
		{archive("compiler", "3.13.0", "short", file), []string{"IREE_ARCHIVE_SHA256: smoke: the compiler archive of 3.13.0"}},
		{archive("runtime", "3.12.0", zeros, file), []string{"IREE_VERSION_SKEW: the runtime archive for", "is for IREE 3.12.0, but the build uses 3.13.0"}},
		{archive("compiler", "3.13.0", zeros, `package = "p"`), []string{"IREE_ARCHIVE_SOURCE: smoke: ", "needs the wheel's filename"}},
		{archive("compilr", "3.13.0", zeros, file), []string{"compilr", "compiler"}},
		// Bytes that differ from the pinned ones, which only the fetch can detect.
		{archive("compiler", "3.13.0", zeros, file), []string{
			"Checksum was " + fmt.Sprintf("%x", sha256.Sum256([]byte("no wheel"))) + " but wanted " + zeros,
		}},
		{
			fmt.Sprintf("iree.local(path = \"nowhere\", platform = %q)", platform),
			[]string{"IREE_LOCAL_MISSING: nowhere: it has no iree-compile in any of bin, lib, "},
		},
		{
			fmt.Sprintf("iree.local(path = \"old\", platform = %q, kinds = [\"compiler\"])", platform),
			[]string{"IREE_LOCAL_VERSION: old: iree-compile is version 3.12.0rc1, but the build uses IREE 3.13.0"},
		},
		{`iree.mirror(urls = ["https://mirror.example.com/wheels"])`, []string{"IREE_MIRROR: smoke: ", "it needs {filename}"}},
		{`iree.local(path = "old", platform = "linux")`, []string{`IREE_ARCHIVE_PLATFORM: smoke: local: "linux" is not a platform; use one of linux_aarch64`}},
	} {
		module(w, c.lines)
		w.Fail(c.wanted, "build", "--nobuild", "//:affine_vmfb_cpu")
	}

	// Tools for another kind of machine, which only a target that names them requests.
	module(w, `
iree.local(path = "old", platform = "windows_aarch64")
use_repo(iree, "iree_compiler_windows_aarch64")
`)
	w.Fail([]string{"IREE_LOCAL_PLATFORM: old: it is declared for windows_aarch64, but this machine is " + platform}, "build", "--nobuild",
		"@iree_compiler_windows_aarch64//:toolchain")
}

// weightsPath: local files, verified by hash.
func weightsPath(t *testing.T, w *nested.Workspace) {
	folder := filepath.Join(w.Dir, "elsewhere")
	weights := w.Read("bad/other.safetensors")
	w.Write("elsewhere/model.safetensors", weights)
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(weights)))
	rule := func(path, file, sum string) {
		module(w, fmt.Sprintf(`
weights_path = use_repo_rule("@skainet//rules:repositories.bzl", "weights_path")
weights_path(name = "mine", path = %q, sha256 = {%q: %q})
`, path, file, sum))
	}
	t.Helper()
	rule("elsewhere", "model.safetensors", sum)
	w.Succeed("build", "@mine//:model.safetensors")
	rule(folder, "model.safetensors", sum)
	w.Succeed("build", "@mine//:files")
	rule(folder, "model.safetensors", fmt.Sprintf("%064d", 0))
	w.Fail([]string{"FETCH_HASH_MISMATCH: model.safetensors: sha256 is " + sum}, "build", "@mine//:files")
	rule(folder, "model.bin", sum)
	w.Fail([]string{"WEIGHTS_PATH: mine: there is no " + filepath.Join(folder, "model.bin")}, "build", "@mine//:files")
	rule(folder, "model.safetensors", "")
	w.Fail([]string{`WEIGHTS_SHA256: mine: model.safetensors: "" is not 64`}, "build", "@mine//:files")

	module(w, fmt.Sprintf(`
weights_url = use_repo_rule("@skainet//rules:repositories.bzl", "weights_url")
weights_url(name = "mine", urls = ["https://weights.example.com/model"], sha256 = {"a": %q, "b": %q})
`, sum, sum))
	w.Fail([]string{"WEIGHTS_URLS: mine: there are 2 files and no {file} in https://weights.example.com/model"}, "build", "@mine//:files")
}
