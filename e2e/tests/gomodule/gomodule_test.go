//go:build integration

// Package gomodule uses this checkout as a Go module, from a proxy of files, as one does who
// has Go and no Bazel: the command by go install, and the libraries from a module of its own.
package gomodule

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/skainet-dev/skainet-go/docs/blocks"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

const path = "github.com/skainet-dev/skainet-go"

func runfile(t *testing.T, variable string) string {
	t.Helper()
	p, err := runfiles.Rlocation(os.Getenv(variable))
	require.NoError(t, err)
	p, err = filepath.EvalSymlinks(p)
	require.NoError(t, err)
	return p
}

// user has Go, and no Bazel.
type user struct {
	t   *testing.T
	env []string
}

// run runs a command in a folder and returns what it prints.
func (u *user) run(folder string, words ...string) string {
	u.t.Helper()
	out, err := u.try(folder, words...)
	require.NoError(u.t, err, "%s\n%s", strings.Join(words, " "), out)
	return out
}

func (u *user) try(folder string, words ...string) (string, error) {
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = folder, u.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// page runs the lines of the page that are this test's and begin so, and returns what the last one
// prints. The other lines are run by the other calls.
func (u *user) page(root, folder string, beginnings ...string) (printed string) {
	u.t.Helper()
	list, err := blocks.Read(filepath.Join(root, "docs", "modules", "ROOT", "pages", "without-bazel.adoc"))
	require.NoError(u.t, err)
	ran := 0
	for _, b := range list {
		if b.Attributes["test"] != "//e2e/tests/gomodule:gomodule_test" || b.Language == "go" {
			continue
		}
		commands, err := b.Commands()
		require.NoError(u.t, err)
		for _, c := range commands {
			known := func(list []string) bool {
				return slices.ContainsFunc(list, func(s string) bool { return strings.HasPrefix(c.Line, s+" ") })
			}
			require.True(u.t, known([]string{"go install", "skainet run", "skainet compile", "go get", "go doc", "go run"}), "%s: nothing runs %q", b.At(), c.Line)
			if known(beginnings) {
				printed = u.run(folder, "bash", "-c", c.Line)
				ran++
			}
		}
	}
	require.GreaterOrEqual(u.t, ran, len(beginnings))
	return printed
}

// proxy writes the files of the checkout as a module proxy has them.
func proxy(t *testing.T, root, version string) string {
	t.Helper()
	folder := t.TempDir()
	at := filepath.Join(folder, filepath.FromSlash(path), "@v")
	require.NoError(t, os.MkdirAll(at, 0o777))
	write := func(name string, data []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(at, name), data, 0o666))
	}
	write("list", []byte(version+"\n"))
	info, err := json.Marshal(map[string]string{"Version": version, "Time": "2026-01-01T00:00:00Z"})
	require.NoError(t, err)
	write(version+".info", info)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	write(version+".mod", mod)
	f, err := os.Create(filepath.Join(at, version+".zip"))
	require.NoError(t, err)
	require.NoError(t, zip.CreateFromDir(f, module.Version{Path: path, Version: version}, root))
	require.NoError(t, f.Close())
	return "file://" + filepath.ToSlash(folder)
}

func TestWithoutBazel(t *testing.T) {
	root := filepath.Dir(runfile(t, "E2E_ROOT"))
	text, err := os.ReadFile(filepath.Join(root, "MODULE.bazel"))
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^ +version = "(.*)",$`).FindSubmatch(text)
	require.NotNil(t, m)
	version := "v" + string(m[1])

	own, bin := t.TempDir(), t.TempDir()
	u := &user{t, os.Environ()}
	// The modules that others made come from where the host's Go has them, or gets them.
	settings := strings.Split(strings.TrimSpace(u.run(root, "go", "env", "GOMODCACHE", "GOPROXY")), "\n")
	require.Len(t, settings, 2)
	u.env = append(u.env,
		"GOPROXY="+proxy(t, root, version)+",file://"+filepath.ToSlash(settings[0])+"/cache/download,"+settings[1],
		"GOMODCACHE="+own, "GOBIN="+bin, "GONOSUMDB="+path, "GOFLAGS=-modcacherw", "GOWORK=off", "CGO_ENABLED=0",
		"PATH="+bin+":"+os.Getenv("PATH"), "SKAINET_IREE_COMPILE=", "SKAINET_IREERT=",
	)
	skainet := filepath.Join(bin, "skainet")
	u.page(root, own, "go install")

	t.Run("the command", func(t *testing.T) {
		u := &user{t, u.env}
		model := filepath.Join(root, "rules", "tests", "onnx", "conv.onnx")
		arrays, err := npy.ReadArchive(filepath.Join(root, "rules", "tests", "onnx", "conv_case.npz"))
		require.NoError(t, err)
		recorded := map[string]tensor.Value{}
		for _, a := range arrays {
			recorded[a.Name] = a.Value
		}
		image := filepath.Join(own, "image.npy")
		require.NoError(t, npy.WriteFile(image, recorded["image"]))
		require.NoError(t, os.Symlink(model, filepath.Join(own, "model.onnx")))
		u.page(root, own, "skainet run")
		out := filepath.Join(own, "out")
		// On the CPU backend; then compiled by IREE, which is fetched if that was not done
		// before, and run by its tool. Both results are ONNX Runtime's.
		for _, more := range [][]string{nil, {"--backend=iree"}} {
			require.NoError(t, os.RemoveAll(out))
			u.run(own, append([]string{skainet, "run", model, "--input", "image=@" + image, "--output", out}, more...)...)
			got, err := npy.ReadFile(filepath.Join(out, "scores.npy"))
			require.NoError(t, err)
			x, err := tensor.Slice[float32](got)
			require.NoError(t, err)
			want, err := tensor.Slice[float32](recorded["scores"])
			require.NoError(t, err)
			require.InDeltaSlice(t, want, x, 1e-5)
		}
		// Or that is pointed at.
		mlir := filepath.Join(own, "line.mlir")
		require.NoError(t, os.WriteFile(mlir, []byte("module @line {\n  func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n    return %x : tensor<4xf32>\n  }\n}\n"), 0o666))
		u.run(own, skainet, "compile", mlir, "--target=cpu_x86_64_v3", "--compiler", runfile(t, "COMPILER"), "--linker", runfile(t, "LINKER"), "-o", filepath.Join(own, "line.vmfb"))
		require.FileExists(t, filepath.Join(own, "line.vmfb"))
		// Without a network and without pip.
		alone := &user{t, append(os.Environ(), "PATH="+t.TempDir(), "PIP_CONFIG_FILE="+os.DevNull, "PIP_INDEX_URL=", "PIP_EXTRA_INDEX_URL=", "SKAINET_MIRRORS=", "SKAINET_IREE_COMPILE=")}
		said, err := alone.try(own, skainet, "compile", mlir, "--target=cpu_x86_64_v3", "--cache="+t.TempDir(), "-o", filepath.Join(own, "no.vmfb"))
		require.Error(t, err)
		require.Contains(t, said, "IREE_FETCH: no place has iree_base_compiler-")
		require.Contains(t, said, "--backend=cpu")
		require.NoFileExists(t, filepath.Join(own, "no.vmfb"))
	})

	t.Run("the libraries", func(t *testing.T) {
		u := &user{t, u.env}
		page, err := os.ReadFile(filepath.Join(root, "docs", "modules", "ROOT", "pages", "without-bazel.adoc"))
		require.NoError(t, err)
		folder := t.TempDir()
		for _, file := range []string{"go.mod", "main.go"} {
			text, err := os.ReadFile(filepath.Join(root, "e2e", "gomodule", file))
			require.NoError(t, err)
			require.Contains(t, string(page), "----\n"+string(text)+"----\n", file)
			require.NoError(t, os.WriteFile(filepath.Join(folder, file), text, 0o666))
		}
		u.page(root, folder, "go get", "go doc")
		u.run(folder, "go", "mod", "tidy")
		u.run(folder, "go", "vet", ".")
		require.Equal(t, "cpu [3 5 7 9]\n", u.run(folder, "go", "run", "."))
		for name, variable := range map[string]string{"line_vmfb_cpu.vmfb": "PROGRAM", "line_mlir.contract.json": "CONTRACT", "libireert.so": "LIBRARY"} {
			require.NoError(t, os.Symlink(runfile(t, variable), filepath.Join(folder, name)))
		}
		// The model as a file, compiled and called without Bazel; and Bazel's program.
		require.Equal(t, "cpu [3 5 7 9]\niree [3 5 7 9]\n", u.page(root, folder, "go run", "skainet compile"))
		require.Equal(t, "y: f32[4] = [3 5 7 9]\n", u.run(folder, skainet, "run", "line.vmfb", "--contract", "line.contract.json", "x=1,2,3,4"))
		require.Equal(t, "cpu [3 5 7 9]\niree [3 5 7 9]\n", u.run(folder, "go", "run", ".", runfile(t, "PROGRAM"), runfile(t, "CONTRACT")), "by the tool")
	})
}
