package pjrt

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// The structs have the sizes that a C compiler gives those of pjrt_c_api.h 0.81. A struct
// that ends in a small member is longer here, which a plugin allows.
func TestSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("plugins are for 64 bits")
	}
	for _, s := range []struct {
		name     string
		own, inC uintptr
	}{
		{"PJRT_NamedValue", unsafe.Sizeof(namedValue{}), 56},
		{"PJRT_Error_Message_Args", unsafe.Sizeof(messageArgs{}), 40},
		{"PJRT_Plugin_Attributes_Args", unsafe.Sizeof(pluginArgs{}), 32},
		{"PJRT_Client_Create_Args", unsafe.Sizeof(createArgs{}), 88},
		{"PJRT_Client_AddressableDevices_Args", unsafe.Sizeof(listArgs{}), 40},
		{"PJRT_Program", unsafe.Sizeof(program{}), 48},
		{"PJRT_Client_Compile_Args", unsafe.Sizeof(compileArgs{}), 56},
		{"PJRT_Client_BufferFromHostBuffer_Args", unsafe.Sizeof(fromHostArgs{}), 120},
		{"PJRT_Buffer_ToHostBuffer_Args", unsafe.Sizeof(toHostArgs{}), 56},
		{"PJRT_Buffer_UnsafePointer_Args", unsafe.Sizeof(numberArgs{}), 32},
		{"PJRT_Executable_Serialize_Args", unsafe.Sizeof(serializeArgs{}), 56},
		{"PJRT_Executable_DeserializeAndLoad_Args", unsafe.Sizeof(loadArgs{}), 64},
		{"PJRT_ExecuteOptions", unsafe.Sizeof(executeOptions{}), 112},
		{"PJRT_LoadedExecutable_Execute_Args", unsafe.Sizeof(executeArgs{}), 80},
		{"PJRT_Executable_GetCompiledMemoryStats_Args", unsafe.Sizeof(memoryArgs{}), 112},
		{"PJRT_Device_MemoryStats_Args", unsafe.Sizeof(deviceMemoryArgs{}), 192},
		{"PJRT_Event_IsReady_Args", unsafe.Sizeof(smallArgs{}), 32},
		{"the head of PJRT_Api", functionsAt, 40},
	} {
		require.Equal(t, s.inC, s.own, s.name)
	}
	require.Less(t, needed, uintptr(984), "the table of 0.81")
}

// A table of another major version, of an older one, or with too few functions is refused.
func TestTables(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("plugins are for 64 bits")
	}
	of := func(size uintptr, major, minor int32) *table {
		var x table
		x.size, x.version.major, x.version.minor = size, major, minor
		return &x
	}
	minor, err := of(984, 0, 115).check()
	require.NoError(t, err)
	require.Equal(t, 115, minor)
	for want, x := range map[string]*table{
		"version 1.0 of the PJRT C API":                            of(984, 1, 0),
		"version 0.54 of the PJRT C API, which is older than 0.81": of(984, 0, 54),
		"has 100 bytes, this program needs 816":                    of(100, 0, 81),
		"has 8 bytes, less than its own head":                      of(8, 0, 81),
	} {
		_, err := x.check()
		require.Equal(t, CodePlugin, errs.CodeOf(err), want)
		require.ErrorContains(t, err, want)
	}
}

func TestNoPlugin(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.so")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for path, want := range map[string]string{
		filepath.Join(dir, "none.so"): "does not exist",
		dir:                           "is not a file",
		empty:                         "cannot",
	} {
		_, err := Load(path, Options{})
		require.Equal(t, CodePlugin, errs.CodeOf(err), path)
		require.ErrorContains(t, err, path)
		require.ErrorContains(t, err, want)
	}
	for _, c := range []string{"/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/usr/lib64/libm.so.6"} {
		if _, err := os.Stat(c); err != nil {
			continue
		}
		_, err := Load(c, Options{})
		require.Equal(t, CodePlugin, errs.CodeOf(err))
		require.ErrorContains(t, err, "lacks the function GetPjrtApi")

		// The system would map what is not there.
		whole, err := os.ReadFile(c)
		require.NoError(t, err)
		cut := filepath.Join(dir, "cut.so")
		require.NoError(t, os.WriteFile(cut, whole[:len(whole)/2], 0o600))
		_, err = Load(cut, Options{})
		require.Equal(t, CodePlugin, errs.CodeOf(err))
		require.ErrorContains(t, err, "cut short")
	}
}

// A byte that changes, or one more, is another build.
func TestBuilds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plugin.so")
	of := func(b []byte) string {
		require.NoError(t, os.WriteFile(path, b, 0o600))
		build, err := buildOf(path)()
		require.NoError(t, err)
		return build
	}
	b := make([]byte, 2*partLength+1)
	first := of(b)
	require.Len(t, first, 64)
	require.Equal(t, first, of(b))
	require.NotEqual(t, first, of(append(b, 0)))
	b[partLength+5] = 1
	require.NotEqual(t, first, of(b))
	_, err := buildOf(path + ".none")()
	require.Equal(t, CodePlugin, errs.CodeOf(err))
}
