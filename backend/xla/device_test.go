package xla

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

// What a plugin has is told, and what keeps it from it: of one that is named as an error.
func TestDevicesOfAPlugin(t *testing.T) {
	plugin := xlatest.Plugin(t)
	for _, path := range []string{plugin, ""} {
		r, err := Devices(path)
		require.NoError(t, err)
		require.Regexp(t, `^0\.\d+$`, r.API)
		r.API = ""
		require.Equal(t, &Report{Plugin: plugin, Platform: "cpu", Devices: []DeviceReport{{Name: "cpu:0", Kind: "cpu", Attributes: []string{}}}}, r)
	}
	_, err := Devices("none.so")
	require.Equal(t, pjrt.CodePlugin, errs.CodeOf(err))
	t.Setenv(pjrt.Variable, "")
	r, err := Devices("")
	require.NoError(t, err)
	require.Empty(t, r.Plugin)
	require.Contains(t, r.Missing, "no plugin of XLA was found")
}

// A program runs on the device that is named, whichever it was compiled for: from a graph, from
// a cache that another device filled, and from a file. State and weights are on that device.
func TestDevices(t *testing.T) {
	xlatest.Plugin(t)
	kept, err := cache.Open(t.TempDir())
	require.NoError(t, err)
	archives := map[string][]string{"model": {weights(t, 2)}}
	run := func(o Options) {
		t.Helper()
		o.Archives = archives
		x, err := Open(context.Background(), o)
		require.NoError(t, err)
		defer x.Close()
		for _, want := range []float32{5, 7, 9} {
			require.Equal(t, []float32{want, want}, call(t, x, "step", vector(t, 16, 1)), o.Device)
		}
		require.Len(t, x.(*session).engine.devices, 1)
		require.Equal(t, map[string]int{"cpu": 0, "cpu:1": 1, "cpu:3": 3}[o.Device], x.(*session).engine.devices[0].ID)
	}
	for _, device := range []string{"cpu:1", "cpu", "cpu:3"} {
		run(Options{Graph: counting(t), Device: device})
		for range 2 {
			run(Options{Graph: counting(t), Device: device, Cache: kept})
		}
		path := filepath.Join(t.TempDir(), "m.xla")
		require.NoError(t, Write(context.Background(), path, Options{Graph: counting(t), Device: device, Sizes: []map[string]int64{{"n": 4}}}))
		for _, other := range []string{"cpu", "cpu:1", "cpu:3"} {
			run(Options{Program: path, Device: other})
		}
	}
}
