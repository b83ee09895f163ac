//go:build integration

// Package fleet builds the workspace e2e/fleet against a server of weights that
// wants a login.
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

	// The address in MODULE.bazel leads to the mirror, and no other to anywhere.
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

	// Each model for each kind of device, by the version of this workspace.
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

	// gazelle finds nothing to change: it knows that skainet's packages are in
	// the Bazel module.
	w.Succeed("run", append(options, "//:gazelle", "--", "-mode=diff")...)
}

// detectorWeights is the file whose hash MODULE.bazel has.
func detectorWeights(t *testing.T) []byte {
	const header = `{"weight":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}`
	data := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	data, err := binary.Append(append(data, header...), binary.LittleEndian, []float32{1, -1, 0.5, 2})
	require.NoError(t, err)
	return data
}
