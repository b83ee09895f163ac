package openfile

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/backend/iree/wheel"
	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/compile/iree/compiler"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

func TestTarget(t *testing.T) {
	intel := processor.Processor{Arch: "x86_64", OS: "linux", Instructions: map[string]bool{"avx2": true, "avx512f": false}}
	recent := processor.Processor{Arch: "x86_64", OS: "linux", Instructions: map[string]bool{"avx2": true, "avx512f": true}}
	server := processor.Processor{Arch: "x86_64", OS: "linux", Instructions: map[string]bool{"avx2": true, "avx512f": true, "avx512vnni": false}}
	old := processor.Processor{Arch: "x86_64", OS: "linux", Instructions: map[string]bool{"avx2": false, "avx512f": false}}
	mips := processor.Processor{Arch: "mips64", OS: "linux"}
	for _, c := range []struct {
		device string
		here   processor.Processor
		want   string
	}{
		{"cpu", intel, "cpu_x86_64_v3"}, {"local-sync", recent, "cpu_x86_64_v4_vnni"}, {"cpu", server, "cpu_x86_64_v4"}, {"local-task", old, "cpu_x86_64_v1"},
		{"cpu", mips, "vmvx"}, {"vulkan", mips, "vulkan"}, {"vulkan://GPU-1", intel, "vulkan"}, {"hip", intel, "rocm_gfx942"},
	} {
		got, err := Target(c.device, c.here)
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%s on %s", c.device, c.here.Arch)
	}
	for _, device := range []string{"webgpu", "gpu9"} {
		_, err := Target(device, intel)
		require.Equal(t, CodeTarget, errs.CodeOf(err))
	}
}

// What is missing is said before anything is compiled.
func TestPrepare(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv(iree.LibraryVariable, "")
	t.Setenv(compiler.Variable, "")
	// Nothing is fetched: no place is named, and pip is not on the path.
	for _, v := range []string{"SKAINET_MIRRORS", "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"} {
		t.Setenv(v, "")
	}
	t.Setenv("PIP_CONFIG_FILE", os.DevNull)
	for _, c := range []struct {
		o    open.Options
		code errs.Code
	}{
		{open.Options{}, iree.CodeLoad},
		{open.Options{Library: "x"}, compiler.CodeNone},
		{open.Options{Library: "x", Fetch: true}, wheel.CodeFetch},
		{open.Options{Fetch: true}, wheel.CodeFetch},
		{open.Options{Tool: "x", Target: "cpu"}, target.CodeTarget},
		{open.Options{Tool: "x", Device: "gpu9"}, CodeTarget},
	} {
		err := prepare(t.Context(), &c.o, dir)
		require.Equal(t, c.code, errs.CodeOf(err), "%v", err)
	}
	o := open.Options{Library: "x", Compiler: "y", Device: "vulkan"}
	require.NoError(t, prepare(t.Context(), &o, dir))
	require.Equal(t, "vulkan", o.Target)
	require.Equal(t, iree.CodeLoad, errs.CodeOf(iree.CheckDevice(o.Library, o.Device, 0)), "the library is opened for its device")
	require.NoError(t, iree.CheckDevice(o.Library, "cpu", 0))
	require.Equal(t, dir, o.Cache.Folder())
}
