package region

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/vision/picture"
)

// RapidOCR's regions of a real map (vision/record.py): its rectangles have whole numbers,
// and its enlarged ones are of corners that were cut to whole numbers before.
func TestRegionsAreRapidOCRs(t *testing.T) {
	p, err := picture.ReadFile("testdata/map.png")
	require.NoError(t, err)
	levels := make([]float32, p.Width*p.Height)
	for i := range levels {
		levels[i] = float32(p.Pix[3*i]) / 255
	}
	var want struct {
		Cases []struct {
			Options struct {
				Threshold float64 `json:"thresh"`
				Least     float64 `json:"box_thresh"`
				Most      int     `json:"max_candidates"`
				Grow      float64 `json:"unclip_ratio"`
				Dilate    bool    `json:"use_dilation"`
			}
			Boxes  [][4][2]float64
			Scores []float64
		}
	}
	data, err := os.ReadFile("testdata/regions.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &want))
	require.Len(t, want.Cases, 3)
	for _, c := range want.Cases {
		o := c.Options
		got := Find(levels, p.Width, p.Height, Options{Threshold: o.Threshold, Least: o.Least, Grow: o.Grow, Dilate: o.Dilate, Most: o.Most})
		require.Len(t, got, len(c.Boxes))
		for i, box := range c.Boxes {
			r := got[len(got)-1-i] // OpenCV finds the last one first
			require.InDelta(t, c.Scores[i], r.Score, 0.01)
			for k, at := range box {
				require.InDelta(t, at[0], r.Quad[k].X, 1.001, "%d: %v, want %v", i, r.Quad, box)
				require.InDelta(t, at[1], r.Quad[k].Y, 1.001, "%d: %v, want %v", i, r.Quad, box)
			}
		}
	}
}

func TestSmallestRectangle(t *testing.T) {
	var tilted []picture.Point
	for u := -20.; u <= 20; u++ {
		for v := -5.; v <= 5; v++ {
			tilted = append(tilted, picture.Point{X: 50 + u*math.Cos(0.3) - v*math.Sin(0.3), Y: 40 + u*math.Sin(0.3) + v*math.Cos(0.3)})
		}
	}
	h := hull(tilted)
	r := around(h)
	require.InDelta(t, 400, r.w*r.h, 1e-6)
	require.InDelta(t, 50, r.x, 1e-9)
	require.InDelta(t, 40, r.y, 1e-9)
	q := r.corners()
	w, height := q.Size()
	require.InDelta(t, 40, w, 1e-9)
	require.InDelta(t, 10, height, 1e-9)
	require.InDelta(t, 50-20*math.Cos(0.3)+5*math.Sin(0.3), q[0].X, 1e-9)
	// One point, and points on a line.
	require.Zero(t, around(hull([]picture.Point{{X: 1, Y: 2}, {X: 1, Y: 2}})).w)
	line := around(hull([]picture.Point{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 3, Y: 3}}))
	require.InDelta(t, 0, line.w*line.h, 1e-9)
}

func TestLimits(t *testing.T) {
	bright := func(w, h int) []float32 {
		m := make([]float32, 40*30)
		for y := range h {
			for x := range w {
				m[(5+y)*40+5+x] = 0.8
			}
		}
		return m
	}
	o := Options{Threshold: 0.3, Least: 0.5, Grow: 1.5, Most: 10}
	require.Len(t, Find(bright(20, 8), 40, 30, o), 1)
	require.InDelta(t, 0.8, Find(bright(20, 8), 40, 30, o)[0].Score, 1e-6)
	require.Empty(t, Find(bright(20, 3), 40, 30, o), "2 from its first to its last row")
	require.Empty(t, Find(bright(0, 0), 40, 30, o))
	o.Least = 0.81
	require.Empty(t, Find(bright(20, 8), 40, 30, o))
	o.Least, o.Most = 0, 0
	require.Empty(t, Find(bright(20, 8), 40, 30, o))
}
