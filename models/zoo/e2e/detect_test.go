//go:build integration

package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/models/zoo/nanodet"
	"github.com/skainet-dev/skainet-go/vision/box"
)

// TestDetect finds the admiral and her tie. OpenCV scales the photograph in integers of a
// few bits, and another decoder of JPEG may round a level otherwise.
func TestDetect(t *testing.T) {
	var want []struct {
		Class int
		Score float64
		Box   [4]float64 // x, y, width, height
	}
	read(t, "OBJECTS", &want)
	require.Len(t, want, 2)
	var got struct {
		Objects []struct {
			Name  string
			Score float64
			Box   [4]float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(run(t, "DETECT", "--json", path(t, "PHOTO"))), &got))
	require.Len(t, got.Objects, len(want))
	for i, w := range want {
		g := got.Objects[i]
		require.Equal(t, nanodet.Names[w.Class], g.Name)
		require.InDelta(t, w.Score, g.Score, 0.03)
		a := box.Box{X0: max(w.Box[0], 0), Y0: max(w.Box[1], 0), X1: min(w.Box[0]+w.Box[2], 512), Y1: min(w.Box[1]+w.Box[3], 600)}
		require.Greater(t, box.IoU(a, box.Box{X0: g.Box[0], Y0: g.Box[1], X1: g.Box[2], Y1: g.Box[3]}), 0.95)
	}
}
