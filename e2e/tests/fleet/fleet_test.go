//go:build integration

// Package fleet builds the workspace e2e/fleet against a weights server that
// requires a login.
package fleet

import (
	"encoding/binary"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

func TestFleet(t *testing.T) {
	w := nested.Open(t, "fleet")
	var served atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		switch {
		case user != "fleet" || password != "secret":
			out.WriteHeader(http.StatusUnauthorized)
		case r.URL.Path != "/mirror/detector/1/detector.safetensors":
			out.WriteHeader(http.StatusNotFound)
		default:
			served.Add(1)
			_, _ = out.Write(detectorWeights(t))
		}
	}))
	t.Cleanup(server.Close)

	// The address in MODULE.bazel is rewritten to the mirror, and all others are blocked.
	w.Write("downloader.cfg", "rewrite weights.example.com/(.*) "+server.URL+"/mirror/$1\nallow 127.0.0.1\nblock *\n")
	options := []string{"--experimental_downloader_config=downloader.cfg", "--repository_cache=" + filepath.Join(w.Dir, "repositories")}

	// Without a login.
	w.Write("nobody", "")
	w.Setenv("NETRC", filepath.Join(w.Dir, "nobody"))
	w.Fail([]string{"401"}, "build", append(options, "@detector_weights//:files")...)
	require.Zero(t, served.Load())

	w.Write("netrc", "machine 127.0.0.1 login fleet password secret\n")
	w.Setenv("NETRC", filepath.Join(w.Dir, "netrc"))
	w.Succeed("build", append(options, "//...")...)
	out := w.Succeed("test", append(options, "//...")...)
	require.Equal(t, 3, strings.Count(out, " PASSED in "), out)
	require.EqualValues(t, 1, served.Load())

	// Each model for each kind of device, with this workspace's version.
	bins, err := filepath.Glob(filepath.Join(w.Base, "execroot", "_main", "bazel-out", "*-fastbuild", "bin"))
	require.NoError(t, err)
	require.Len(t, bins, 1)
	for _, model := range []string{"detector", "ranker"} {
		for _, device := range []string{"cloud", "edge", "gpu"} {
			data, err := os.ReadFile(filepath.Join(bins[0], model, "model_vmfb_"+device+".vmfb"))
			require.NoError(t, err)
			require.Contains(t, string(data), model)
		}
	}
	hosts, err := filepath.Glob(filepath.Join(w.Base, "external", "skainet*iree_toolchains", "hosts.txt"))
	require.NoError(t, err)
	require.Len(t, hosts, 1)
	text, err := os.ReadFile(hosts[0])
	require.NoError(t, err)
	require.Contains(t, string(text), "linux amd64: compiler: iree_base_compiler-3.12.0-")
	require.NotContains(t, string(text), "3.13.0")

	// gazelle changes nothing: it knows that skainet's packages are in
	// the Bazel module, and that the models have their targets.
	w.Succeed("run", append(options, "//:gazelle", "--", "-mode=diff")...)
	newModel(t, w, options)
}

const doubler = `// Package doubler is new and has no BUILD file.
package doubler

import (
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Double computes y [3] = 2 * x [3].
func Double(m *lang.Module) {
	m.Entry("main", func(f *lang.Func) {
		f.Output("y", f.Input("x", dtype.F32, 3).MulScalar(2))
	})
}
`

// newModel: gazelle writes a new package's BUILD file, including the model, and
// removes the model when its constructor is gone.
func newModel(t *testing.T, w *nested.Workspace, options []string) {
	run := func() string { return w.Succeed("run", append(options, "//:gazelle")...) }
	w.Write("doubler/doubler.go", doubler)
	run()
	require.Equal(t, `load("@rules_go//go:def.bzl", "go_library")
load("@skainet//rules:defs.bzl", "skainet_model")

go_library(
    name = "doubler",
    srcs = ["doubler.go"],
    importpath = "example.com/fleet/doubler",
    visibility = ["//visibility:public"],
    deps = [
        "@skainet//lang",
        "@skainet//tensor/dtype",
    ],
)

skainet_model(
    name = "double",
    backends = {
        "cloud": "cpu_x86_64_v3",
        "edge": "aarch64",
    },
    constructor = "Double",
    model = ":doubler",
    module_name = "doubler_double",
    no_parity = "the boards compare edge themselves",
    parity = ["cloud"],
)
`, w.Read("doubler/BUILD.bazel"))
	out := w.Succeed("test", append(options, "//doubler:all")...)
	require.Equal(t, 1, strings.Count(out, " PASSED in "), out)
	require.Contains(t, out, "//doubler:double_parity_cloud_test")

	w.Replace("doubler/doubler.go", "func Double(m *lang.Module)", "func Double(m *lang.Module, factor float64)")
	w.Replace("doubler/doubler.go", "MulScalar(2)", "MulScalar(factor)")
	require.Contains(t, run(), "GAZELLE_SIGNATURE: doubler/doubler.go:10: Double is not a model constructor: it takes 2 parameters")
	require.Contains(t, w.Read("doubler/BUILD.bazel"), "skainet_model")
	w.Replace("doubler/doubler.go", "func Double(", "func Scale(")
	run()
	require.NotContains(t, w.Read("doubler/BUILD.bazel"), "skainet_model")
	w.Succeed("build", append(options, "//doubler")...)
}

// detectorWeights returns the file whose hash is in MODULE.bazel.
func detectorWeights(t *testing.T) []byte {
	const header = `{"weight":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	data, err := binary.Append(append(data, header...), binary.LittleEndian, []float32{1, -1, 0.5, 2})
	require.NoError(t, err)
	return data
}
