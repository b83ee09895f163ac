package pjrt

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// Attributes of devices are laid out as pjrt_c_api.h has PJRT_NamedValue: kind 0 is a text, 1 an
// integer, 2 a list of integers, 3 a float, 4 a bool. A TPU's coordinates are a list; a
// plugin for CPUs has none. A kind of a later version is left out.
func TestAttributesOfDevices(t *testing.T) {
	var pin runtime.Pinner
	defer pin.Unpin()
	vendor, coords := []byte("NVIDIA"), []int64{1, 0, 2}
	pin.Pin(&vendor[0])
	pin.Pin(&coords[0])
	// A later version's values may be longer than those that are known.
	type longer struct {
		namedValue
		_ [2]uint64
	}
	var list []longer
	for _, v := range []struct {
		name      string
		kind      int32
		val, size uint64
	}{
		{"vendor", 0, uint64(uintptr(unsafe.Pointer(&vendor[0]))), 6},
		{"core_count", 1, ^uint64(0), 1},
		{"coords", 2, uint64(uintptr(unsafe.Pointer(&coords[0]))), 3},
		{"no_coords", 2, 0, 0},
		{"clock", 3, 0xffffffff_3fc00000, 1}, // the high half is not of the value
		{"unified", 4, 0xffffff00, 1},
		{"later", 5, 7, 1},
		{"coherent", 4, 1, 1},
	} {
		name := []byte(v.name)
		pin.Pin(&name[0])
		one := longer{namedValue: namedValue{name: &name[0], n: uintptr(len(name)), kind: v.kind, val: v.val, size: uintptr(v.size)}}
		one.head.size = unsafe.Sizeof(longer{})
		list = append(list, one)
	}
	pin.Pin(&list[0])
	got := attributesAt(unsafe.Pointer(&list[0]), uintptr(len(list)))
	require.Equal(t, []Attribute{
		{"vendor", "NVIDIA"}, {"core_count", int64(-1)}, {"coords", []int64{1, 0, 2}}, {"no_coords", []int64{}},
		{"clock", float32(1.5)}, {"unified", false}, {"coherent", true},
	}, got)
	var texts []string
	for _, a := range got {
		texts = append(texts, a.String())
	}
	require.Equal(t, []string{"vendor=NVIDIA", "core_count=-1", "coords=1.0.2", "no_coords=", "clock=1.5", "unified=false", "coherent=true"}, texts)
	require.Nil(t, attributesAt(nil, 3))
}
