//go:build integration

package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/vision/picture"
)

// TestOCR reads the drawn page, with a tilted line and one upside down, as RapidOCR does.
// RapidOCR scales the page a little more, so that boxes differ by a few pixels and spaces
// between words may be found in one and not in the other.
func TestOCR(t *testing.T) {
	var want struct {
		Lines []struct {
			Box  [4][2]float64
			Text string
		}
	}
	read(t, "LINES", &want)
	require.Len(t, want.Lines, 6)
	marked := filepath.Join(t.TempDir(), "marked.png")
	var got struct {
		Lines []struct {
			Box   picture.Quad
			Text  string
			Score float64
		}
	}
	require.NoError(t, json.Unmarshal([]byte(run(t, "OCR", "--json", "--draw", marked, path(t, "PAGE"))), &got))
	require.Len(t, got.Lines, len(want.Lines))
	solid := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	for i, w := range want.Lines {
		require.Equal(t, solid(w.Text), solid(got.Lines[i].Text))
		require.Greater(t, got.Lines[i].Score, 0.85)
		for k, at := range w.Box {
			require.InDelta(t, at[0], got.Lines[i].Box[k].X, 5, w.Text)
			require.InDelta(t, at[1], got.Lines[i].Box[k].Y, 5, w.Text)
		}
	}
	page, err := picture.ReadFile(path(t, "PAGE"))
	require.NoError(t, err)
	drawn, err := picture.ReadFile(marked)
	require.NoError(t, err)
	require.Equal(t, [2]int{page.Width, page.Height}, [2]int{drawn.Width, drawn.Height})
	require.NotEqual(t, page.Pix, drawn.Pix)
}
