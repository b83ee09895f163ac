package wheel

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// members of a wheel, each with its content.
type members map[string]string

func (m members) zip(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range m {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return b.Bytes()
}

func exe(name string) string { return filepath.Base(tool("", name)) }

var whole = members{
	"iree/compiler/_mlir_libs/" + exe("iree-compile"): "compile", "iree/compiler/_mlir_libs/" + exe("iree-lld"): "lld",
	"iree/compiler/_mlir_libs/libIREECompiler.so": "library", "iree/compiler/_mlir_libs/_mlir.so": "of Python", "iree/compiler/iree-other": "elsewhere",
}

const name = "iree_base_compiler-9-cp311-cp311-manylinux_2_27_x86_64.manylinux_2_28_x86_64.whl"

// fetcher is one whose table has a wheel of these bytes.
func fetcher(t *testing.T, data []byte) *Fetcher {
	t.Helper()
	sum := sha256.Sum256(data)
	table, err := json.Marshal(map[string]any{"versions": map[string]any{target.IREEVersion(): map[string]any{
		compilerKind: map[string]Artifact{"here": {"iree-base-compiler", name, hex.EncodeToString(sum[:])}},
	}}})
	require.NoError(t, err)
	// Nothing of the host's.
	for _, v := range []string{"SKAINET_MIRRORS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(v, "")
	}
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	t.Setenv("PATH", t.TempDir())
	return &Fetcher{Folder: t.TempDir(), table: table, platform: "here"}
}

// index serves a wheel as PEP 503 says, and counts how often.
func index(t *testing.T, data []byte, served *atomic.Int32) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/simple/iree-base-compiler/", func(w http.ResponseWriter, r *http.Request) {
		if user, password, _ := r.BasicAuth(); user != "u" || password != "secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprintf(w, `<a href="../../files/other.whl">other</a> <a data-x="1" href="../../files/%s#sha256=1&amp;x">%s</a>`, name, name)
	})
	mux.HandleFunc("/files/"+name, func(w http.ResponseWriter, r *http.Request) {
		if _, password, _ := r.BasicAuth(); password == "secret" {
			served.Add(1)
			_, _ = w.Write(data)
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return "http://u:secret@" + s.Listener.Addr().String() + "/simple"
}

// The tools come from an index, once, whichever way it is configured, and nothing else of
// the wheel is kept.
func TestIndex(t *testing.T) {
	data := whole.zip(t)
	for way, configure := range map[string]func(t *testing.T, url string){
		"a variable": func(t *testing.T, url string) { t.Setenv("PIP_INDEX_URL", url) },
		"another":    func(t *testing.T, url string) { t.Setenv("PIP_EXTRA_INDEX_URL", url) },
		"a file": func(t *testing.T, url string) {
			file := filepath.Join(t.TempDir(), "pip.conf")
			require.NoError(t, os.WriteFile(file, []byte("[other]\nindex-url = http://none.invalid\n[global]\n# x\ntimeout: 3\nextra-index-url =\n  "+url+"\n"), 0o666))
			t.Setenv("PIP_CONFIG_FILE", file)
		},
	} {
		t.Run(way, func(t *testing.T) {
			var served atomic.Int32
			f := fetcher(t, data)
			configure(t, index(t, data, &served))
			var began []string
			f.Began = func(a Artifact, _ string) { began = append(began, a.Filename) }
			for range 2 {
				compile, linker, err := f.Compiler(context.Background())
				require.NoError(t, err)
				for path, want := range map[string]string{compile: "compile", linker: "lld", filepath.Join(filepath.Dir(compile), "libIREECompiler.so"): "library"} {
					got, err := os.ReadFile(path)
					require.NoError(t, err)
					require.Equal(t, want, string(got))
				}
				st, err := os.Stat(compile)
				require.NoError(t, err)
				require.NotZero(t, st.Mode()&0o100)
				kept, err := os.ReadDir(filepath.Dir(compile))
				require.NoError(t, err)
				require.Len(t, kept, 3)
			}
			require.Equal(t, int32(1), served.Load())
			require.Equal(t, []string{name}, began)
		})
	}
}

// Of several processes that need the tools one fetches them.
func TestTogether(t *testing.T) {
	data := whole.zip(t)
	var served atomic.Int32
	f := fetcher(t, data)
	t.Setenv("PIP_INDEX_URL", index(t, data, &served))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, _, err := (&Fetcher{Folder: f.Folder, table: f.table, platform: f.platform}).Compiler(context.Background())
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	require.Equal(t, int32(1), served.Load())
}

// A mirror of files serves too.
func TestMirror(t *testing.T) {
	data := whole.zip(t)
	f := fetcher(t, data)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), data, 0o666))
	t.Setenv("SKAINET_MIRRORS", "http://127.0.0.1:1/{sha256} file://"+filepath.ToSlash(folder)+"/{filename}")
	_, _, err := f.Compiler(context.Background())
	require.NoError(t, err)
}

// What no place has, and what a place has under a wrong name, leaves nothing.
func TestRefused(t *testing.T) {
	data := whole.zip(t)
	for what, c := range map[string]struct {
		served members
		code   errs.Code
		words  string
	}{
		"another file":      {members{"x": "y"}, CodeHash, "do not use the file"},
		"a wheel of others": {members{"iree/other": "y"}, CodeWheel, "has no iree-compile"},
		"a member outside":  {members{"a/" + exe("iree-compile"): "", "a/iree-x/../../../y": ""}, CodeWheel, "outside of the wheel"},
		"nothing":           {nil, CodeFetch, "PIP_INDEX_URL"},
	} {
		t.Run(what, func(t *testing.T) {
			got := c.served.zip(t)
			of := got
			if c.code == CodeHash {
				of = data
			}
			f := fetcher(t, of)
			var served atomic.Int32
			if c.served != nil {
				t.Setenv("PIP_INDEX_URL", index(t, got, &served))
			} else {
				t.Setenv("PIP_INDEX_URL", "http://u:secret@127.0.0.1:1/simple")
			}
			_, _, err := f.Compiler(context.Background())
			require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, c.words)
			require.NotContains(t, err.Error(), "secret")
			left, err := filepath.Glob(filepath.Join(f.Folder, "iree", "*"))
			require.NoError(t, err)
			for _, file := range left {
				require.Equal(t, ".lock", filepath.Ext(file))
			}
		})
	}

	// How a tool is named instead is that of the tool that was looked for.
	f := fetcher(t, data)
	t.Setenv("PIP_INDEX_URL", "http://127.0.0.1:1/simple")
	_, _, noCompiler := f.Compiler(context.Background())
	require.ErrorContains(t, noCompiler, "with --compiler or SKAINET_IREE_COMPILE")
	require.NotContains(t, noCompiler.Error(), "--tool")
	f.table = bytes.ReplaceAll(f.table, []byte(compilerKind), []byte(runtimeKind))
	_, noTool := f.RunModule(context.Background())
	require.ErrorContains(t, noTool, "iree-run-module with --tool")
	require.NotContains(t, noTool.Error(), "--compiler")
	for _, err := range []error{noCompiler, noTool} {
		for _, way := range []string{"PIP_INDEX_URL", "SKAINET_MIRRORS", filepath.Join(f.Folder, "iree")} {
			require.ErrorContains(t, err, way)
		}
	}

	f = fetcher(t, data)
	f.platform = "plan9_mips"
	_, _, err := f.Compiler(context.Background())
	require.Equal(t, CodeNoWheel, errs.CodeOf(err), "%v", err)
	_, err = f.RunModule(context.Background())
	require.Equal(t, CodeNoWheel, errs.CodeOf(err), "%v", err)

	f = fetcher(t, data)
	f.Folder = filepath.Join(os.DevNull, "x")
	_, _, err = f.Compiler(context.Background())
	require.Equal(t, cache.CodeFolder, errs.CodeOf(err), "%v", err)

	f = fetcher(t, data)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, _, err = f.Compiler(ctx)
	require.ErrorIs(t, err, context.Canceled)
}

// Of a wheel that is cut short nothing is kept.
func TestDamaged(t *testing.T) {
	data := whole.zip(t)
	cut := data[:len(data)-30]
	f := fetcher(t, cut)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, name), cut, 0o666))
	t.Setenv("SKAINET_MIRRORS", "file://"+filepath.ToSlash(folder)+"/{filename}")
	_, _, err := f.Compiler(context.Background())
	require.Equal(t, CodeWheel, errs.CodeOf(err), "%v", err)
}

// pip is asked for exactly the wheel's tags and hash.
func TestPip(t *testing.T) {
	require.Equal(t, []string{
		"--only-binary=:all:", "--ignore-requires-python", "--implementation", "cp", "--python-version", "3.11", "--abi", "cp311",
		"--platform", "manylinux_2_27_x86_64", "--platform", "manylinux_2_28_x86_64",
	}, wheelTags(name))
	require.Equal(t, []string{"--only-binary=:all:", "--ignore-requires-python"}, wheelTags("x-1-py3-none-any.whl"))

	data := whole.zip(t)
	f := fetcher(t, data)
	bin, folder := t.TempDir(), t.TempDir()
	wheel := filepath.Join(folder, name)
	require.NoError(t, os.WriteFile(wheel, data, 0o666))
	script := "#!/bin/sh\nwhile [ $# -gt 0 ]; do\n  case $1 in -d) to=$2 ;; -r) lock=$2 ;; esac\n  shift\ndone\n" +
		"while IFS= read -r line; do echo \"$line\" > " + folder + "/asked; done < \"$lock\"\n/bin/cp " + wheel + " \"$to/\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(bin, "pip3"), []byte(script), 0o755))
	t.Setenv("PATH", bin)
	_, _, err := f.Compiler(context.Background())
	require.NoError(t, err)
	asked, err := os.ReadFile(filepath.Join(folder, "asked"))
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	require.Equal(t, "iree-base-compiler=="+target.IREEVersion()+" --hash=sha256:"+hex.EncodeToString(sum[:])+"\n", string(asked))
}

// The table has both wheels of the release for this machine and those that Bazel builds on.
func TestTable(t *testing.T) {
	for _, platform := range []string{"linux_x86_64", "linux_aarch64", "macos_aarch64", "windows_x86_64"} {
		for _, kind := range []string{compilerKind, runtimeKind} {
			a, version, err := (&Fetcher{platform: platform}).find(kind)
			require.NoError(t, err)
			require.Equal(t, target.IREEVersion(), version)
			require.Regexp(t, "^[0-9a-f]{64}$", a.SHA256)
			require.Contains(t, a.Filename, version)
			require.NotEmpty(t, a.Package)
		}
	}
	table, err := os.ReadFile(filepath.FromSlash("../../../toolchains/iree/versions.json"))
	require.NoError(t, err)
	require.Equal(t, string(table), string(versions), "copy the table: cp toolchains/iree/versions.json backend/iree/wheel/")
	require.Contains(t, Platform(), "_")
}
