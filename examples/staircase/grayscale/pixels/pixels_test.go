package pixels

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func file(t *testing.T, data []byte) string {
	path := filepath.Join(t.TempDir(), "picture")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func encoded(t *testing.T, m image.Image, encode func(*bytes.Buffer, image.Image) error) []byte {
	var b bytes.Buffer
	require.NoError(t, encode(&b, m))
	return b.Bytes()
}

func asPNG(b *bytes.Buffer, m image.Image) error  { return png.Encode(b, m) }
func asJPEG(b *bytes.Buffer, m image.Image) error { return jpeg.Encode(b, m, nil) }

// Rows come before columns, and the three colours are adjacent.
func TestReadRGB(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 3, 2))
	for i, c := range []color.NRGBA{{R: 255, A: 255}, {G: 254, A: 255}, {B: 253, A: 255}, {1, 2, 3, 255}, {4, 5, 6, 255}, {}} {
		m.SetNRGBA(i%3, i/3, c)
	}
	v, err := ReadRGB(file(t, encoded(t, m, asPNG)), 2, 3)
	require.NoError(t, err)
	require.Equal(t, tensor.TypeOf(dtype.U8, 2, 3, 3), v.Type)
	require.Equal(t, []byte{255, 0, 0, 0, 254, 0, 0, 0, 253, 1, 2, 3, 4, 5, 6, 0, 0, 0}, v.Bytes)
}

func TestReadRGBRefuses(t *testing.T) {
	good := encoded(t, image.NewNRGBA(image.Rect(0, 0, 16, 16)), asJPEG)
	for _, tt := range []struct {
		name string
		path string
		code errs.Code
	}{
		{"no file", filepath.Join(t.TempDir(), "none.jpg"), CodeOpen},
		{"empty", file(t, nil), CodeDecode},
		{"text", file(t, []byte("a picture")), CodeDecode},
		{"cut short", file(t, good[:len(good)-20]), CodeDecode},
		{"header alone", file(t, good[:30]), CodeDecode},
		{"another size", file(t, encoded(t, image.NewGray(image.Rect(0, 0, 16, 15)), asPNG)), CodeSize},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ReadRGB(tt.path, 16, 16)
			require.Equal(t, tt.code, errs.CodeOf(err), err)
			require.ErrorContains(t, err, tt.path)
		})
	}
}

func TestGray(t *testing.T) {
	v, err := tensor.Of([]uint8{1, 2, 3, 4, 5, 6}, 2, 3)
	require.NoError(t, err)
	m, err := Gray(v)
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 3, 2), m.Bounds())
	require.Equal(t, uint8(3), m.GrayAt(2, 0).Y)
	require.Equal(t, uint8(4), m.GrayAt(0, 1).Y)

	v.Type = tensor.TypeOf(dtype.U8, 6)
	_, err = Gray(v)
	require.Equal(t, CodeSize, errs.CodeOf(err))
	v.Type = tensor.TypeOf(dtype.I8, 2, 3)
	_, err = Gray(v)
	require.Error(t, err)
}
