package target

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The document has nothing that Go programs do not know.
func TestDocument(t *testing.T) {
	d := json.NewDecoder(bytes.NewReader(document))
	d.DisallowUnknownFields()
	var got table
	require.NoError(t, d.Decode(&got))
	require.NotEmpty(t, got.IREE)
	require.Equal(t, DefaultLevel, got.Levels[0].Name)
	require.Empty(t, got.Levels[0].Flags)
	require.Equal(t, "--iree-vulkan-target", ArchitectureFlag("vulkan"))
	require.False(t, NamesProcessor("host"))
	r, err := Find(Default())
	require.NoError(t, err)
	require.Equal(t, "local-task", r.Device)
	require.Equal(t, got.IREE, IREEVersion())
	require.True(t, strings.HasPrefix(IREEVersion(), Release()+"."))
	require.True(t, NamesProcessor("x86-64-v3"))
}

// Each row says what it has of collectives.
func TestCollectives(t *testing.T) {
	drivers := map[string]bool{}
	for _, r := range Rows() {
		require.NotEmpty(t, r.Collectives(), r.Name)
		drivers[r.Device] = true
	}
	require.Len(t, collectives, len(drivers), "no driver that no row has")
}

func TestFind(t *testing.T) {
	r, err := Find("cpu_x86_64_v3")
	require.NoError(t, err)
	require.Equal(t, "local-task", r.Device)
	require.True(t, r.Kernels)
	require.Equal(t, "instructions", r.F16)
	for _, r := range Rows() {
		require.Equal(t, slices.Contains(r.Instructions, "avx512f"), r.Wide, r.Name)
	}
	require.Contains(t, r.Flags, "--iree-llvmcpu-target-cpu=x86-64-v3")
	_, err = Find("cpu")
	require.Equal(t, CodeTarget, errs.CodeOf(err))
	require.Contains(t, err.Error(), "aarch64, aarch64_cortex_a55, ")
	require.NotContains(t, err.Error(), "webgpu")
	_, err = Flags("webgpu", "")
	require.Equal(t, CodeRefused, errs.CodeOf(err))
	_, err = Flags("vulkan", "best")
	require.Equal(t, CodeLevel, errs.CodeOf(err))
}

// A level's flags stand in for those of the row, and those for processors are not
// given to others.
func TestLevels(t *testing.T) {
	for _, r := range Rows() {
		for _, l := range Levels() {
			flags, err := r.At(l.Name)
			require.NoError(t, err)
			names := map[string]bool{}
			for _, f := range flags {
				name, _, _ := strings.Cut(f, "=")
				require.False(t, names[name], "%s at %s: %s twice", r.Name, l.Name, name)
				names[name] = true
			}
			for _, f := range l.Flags {
				require.Contains(t, flags, f)
			}
			for _, f := range l.CPU {
				require.Equal(t, slices.Contains(r.Flags, LLVMCPUFlag()), slices.Contains(flags, f), "%s at %s: %s", r.Name, l.Name, f)
			}
		}
	}
	plain, err := Flags("cpu_x86_64_v3", "")
	require.NoError(t, err)
	r, err := Find("cpu_x86_64_v3")
	require.NoError(t, err)
	require.Equal(t, r.Flags, plain)
}
