package devices

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/ireert"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/errs"
)

// find returns a target of a report.
func find(t *testing.T, r *Report, name string) Target {
	t.Helper()
	for _, x := range r.Targets {
		if x.Name == name {
			return x
		}
	}
	require.Fail(t, "no target", name)
	return Target{}
}

// Every row says what it needs, and why it does not run here.
func TestTargets(t *testing.T) {
	old := processor.Processor{Arch: "x86_64", OS: "linux", Instructions: map[string]bool{"avx2": true, "avx512f": false, "avx512bw": true}}
	r := &Report{Library: "l", Drivers: []Driver{
		{Name: "local-task", Device: true}, {Name: "vulkan", Device: true}, {Name: "cuda", Missing: "libcuda.so not available"},
	}}
	for _, row := range target.Rows() {
		x := r.target(row, old)
		r.Targets = append(r.Targets, x)
		require.NotEmpty(t, x.Needs, row.Name)
		require.Equal(t, x.Why == "", x.Here, row.Name)
	}
	for name, want := range map[string]Target{
		"cpu_x86_64_v3":   {Here: true},
		"vmvx":            {Here: true, Needs: "any processor"},
		"vulkan_generic":  {Here: true, Needs: "a Vulkan loader (libvulkan) and a driver for it"},
		"cpu_x86_64_v4":   {Why: "this processor lacks avx512f"},
		"aarch64_generic": {Why: "this processor is x86_64", Needs: "a processor for aarch64-unknown-linux-gnu with neon"},
		"cuda_sm_80":      {Why: "the driver cuda finds no device", Needs: "NVIDIA's driver (libcuda), and a device that runs code for sm_80"},
		"rocm_gfx942":     {Why: "the runtime has no driver hip", Needs: "AMD's ROCm (libamdhip64), and a device that runs code for gfx942"},
		"metal":           {Why: "the runtime has no driver metal", Needs: "macOS"},
	} {
		x := find(t, r, name)
		require.Equal(t, want.Here, x.Here, name)
		require.Equal(t, want.Why, x.Why, name)
		if want.Needs != "" {
			require.Equal(t, want.Needs, x.Needs, name)
		}
	}
	require.Contains(t, find(t, r, "webgpu").Why, "without WebGPU")

	// Code for another system, and code to be linked.
	arm := processor.Processor{Arch: "aarch64", OS: "linux"}
	require.Equal(t, "this system is linux", r.target(row(t, "apple_m1"), arm).Why)
	require.Empty(t, r.target(row(t, "aarch64"), arm).Why)
}

func row(t *testing.T, name string) target.Row {
	t.Helper()
	r, err := target.Find(name)
	require.NoError(t, err)
	return r
}

// Without a library the processor is told all the same.
func TestNoLibrary(t *testing.T) {
	t.Setenv(iree.LibraryVariable, "")
	t.Setenv("PATH", t.TempDir())
	o := Options{Folder: t.TempDir()}
	r, err := Of(t.Context(), o)
	require.NoError(t, err)
	require.Empty(t, r.Library)
	require.Contains(t, r.Missing, iree.LibraryVariable)
	require.Equal(t, "there is no runtime", find(t, r, "vmvx").Why)
	path := filepath.Join(t.TempDir(), "libireert.so")
	require.NoError(t, os.WriteFile(path, []byte("text"), 0o600))
	_, err = Of(t.Context(), Options{Library: path})
	require.Equal(t, ireert.CodeLoad, errs.CodeOf(err))
	require.ErrorContains(t, err, path)
	t.Setenv(iree.LibraryVariable, path)
	r, err = Of(t.Context(), o)
	require.NoError(t, err)
	require.Empty(t, r.Library)
	require.Contains(t, r.Missing, "the runtime library cannot be loaded")
	require.Contains(t, r.Missing, "--tool")
	require.Empty(t, r.Drivers)
}

// The tool is a runtime too: one on the path counts, and its words are the reason.
func TestTool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv(iree.LibraryVariable, "")
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	tool := filepath.Join(dir, "iree-run-module")
	write := func(body string) { require.NoError(t, os.WriteFile(tool, []byte("#!/bin/sh\n"+body), 0o700)) }
	write(`case "$1" in
--list_drivers) printf '# Drivers\n  cuda: NVIDIA\n  local-task: threads\n  vulkan: V\n';;
--list_devices=local-task) echo local-task://;;
--list_devices=cuda) printf '\033[31mFLAGS ERROR: \033[0m\nc/x/y.c:66: UNAVAILABLE; libcuda.so not available\n' >&2; exit 1;;
esac
`)
	r, err := Of(t.Context(), Options{Folder: t.TempDir()})
	require.NoError(t, err)
	require.Empty(t, r.Library)
	require.Empty(t, r.Missing)
	require.Equal(t, tool, r.Tool)
	require.Equal(t, []Driver{{"cuda", false, "libcuda.so not available"}, {"local-task", true, ""}, {"vulkan", false, "the driver lists no device"}}, r.Drivers)
	require.True(t, find(t, r, "vmvx").Here)
	require.Equal(t, "the runtime has no driver hip", find(t, r, "rocm_gfx942").Why)
	write("exit 3")
	_, err = Of(t.Context(), Options{Tool: tool})
	require.Equal(t, iree.CodeLoad, errs.CodeOf(err))
	r, err = Of(t.Context(), Options{Folder: t.TempDir()})
	require.NoError(t, err)
	require.Equal(t, "the tool does not run", r.Missing)
}
