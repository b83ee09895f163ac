//go:build integration

package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/devices"
	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
)

// report runs skainet devices with the runtime library.
func report(t *testing.T) devices.Report {
	t.Helper()
	var out, complaints bytes.Buffer
	require.Equal(t, 0, cli.Main([]string{"devices", "--json", "--library", path(t, "IREERT_LIBRARY")}, &out, &complaints), complaints.String())
	var r devices.Report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	return r
}

func driver(t *testing.T, r devices.Report, name string) devices.Driver {
	t.Helper()
	for _, d := range r.Drivers {
		if d.Name == name {
			return d
		}
	}
	require.Fail(t, "no driver", name)
	return devices.Driver{}
}

// A driver's library is loaded when a device is asked for, and called: here one that is in
// C, and refuses. Where there is none, the report says which is missing.
func TestDevices(t *testing.T) {
	dir := t.TempDir()
	const variable = "IREE_HAL_VULKAN_LIBVULKAN_PATH"
	t.Setenv(variable, filepath.Join(dir, "libvulkan.so"))
	r := report(t)
	require.Equal(t, path(t, "IREERT_LIBRARY"), r.Library)
	require.True(t, driver(t, r, "local-sync").Device)
	require.True(t, driver(t, r, "local-task").Device)
	require.False(t, driver(t, r, "vulkan").Device)
	require.Contains(t, driver(t, r, "vulkan").Missing, "libvulkan.so")
	for _, x := range r.Targets {
		if x.Name == "vulkan_generic" {
			require.Equal(t, "the driver vulkan finds no device", x.Why)
		}
	}

	calls := filepath.Join(dir, "calls.txt")
	t.Setenv(variable, path(t, "STUB_VULKAN"))
	t.Setenv("STUB_CALLS", calls)
	missing := driver(t, report(t), "vulkan").Missing
	require.NotContains(t, missing, "not found")
	called, err := os.ReadFile(calls)
	require.NoError(t, err)
	require.Contains(t, string(called), "vkGetInstanceProcAddr vkCreateInstance\n")
	require.Contains(t, string(called), "vkCreateInstance\n")
}

// The driver of CUDA is in the library, and NVIDIA's library is found where the system's
// linker looks for it.
func TestCUDA(t *testing.T) {
	dir := t.TempDir()
	missing := func() string {
		cmd := exec.CommandContext(t.Context(), path(t, "SKAINET"), "devices", "--json", "--library", path(t, "IREERT_LIBRARY"))
		cmd.Env = []string{"LD_LIBRARY_PATH=" + dir, "STUB_CALLS=" + filepath.Join(dir, "calls.txt")}
		out, err := cmd.Output()
		require.NoError(t, err)
		var r devices.Report
		require.NoError(t, json.Unmarshal(out, &r))
		d := driver(t, r, "cuda")
		require.False(t, d.Device)
		return d.Missing
	}
	stub, err := os.ReadFile(path(t, "STUB_CUDA"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "libcuda.so.1"), stub, 0o700))
	require.Contains(t, missing(), "CUDA_ERROR_NO_DEVICE")
	calls, err := os.ReadFile(filepath.Join(dir, "calls.txt"))
	require.NoError(t, err)
	require.Equal(t, "cuInit\n", string(calls))

	// A file that is no library stands for a machine without one.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "libcuda.so.1"), []byte("text"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "libcuda.so"), []byte("text"), 0o700))
	require.Contains(t, missing(), "libcuda.so")
}

// The table is for people.
func TestDevicesTable(t *testing.T) {
	var out, complaints bytes.Buffer
	require.Equal(t, 0, cli.Main([]string{"devices", "--library", path(t, "IREERT_LIBRARY")}, &out, &complaints), complaints.String())
	require.Regexp(t, `(?m)^local-sync +yes$`, out.String())
	require.Regexp(t, `(?m)^cpu_x86_64_v3 +local-task +yes(, default)? +a processor for x86_64-unknown-linux-gnu with .*avx2`, out.String())
	require.Regexp(t, `(?m)^aarch64 +local-task +no +this processor is x86_64 +a processor for aarch64-unknown-linux-gnu with dotprod neon$`, out.String())
}
