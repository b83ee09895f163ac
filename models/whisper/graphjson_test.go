package whisper

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/dag/graphjson"
	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/lang"
)

// The document of a complete model gives the same text, for CPUs too, and round-trips.
func TestTheGraphSurvivesItsDocument(t *testing.T) {
	g, err := lang.Capture("whisper", indexOf(small), Model)
	require.NoError(t, err)
	doc, err := graphjson.Marshal(g)
	require.NoError(t, err)
	back, err := graphjson.Parse(doc)
	require.NoError(t, err)
	again, err := graphjson.Marshal(back)
	require.NoError(t, err)
	require.Equal(t, string(doc), string(again))
	for _, kernels := range []bool{false, true} {
		want, err := iree.Emit(g, iree.Options{Kernels: kernels, Constants: hlo.SizeThreshold{Bytes: 64}})
		require.NoError(t, err)
		got, err := iree.Emit(back, iree.Options{Kernels: kernels, Constants: hlo.SizeThreshold{Bytes: 64}})
		require.NoError(t, err)
		require.Equal(t, string(want.Text), string(got.Text))
	}
}
