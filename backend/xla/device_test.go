package xla

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

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
