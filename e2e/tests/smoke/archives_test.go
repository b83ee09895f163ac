//go:build integration

package smoke

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

// noCache disables the repository cache: Bazel asks no server for bytes that it has.
const noCache = "--repository_cache="

// kinds maps the kinds of archives to their folder in the wheel.
var kinds = map[string]string{"compiler": "iree/compiler/_mlir_libs", "runtime": "iree/_runtime_libs"}

// wheels packs the tools that Bazel fetched into our own wheels.
func wheels(t *testing.T, w *nested.Workspace, folder string) (sums map[string]string) {
	sums = map[string]string{}
	require.NoError(t, os.MkdirAll(folder, 0o777))
	for kind, inside := range kinds {
		found, err := filepath.Glob(filepath.Join(w.Base, "external", "skainet*iree_"+kind+"_"+platform))
		require.NoError(t, err)
		require.Len(t, found, 1)
		out, err := os.Create(filepath.Join(folder, wheelName(kind)))
		require.NoError(t, err)
		sum := sha256.New()
		z := zip.NewWriter(io.MultiWriter(out, sum))
		tools := os.DirFS(filepath.Join(found[0], "bin"))
		require.NoError(t, fs.WalkDir(tools, ".", func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			info, err := entry.Info()
			if err != nil {
				return err
			}
			header := &zip.FileHeader{Name: inside + "/" + path, Method: zip.Store}
			header.SetMode(info.Mode())
			to, err := z.CreateHeader(header)
			if err != nil {
				return err
			}
			from, err := tools.Open(path)
			if err != nil {
				return err
			}
			defer from.Close()
			_, err = io.Copy(to, from)
			return err
		}))
		require.NoError(t, z.Close())
		require.NoError(t, out.Close())
		sums[kind] = fmt.Sprintf("%x", sum.Sum(nil))
	}
	return sums
}

func wheelName(kind string) string { return "iree_own_" + kind + "-3.13.0-py3-none-any.whl" }

// archives: tools from iree.archive, from a server and from a file, and from the
// second of two iree.mirror locations; wrong bytes, and locations that do not answer.
func archives(t *testing.T, w *nested.Workspace, want func(how string)) {
	folder := filepath.Join(filepath.Dir(w.Dir), "wheels")
	require.NoError(t, os.RemoveAll(folder))
	sums := wheels(t, w, folder)
	served := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		served[r.URL.Path]++
		http.ServeFile(out, r, filepath.Join(folder, filepath.Base(r.URL.Path)))
	}))
	defer server.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close() // nobody listens there

	archive := func(kind, sum, source string) string {
		return fmt.Sprintf("iree.archive(kind = %q, platform = %q, version = \"3.13.0\", sha256 = %q, %s)\n", kind, platform, sum, source)
	}
	url := func(base, kind string) string { return fmt.Sprintf("urls = [%q]", base+"/own/"+wheelName(kind)) }

	// The compiler from a server, the runtime as a file of the workspace.
	require.NoError(t, os.Link(filepath.Join(folder, wheelName("runtime")), filepath.Join(w.Dir, "runtime.whl")))
	runtime := archive("runtime", sums["runtime"], `file = "//:runtime.whl"`)
	module(w, archive("compiler", sums["compiler"], url(server.URL, "compiler"))+runtime)
	want("iree.archive")
	w.Succeed("build", noCache, "--nobuild", "//:affine_run_test_run")
	require.Equal(t, map[string]int{"/own/" + wheelName("compiler"): 1}, served)

	// Bytes that do not match the sha256, and an unreachable server.
	wrong := strings.Repeat("0", 64)
	module(w, archive("compiler", wrong, url(server.URL, "compiler"))+runtime)
	w.Fail([]string{
		"Checksum was " + sums["compiler"] + " but wanted " + wrong,
		"IREE_DOWNLOAD: ", "no location has " + wheelName("compiler") + " with the sha256 " + wrong,
	}, "build", noCache, "--nobuild", "//:affine_vmfb_cpu")

	// A mirror, for archives that are named by package, like those of versions.json.
	packages := ""
	for _, kind := range []string{"compiler", "runtime"} {
		packages += archive(kind, sums[kind], fmt.Sprintf("package = %q, filename = %q", "iree-own-"+kind, wheelName(kind)))
	}
	mirror := func(urls ...string) string {
		return fmt.Sprintf("iree.mirror(urls = [\"%s\"])\n", strings.Join(urls, `", "`))
	}
	const template = "/mirror/{package}/{version}/{platform}/{filename}"
	module(w, packages+mirror(gone.URL+template))
	// Compiler or runtime, whichever Bazel requests first.
	w.Fail([]string{"IREE_DOWNLOAD: ", "no location has iree_own_", "; tried " + gone.URL + "/mirror/iree-own-"}, "build", noCache, "--nobuild", "//:affine_vmfb_cpu")
	module(w, packages+mirror(gone.URL+template, server.URL+template))
	clear(served)
	want("iree.mirror")
	// A program is built without IREE's runtime; a test of it needs that.
	w.Succeed("build", noCache, "--nobuild", "//:affine_run_test_run")
	require.Equal(t, map[string]int{
		"/mirror/iree-own-compiler/3.13.0/" + platform + "/" + wheelName("compiler"): 1,
		"/mirror/iree-own-runtime/3.13.0/" + platform + "/" + wheelName("runtime"):   1,
	}, served)
}
