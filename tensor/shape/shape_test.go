package shape

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestTextAndJSONRoundTrip(t *testing.T) {
	tests := []struct {
		shape      Shape
		text, json string
	}{
		{Of(), "scalar", "[]"},
		{Of(1, 80, 3000), "1x80x3000", "[1,80,3000]"},
		{Shape{{Size: Dynamic}, {Size: 4}}, "?x4", `["?",4]`},
		{Shape{{Size: Dynamic, Name: "batch"}, {Size: 0}}, "batch?x0", `["batch?",0]`},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			require.Equal(t, tt.text, tt.shape.String())
			got, err := Parse(tt.text)
			require.NoError(t, err)
			if diff := cmp.Diff(tt.shape, got); diff != "" {
				t.Error(diff)
			}
			b, err := json.Marshal(tt.shape)
			require.NoError(t, err)
			require.Equal(t, tt.json, string(b))
			var back Shape
			require.NoError(t, json.Unmarshal(b, &back))
			require.True(t, back.Equal(tt.shape))
		})
	}
}

func TestBadShapes(t *testing.T) {
	for _, text := range []string{"", "x", "1x", "-2", "1.5", "ax2"} {
		_, err := Parse(text)
		require.Equal(t, CodeBad, errs.CodeOf(err), text)
	}
	for _, text := range []string{`3`, `[-1]`, `["a"]`, `[1.5]`, `[null]`} {
		var s Shape
		require.Error(t, json.Unmarshal([]byte(text), &s), text)
	}
}

func TestElementsChecksTheProduct(t *testing.T) {
	n, err := Of(2, 3, 4).Elements()
	require.NoError(t, err)
	require.EqualValues(t, 24, n)
	n, err = Of(1<<62, 0, 1<<62).Elements()
	require.NoError(t, err, "a zero size makes the tensor empty, whatever comes after it")
	require.Zero(t, n)
	_, err = Of(1<<62, 8).Elements()
	require.Equal(t, CodeOverflow, errs.CodeOf(err))
	_, err = Of(2, Dynamic).Elements()
	require.Equal(t, CodeDynamic, errs.CodeOf(err))
}
