package convert

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
)

// CTranslate2 itself is the oracle: its f32 file is copied without a change of a
// byte, and changed to f16 as it does.
func TestCTranslate2AsItsOwnConverter(t *testing.T) {
	w := openFile(t, "testdata/ct2/float32.bin")
	for golden, o := range map[string]Options{
		"float32.bin": {},
		"float16.bin": {Rules: rules(t, "f16")},
	} {
		out := filepath.Join(t.TempDir(), "model.bin")
		report, err := Convert(out, ctranslate2.Format, w, o)
		require.NoError(t, err)
		require.Empty(t, report.Dropped)
		want, err := os.ReadFile(filepath.Join("testdata/ct2", golden))
		require.NoError(t, err)
		got, err := os.ReadFile(out)
		require.NoError(t, err)
		require.Equal(t, want, got, golden)
	}
}

func TestPartOfCTranslate2(t *testing.T) {
	w := openFile(t, "testdata/ct2/float32.bin")
	out := filepath.Join(t.TempDir(), "model.bin")
	report, err := Convert(out, ctranslate2.Format, w, Options{Exclude: []string{"a/weight"}})
	require.NoError(t, err)
	require.Equal(t, []string{"layer_0/weight (another name of a/weight)"}, report.Dropped)
	x := index(t, openFile(t, out))
	require.Empty(t, x.Aliases)
	require.Equal(t, index(t, w).Scalars, x.Scalars)
	require.Len(t, x.Tensors, len(index(t, w).Tensors)-1)
}

func TestCTranslate2Refuses(t *testing.T) {
	ct2, other := openFile(t, "testdata/ct2/float32.bin"), ggufFile(t)
	out := filepath.Join(t.TempDir(), "model.bin")
	for name, tt := range map[string]struct {
		o    Options
		code errs.Code
	}{
		"a type that it has not": {Options{Rules: rules(t, "f64")}, CodeNoPlace},
		"shards":                 {Options{MaxShardSize: 1 << 20}, CodeOption},
		"a setting's type":       {Options{Rules: rules(t, "eps=f16")}, CodeNoChange},
	} {
		_, err := Convert(out, ctranslate2.Format, ct2, tt.o)
		require.Equal(t, tt.code, errs.CodeOf(err), "%s: %v", name, err)
	}
	_, err := Convert(out, ctranslate2.Format, other, Options{})
	require.Equal(t, CodeFormat, errs.CodeOf(err))
	require.NoFileExists(t, out)
}
