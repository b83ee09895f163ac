//go:build integration

// Package smoke builds the workspace e2e/smoke, and tests the mistakes that
// users of an external workspace can make.
package smoke

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/docs/blocks"
	"github.com/skainet-dev/skainet-go/e2e/nested"
)

var platform = runtime.GOOS + "_" + map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH]

func TestSmoke(t *testing.T) {
	w := nested.Open(t, "smoke")

	// The page shows the files unchanged.
	page, err := os.ReadFile(filepath.Join(w.Root, "docs", "modules", "ROOT", "pages", "use-from-your-workspace.adoc"))
	require.NoError(t, err)
	for _, file := range []string{"MODULE.bazel", "BUILD.bazel", "smoke.go", "go.mod", ".bazelrc", "call/main.go", "call/BUILD.bazel"} {
		text, err := os.ReadFile(filepath.Join(w.Root, "e2e", "smoke", file))
		require.NoError(t, err)
		require.Contains(t, string(page), "----\n"+string(text)+"----\n", file)
	}
	for _, b := range shown(t, w, "use-from-your-workspace.adoc", "go") {
		require.True(t, slices.ContainsFunc([]string{"smoke.go", "call/main.go"}, func(file string) bool {
			text, err := os.ReadFile(filepath.Join(w.Root, "e2e", "smoke", file))
			return err == nil && string(text) == b.Text
		}), b.At())
	}

	// Two tests of the model at the root: one runs the program, in process if libireert is
	// built, and the other compares it with the reference. Those of operators do so for
	// operations of the workspace's own, and in random graphs. operators reads an
	// intermediate file, which Bazel leaves in the disk cache unless it is named.
	w.Succeed("test", `--remote_download_regex=.*\.kernels\.mlir`, "//...")
	operators(t, w)
	imported(t, w)
	modelCommand(t, w)
	program := filepath.Join(bin(t, w), "affine_vmfb_cpu.vmfb")
	want, err := os.ReadFile(program)
	require.NoError(t, err)

	// Only the artifacts of IREE and zig for this machine were fetched.
	var fetchedHere []string
	for _, name := range []string{"iree_compiler_*", "iree_runtime_*", "zig_*"} {
		found, err := filepath.Glob(filepath.Join(w.Base, "external", "skainet~~*~"+name))
		require.NoError(t, err)
		for _, path := range found {
			_, repository, _ := strings.Cut(filepath.Base(path), "~~")
			fetchedHere = append(fetchedHere, repository)
		}
	}
	require.Equal(t, []string{"iree~iree_compiler_" + platform, "iree~iree_runtime_" + platform, "iree~iree_runtime_source", "zig~zig_" + platform}, fetchedHere)

	// Copies the fetched compiler, to be used as installed tools at the end: other
	// tags make Bazel remove its repository.
	fetched, err := filepath.Glob(filepath.Join(w.Base, "external", "skainet*iree_compiler_"+platform))
	require.NoError(t, err)
	require.Len(t, fetched, 1)
	tools := filepath.Join(filepath.Dir(w.Dir), "tools")
	require.NoError(t, os.RemoveAll(tools))
	require.NoError(t, os.CopyFS(tools, os.DirFS(fetched[0])))

	devDependencies(t, w)
	buildFiles(t, w)
	weightsPath(t, w)
	moduleFiles(w)

	// Installed tools.
	module(w, fmt.Sprintf(`
iree.toolchain(version = "3.13.0")
iree.local(path = %q, platform = %q, kinds = ["compiler"])
`, tools, platform))
	same := func(how string) {
		w.Succeed("build", noCache, "//:affine_vmfb_cpu")
		got, err := os.ReadFile(program)
		require.NoError(t, err)
		require.Equal(t, want, got, "%s: the same compiler gives the same program", how)
	}
	same("iree.local")
	require.NoError(t, os.RemoveAll(tools))

	module(w, "") // the fetched tools again
	w.Succeed("build", "//:affine_vmfb_cpu")
	settings(t, w)
	archives(t, w, same)
	module(w, "")
	registry(t, w)
}

// shown returns the blocks of a language on a page that are this test's.
func shown(t *testing.T, w *nested.Workspace, page, language string) []blocks.Block {
	t.Helper()
	list, err := blocks.Read(filepath.Join(w.Root, "docs", "modules", "ROOT", "pages", page))
	require.NoError(t, err)
	return slices.DeleteFunc(list, func(b blocks.Block) bool {
		return b.Language != language || b.Attributes["test"] != "//e2e/tests/smoke:smoke_test"
	})
}

// modelCommand: the workspace's own binary, using only public packages, runs the model and
// distinguishes errors by their codes.
func modelCommand(t *testing.T, w *nested.Workspace) {
	lines := shown(t, w, "use-from-your-workspace.adoc", "console")
	require.NotEmpty(t, lines)
	for _, b := range lines {
		commands, err := b.Commands()
		require.NoError(t, err)
		for _, c := range commands {
			words := strings.Fields(c.Line)
			require.Contains(t, w.Succeed(words[1], words[2:]...), "\n"+c.Output)
		}
	}
	w.Fail([]string{"call: give three numbers: BACKEND_BAD_ARGUMENT: "}, "run", "//call", "--", "1")
	w.Fail([]string{"call: use another device: LAUNCH_DEVICE: ", "cpu_x86_64_v3"}, "run", "//call", "--", "--device=vulkan", "1", "2", "3")
	deps := w.Succeed("query", "labels(deps, //call)")
	require.Contains(t, deps, "//backend/program")
	require.NotContains(t, deps, "internal")
}

// operators: the page shows the files unchanged, and the workspace's page of operations has
// those that it registers beside those of the table.
func operators(t *testing.T, w *nested.Workspace) {
	page, err := os.ReadFile(filepath.Join(w.Root, "docs", "modules", "ROOT", "pages", "operators.adoc"))
	require.NoError(t, err)
	require.Len(t, shown(t, w, "operators.adoc", "go"), 2)
	for _, file := range []string{"operators.go", "model.go", "BUILD.bazel"} {
		text, err := os.ReadFile(filepath.Join(w.Root, "e2e", "smoke", "operators", file))
		require.NoError(t, err)
		require.Contains(t, string(page), "----\n"+string(text)+"----\n", file)
	}
	table, err := os.ReadFile(filepath.Join(bin(t, w), "operators", "operations.adoc"))
	require.NoError(t, err)
	for _, part := range []string{"// Made by //operators:operations\n", "\n== acme\n", "\n=== acme.hypot\n", "Registered by example.com/smoke/operators.", "\n=== dot_general\n"} {
		require.Contains(t, string(table), part)
	}
	text, err := os.ReadFile(filepath.Join(bin(t, w), "operators", "gate_mlir.kernels.mlir"))
	require.NoError(t, err)
	require.Contains(t, string(text), "linalg.generic", "processors get the kernel")
}

// imported: an ONNX file became a program, which was compared with what ONNX Runtime computed
// for a picture, and nothing was compiled from Go for it; the page shows the BUILD file
// unchanged.
func imported(t *testing.T, w *nested.Workspace) {
	page, err := os.ReadFile(filepath.Join(w.Root, "docs", "modules", "ROOT", "pages", "import.adoc"))
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(w.Root, "e2e", "smoke", "imported", "BUILD.bazel"))
	require.NoError(t, err)
	require.Contains(t, string(page), "----\n"+string(text)+"----\n")
	require.Less(t, strings.Count(string(text), "\n"), 10)
	log, err := os.ReadFile(filepath.Join(filepath.Dir(bin(t, w)), "testlogs", "imported", "classifier_parity_cpu_test", "test.log"))
	require.NoError(t, err)
	require.Contains(t, string(log), "picture: main, the program against the recorded results: agree\n")
	require.NotContains(t, w.Succeed("query", "--output=label_kind", "//imported:all"), "go_")
}

var compiled = regexp.MustCompile(`mnemonic: (\w+)`)

// settings: an option changes only the compiler's actions, in particular
// no build tool.
func settings(t *testing.T, w *nested.Workspace) {
	out := w.Succeed("build", "--subcommands", "--@skainet//rules:optimization=size",
		"--@skainet//rules:extra_compile_flags=--iree-opt-level=O1", "--@skainet//rules:extra_compile_flags=--iree-opt-data-tiling=false", "//:affine_vmfb_cpu")
	var made []string
	for _, m := range compiled.FindAllStringSubmatch(out, -1) {
		made = append(made, m[1])
	}
	require.Equal(t, []string{"IreeCompile"}, made, out)
	w.Fail([]string{`//:affine_vmfb_cpu: VMFB_OPTIMIZATION: unknown level "fast"; set --@skainet//rules:optimization to one of `},
		"build", "--nobuild", "--@skainet//rules:optimization=fast", "//:affine_vmfb_cpu")

	// What a target ships: here one program.
	w.Succeed("build", "--aspects=@skainet//rules:aspects.bzl%program_sizes", "--output_groups=program_sizes", "//:affine_vmfb_cpu")
	table, err := os.ReadFile(filepath.Join(bin(t, w), "affine_vmfb_cpu.program_sizes.txt"))
	require.NoError(t, err)
	require.Contains(t, string(table), "\n//:affine_vmfb_cpu  cpu_x86_64_v3  ")
	require.Contains(t, string(table), "\n1 programs of ")
}

func bin(t *testing.T, w *nested.Workspace) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(w.Base, "execroot", "_main", "bazel-out", "*-fastbuild", "bin"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}

var devExtension = regexp.MustCompile(`(\w+) = use_extension\([^)]*dev_dependency = True\)`)

// devDependencies: the downloads of the module's own tests and benchmarks are not
// in the graph of a workspace that depends on it.
func devDependencies(t *testing.T, w *nested.Workspace) {
	mapping := func(repository string) map[string]string {
		out := w.Succeed("mod", "dump_repo_mapping", repository)
		var m map[string]string
		for line := range strings.Lines(out) {
			if strings.HasPrefix(line, "{") { // between Bazel's own messages
				require.NoError(t, json.Unmarshal([]byte(line), &m), out)
			}
		}
		require.NotEmpty(t, m, out)
		return m
	}
	skainet := mapping(mapping("")["skainet"])
	require.Contains(t, skainet, "iree_toolchains")
	module, err := os.ReadFile(filepath.Join(w.Root, "MODULE.bazel"))
	require.NoError(t, err)
	var names []string
	for _, extension := range devExtension.FindAllStringSubmatch(string(module), -1) {
		used := regexp.MustCompile(`use_repo\(` + extension[1] + `, ([^)]*)\)`).FindStringSubmatch(string(module))
		if used != nil {
			names = append(names, strings.Split(used[1], ", ")...)
		}
	}
	require.Contains(t, names, `"nginx"`)
	for _, name := range names {
		dev := strings.Trim(name, `"`)
		require.NotContains(t, skainet, dev)
	}
}

const mistakes = `
load("@rules_go//go:def.bzl", "go_library")
load("@skainet//rules:defs.bzl", "skainet_model")
load("@skainet//toolchains/iree:toolchain.bzl", "iree_runtime_toolchain")

# The model's weights have other names.
skainet_model(
    name = "other",
    model = "//:smoke",
    no_parity = "it is not built",
    parity = [],
    weights = "other.safetensors",
)

# The right names, and one tensor too short.
skainet_model(
    name = "short",
    model = "//:smoke",
    no_parity = "it is not built",
    parity = [],
    weights = "short.safetensors",
)

# A package that is imported and not among the deps.
go_library(
    name = "no_dep",
    srcs = ["no_dep.go"],
    importpath = "example.com/smoke/bad",
    deps = ["@skainet//lang"],
)

platform(
    name = "riscv64",
    constraint_values = [
        "@platforms//os:linux",
        "@platforms//cpu:riscv64",
    ],
)

iree_runtime_toolchain(
    name = "old",
    iree_benchmark_module = "tool",
    iree_convert_parameters = "tool",
    iree_create_parameters = "tool",
    iree_dump_module = "tool",
    iree_dump_parameters = "tool",
    iree_run_module = "tool",
    version = "3.12.0",
)

toolchain(
    name = "old_toolchain",
    toolchain = ":old",
    toolchain_type = "@skainet//toolchains/iree:runtime_toolchain_type",
)
`

func buildFiles(t *testing.T, w *nested.Workspace) {
	w.Replace("MODULE.bazel", `bazel_dep(name = "rules_go"`, `bazel_dep(name = "platforms", version = "1.0.0")
bazel_dep(name = "rules_cc", version = "0.1.5")
bazel_dep(name = "rules_go"`)

	// With the host's C toolchain registered before zig, the runner of a tar is zig's.
	links := w.Succeed("aquery", `mnemonic("CppLink", deps(//:affine.tar))`)
	require.Contains(t, links, "iree_runner")
	for _, link := range strings.Split(links, "\naction ")[1:] {
		if strings.Contains(link, "iree_runner") {
			require.Contains(t, link, "zig_"+platform+"/cc", link)
		}
	}
	w.Write("bad/BUILD.bazel", mistakes)
	w.Write("bad/tool", "")
	w.Write("bad/other.safetensors", safetensors(`{"w":{"dtype":"F32","shape":[3],"data_offsets":[0,12]}}`, 12))
	w.Write("bad/short.safetensors", safetensors(`{"scale":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},`+
		`"shift":{"dtype":"F32","shape":[2],"data_offsets":[12,20]}}`, 20))
	w.Write("bad/no_dep.go", "package bad\n\nimport (\n\t_ \"github.com/skainet-dev/skainet-go/lang\"\n"+
		"\t_ \"github.com/skainet-dev/skainet-go/tensor/dtype\"\n)\n")

	w.Fail([]string{"INDEX_MISSING_TENSOR", "scale"}, "build", "//bad:other_mlir")
	w.Fail([]string{"LANG_MISUSE", "add of f32[3] and f32[2]: the shapes do not broadcast"}, "build", "//bad:short_mlir")
	w.Write("named/BUILD.bazel", "load(\"@skainet//rules:defs.bzl\", \"skainet_model\")\n\nskainet_model(name = \"named\", model = \":named\")\n")
	w.Fail([]string{"named: MODEL_ARGUMENTS: the model :named is this target itself; name the go_library in model"}, "build", "--nobuild", "//named:all")
	w.Write("twice/BUILD.bazel", "load(\"@skainet//rules:defs.bzl\", \"skainet_model\")\n\nskainet_model(name = \"twice\", graph = \"m.json\", onnx = \"m.onnx\")\n")
	w.Fail([]string{"twice: MODEL_ARGUMENTS: onnx and graph are both given; a model comes from one of them: leave the other out"}, "build", "--nobuild", "//twice:all")
	w.Write("zig/zig", "#!/bin/sh\necho 0.1.0\n")
	w.Fail([]string{"ZIG_LOCAL: SKAINET_ZIG=" + filepath.Join(w.Dir, "zig") + `: its zig reports version "0.1.0", want `},
		"build", "--nobuild", "--repo_env=SKAINET_ZIG="+filepath.Join(w.Dir, "zig"), "//:affine.tar")
	w.Fail([]string{"missing strict dependencies", "github.com/skainet-dev/skainet-go/tensor/dtype"}, "build", "//bad:no_dep")
	w.Fail(
		[]string{"//:affine_run_test_run: IREE_NO_RUNTIME: no IREE runtime is registered for the target platform"},
		"build", "--nobuild", "--platforms=//bad:riscv64", "//:affine_run_test_run",
	)
	w.Fail(
		[]string{"//:affine_run_test_run: IREE_VERSION: the program was compiled by IREE 3.13.0, but the runtime is 3.12.0; register compiler and runtime of the same version"},
		"build", "--nobuild", "--extra_toolchains=//bad:old_toolchain", "//:affine_run_test_run",
	)
}

func safetensors(header string, size byte) string {
	return string([]byte{byte(len(header)), 0, 0, 0, 0, 0, 0, 0}) + header + string(make([]byte, size))
}
