package iree

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/dispatch"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// fakeTools stand for iree-benchmark-module, which writes its command line as the profile, and
// for iree-profile, which does what is said with the profile $4.
func fakeTools(t *testing.T, profile string) ProfileTools {
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700))
		return path
	}
	return ProfileTools{
		Benchmark: script("benchmark", `for a in "$@"; do case "$a" in --device_profiling_output=*) echo "$@" > "${a#*=}";; esac; done`),
		Profile:   script("profile", profile),
	}
}

const recorded = `{"type":"host_dispatch_event","key":"d","duration_ns":%d,"valid":true}`

func profiled(t *testing.T, o Options, tools ProfileTools) ([]dispatch.Row, error) {
	x, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	e := &o.Contract.Entries[0]
	e.Args = e.Results
	return Profile(context.Background(), o, tools, nil, 2, "f", x)
}

func TestProfile(t *testing.T) {
	y, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	o, _ := fakeTool(t, y)
	o.Device = "local-sync"
	tmp, copied := t.TempDir(), filepath.Join(t.TempDir(), "args")
	t.Setenv("TMPDIR", tmp)
	rows, err := profiled(t, o, fakeTools(t, fmt.Sprintf("cp $4 %s; echo '"+recorded+"'; echo '"+recorded+"'", copied, 7, 5)))
	require.NoError(t, err)
	require.Equal(t, []dispatch.Row{{Name: "d", Count: 1, Time: 5}}, rows)
	line, err := os.ReadFile(copied)
	require.NoError(t, err)
	require.Regexp(t, `^--device=local-sync --module=\S+/m.vmfb --function=f --input=2xf32=@\S+/in0.bin --benchmark_min_time=2x `+
		`--device_profiling_mode=host-execution,executable-metadata --device_profiling_output=\S+/profile.ireeprof\n$`, string(line))
	left, err := os.ReadDir(tmp)
	require.NoError(t, err)
	require.Empty(t, left, "inputs and the profile are removed")
}

func TestProfileFaults(t *testing.T) {
	y, err := tensor.Of([]float32{1, 2}, 2)
	require.NoError(t, err)
	o, _ := fakeTool(t, y)
	o.Device = "local-sync"
	_, err = profiled(t, o, fakeTools(t, `echo "profile.c:1: DATA_LOSS; cut short" >&2; exit 1`))
	require.Equal(t, dispatch.CodeProfile, errs.CodeOf(err))
	require.ErrorContains(t, err, "cut short")

	_, err = profiled(t, o, fakeTools(t, `echo '{}'`))
	require.Equal(t, dispatch.CodeProfile, errs.CodeOf(err))
	require.ErrorContains(t, err, "0 dispatches are recorded of 2 calls")

	tools := fakeTools(t, "")
	tools.Benchmark = filepath.Join(t.TempDir(), "none")
	_, err = profiled(t, o, tools)
	require.Equal(t, CodeCall, errs.CodeOf(err))

	tools = fakeTools(t, "")
	tools.Profile = filepath.Join(t.TempDir(), "none")
	_, err = profiled(t, o, tools)
	require.Equal(t, dispatch.CodeProfile, errs.CodeOf(err))

	o.Device = "vulkan"
	_, err = profiled(t, o, fakeTools(t, ""))
	require.Equal(t, dispatch.CodeProfile, errs.CodeOf(err))
	require.ErrorContains(t, err, "not on vulkan")
}
