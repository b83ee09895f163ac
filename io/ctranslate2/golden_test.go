package ctranslate2

import (
	"bytes"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

const golden = "testdata/golden/model.bin"

// What the program in testdata/golden/README.md put into the file. CTranslate2
// stores the int8 weight as round(w * scale) with scale = 127 / max |w| of the row.
func goldenModel(t *testing.T) Model {
	return Model{
		Spec: "WhisperSpec", Revision: 3,
		Variables: []Variable{
			{"a/bias", value(t, []float32{1, 2}, 2)},
			{"a/weight", value(t, []int8{-127, -64, 0, 42, 85, 127}, 2, 3)},
			{"a/weight_scale", value(t, []float32{127. / 2, 127. / 3}, 2)},
			{"eps", value(t, []float32{0.125})},
			{"flag", value(t, []int8{1})},
			{"half", tensor.Value{Type: tensor.TypeOf(dtype.F16, 2), Bytes: []byte{0, 0x3c, 0, 0xc0}}},
			{"heads", value(t, []int16{6})},
			{"lang", value(t, []int8{-0x3d, -0x57}, 2)}, // "é" in UTF-8
			{"steps", value(t, []int32{-70000})},
		},
		Aliases: []Alias{{"layer_0/weight", "a/weight"}},
	}
}

func TestWriteIsByteEqualToCTranslate2(t *testing.T) {
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	var got bytes.Buffer
	require.NoError(t, Write(&got, goldenModel(t)))
	if diff := cmp.Diff(want, got.Bytes()); diff != "" {
		t.Error(diff)
	}
}

func TestReadsWhatCTranslate2Wrote(t *testing.T) {
	f, err := Open(golden)
	require.NoError(t, err)
	defer f.Close()
	require.Equal(t, map[string]int64{"flag": 1, "heads": 6, "steps": -70000}, f.Index().Scalars)
	// The second layer had the same weight; CTranslate2 made it an alias, and its
	// runtime finds the scale under the alias too.
	require.Equal(t, map[string]string{"layer_0/weight": "a/weight", "layer_0/weight_scale": "a/weight_scale"}, f.Index().Aliases)
	for _, v := range goldenModel(t).Variables {
		if v.Value.Type.Shape.Rank() == 0 && v.Value.Type.DType.IsInt() {
			continue
		}
		spec, err := f.Index().Lookup(v.Name)
		require.NoError(t, err)
		require.True(t, spec.Type().Equal(v.Value.Type), "%s: %s", v.Name, spec.Type())
		w, err := f.Tensor(v.Name)
		require.NoError(t, err)
		b, err := w.Bytes()
		require.NoError(t, err)
		require.Equal(t, v.Value.Bytes, b, v.Name)
	}
}

// The same variables, written by older CTranslate2 themselves.
func TestReadsOlderVersions(t *testing.T) {
	for _, name := range []string{"v3", "v4", "v5"} {
		f, err := Open("testdata/golden/" + name + ".bin")
		require.NoError(t, err)
		defer f.Close()
		want := &tensor.Index{
			Format:   Format,
			Metadata: map[string]string{"spec": "OldSpec", "binary_version": name[1:], "revision": "2"},
			Scalars:  map[string]int64{"flag": 1, "heads": -6},
			Aliases:  map[string]string{"b/weight": "a/weight", "b/weight_scale": "a/weight_scale"},
			Tensors: []tensor.Spec{
				spec("a/bias", dtype.F32, 12, 3),
				spec("a/weight", dtype.I8, 6, 2, 3),
				spec("a/weight_scale", dtype.F32, 8, 2),
				spec("eps", dtype.F32, 4),
				spec("words", dtype.I16, 4, 2),
			},
		}
		if diff := cmp.Diff(want, f.Index(), cmpopts.IgnoreUnexported(tensor.Index{})); diff != "" {
			t.Error(diff)
		}
		for name, want := range map[string]tensor.Value{
			"a/bias":         value(t, []float32{1, -2, 0.5}, 3),
			"b/weight":       value(t, []int8{-127, 0, 5, 1, 2, 127}, 2, 3),
			"b/weight_scale": value(t, []float32{0.5, 2}, 2),
			"eps":            value(t, []float32{0.125}),
			"words":          value(t, []int16{3, -4}, 2),
		} {
			w, err := f.Tensor(name)
			require.NoError(t, err)
			require.NoError(t, w.View(func(b []byte) error {
				require.Equal(t, want.Bytes, b, name)
				return nil
			}))
		}
	}
}

// The files of versions 4 and 5 differ in their first number only.
func TestVersions4And5AreOneLayout(t *testing.T) {
	v4, err := os.ReadFile("testdata/golden/v4.bin")
	require.NoError(t, err)
	v5, err := os.ReadFile("testdata/golden/v5.bin")
	require.NoError(t, err)
	require.Equal(t, v4[4:], v5[4:])
}
