package picture

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func open(t *testing.T, name string) *Picture {
	t.Helper()
	p, err := ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return p
}

// near compares levels; OpenCV computes in integers of few bits.
func near(t *testing.T, want, got *Picture, most int) {
	t.Helper()
	require.Equal(t, [2]int{want.Width, want.Height}, [2]int{got.Width, got.Height})
	for i := range want.Pix {
		d := int(want.Pix[i]) - int(got.Pix[i])
		require.LessOrEqual(t, max(d, -d), most, "level %d: %d, want %d", i, got.Pix[i], want.Pix[i])
	}
}

// vision/record.py made the pictures.
func TestResizeIsOpenCVs(t *testing.T) {
	p := open(t, "source.png")
	near(t, open(t, "resize_80x50.png"), p.Resize(80, 50), 1)
	near(t, open(t, "resize_21x13.png"), p.Resize(21, 13), 1)
	near(t, open(t, "resize_48x20.png"), p.Resize(48, 20), 1)
	require.Same(t, p, p.Resize(48, 36))
}

// OpenCV rounds places to 1/32 of a pixel, and levels of this picture change by up to 60
// from one to the next.
func TestWarpIsOpenCVs(t *testing.T) {
	p := open(t, "source.png")
	near(t, open(t, "warp_40x24.png"), p.Warp(Quad{{5, 7}, {40, 2}, {44, 25}, {3, 30}}, 40, 24), 6)
	upright := Quad{{2, 3}, {12, 3}, {12, 9}, {2, 9}}
	near(t, p.Crop(2, 3, 10, 6), p.Warp(upright, 10, 6), 0)
	w, h := upright.Size()
	require.Equal(t, [2]float64{10, 6}, [2]float64{w, h})
	// A quadrilateral without an area is no reason to stop.
	require.Len(t, p.Warp(Quad{{1, 1}, {1, 1}, {1, 1}, {1, 1}}, 3, 2).Pix, 18)
	require.Len(t, p.Warp(Quad{{-1e18, 0}, {1e18, 0}, {1, 1e18}, {0, -1e18}}, 3, 2).Pix, 18)
}

func TestTurns(t *testing.T) {
	p := open(t, "source.png")
	require.Equal(t, p, p.Rotate180().Rotate180())
	require.Equal(t, p.Rotate180(), p.RotateLeft().RotateLeft())
	require.Equal(t, p.Pix[3*47:3*48], p.RotateLeft().Pix[:3], "the top right corner becomes the top left one")
	framed, scale := p.Letterbox(64, 64, 7)
	require.InDelta(t, 64./48, scale, 0)
	require.Equal(t, p.Resize(64, 48).Pix, framed.Pix[:3*64*48])
	require.Equal(t, []uint8{7, 7, 7}, framed.Pix[3*64*48:3*64*48+3])
	require.Equal(t, p.Pix, p.Pad(5, 2, 60, 50, 0).Crop(5, 2, 48, 36).Pix)
	small := p.Area(12, 9)
	sum := 0
	for y := range 4 {
		for x := range 4 {
			sum += int(p.Pix[3*(y*48+x)])
		}
	}
	require.InDelta(t, float64(sum)/16, float64(small.Pix[0]), 0.5)
}

func TestTensor(t *testing.T) {
	p := &Picture{2, 1, []uint8{1, 2, 3, 4, 5, 6}}
	for _, c := range []struct {
		form Form
		dims []int64
		want []float32
	}{
		{Form{Scale: [3]float32{1, 1, 1}}, []int64{1, 3, 1, 2}, []float32{1, 4, 2, 5, 3, 6}},
		{Form{Scale: [3]float32{1, 1, 1}, BGR: true}, []int64{1, 3, 1, 2}, []float32{3, 6, 2, 5, 1, 4}},
		{Form{Scale: [3]float32{1, 1, 1}, Last: true}, []int64{1, 1, 2, 3}, []float32{1, 2, 3, 4, 5, 6}},
		{Form{Mean: [3]float32{1, 2, 3}, Scale: [3]float32{10, 1, 0.5}}, []int64{1, 3, 1, 2}, []float32{0, 30, 0, 3, 0, 1.5}},
	} {
		v, err := c.form.Tensor(p)
		require.NoError(t, err)
		got, err := tensor.Slice[float32](v)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		for i, d := range c.dims {
			require.Equal(t, d, v.Type.Shape[i].Size)
		}
	}
	two, err := Half.Tensor(p, p)
	require.NoError(t, err)
	require.Equal(t, int64(2), two.Type.Shape[0].Size)
}

func TestFormats(t *testing.T) {
	m := image.NewNRGBA(image.Rect(3, 4, 5, 5))
	m.SetNRGBA(3, 4, color.NRGBA{200, 100, 0, 255})
	m.SetNRGBA(4, 4, color.NRGBA{0, 0, 0, 51}) // a fifth of black on white
	want := []uint8{200, 100, 0, 204, 204, 204}
	var a, b, c bytes.Buffer
	require.NoError(t, png.Encode(&a, m))
	require.NoError(t, tiff.Encode(&b, m, nil))
	for _, data := range [][]byte{a.Bytes(), b.Bytes()} {
		p, err := Decode(data)
		require.NoError(t, err)
		require.Equal(t, want, p.Pix)
	}
	require.NoError(t, bmp.Encode(&c, From(m).Image()))
	p, err := Decode(c.Bytes())
	require.NoError(t, err)
	require.Equal(t, want, p.Pix)
	file := filepath.Join(t.TempDir(), "p.png")
	require.NoError(t, WritePNG(file, p.Image()))
	again, err := ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, p, again)
}

func TestBadPictures(t *testing.T) {
	var small bytes.Buffer
	require.NoError(t, png.Encode(&small, image.NewGray(image.Rect(0, 0, 8, 8))))
	huge := bytes.Clone(small.Bytes())
	binary.BigEndian.PutUint32(huge[16:], 1<<26+1)
	binary.BigEndian.PutUint32(huge[20:], 1)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for name, c := range map[string]struct {
		data []byte
		code errs.Code
	}{
		"empty": {nil, CodeRead}, "text": {[]byte("no picture"), CodeRead}, "cut": {small.Bytes()[:40], CodeRead}, "huge": {huge, CodeSize},
	} {
		file := filepath.Join(t.TempDir(), "bad.png")
		require.NoError(t, os.WriteFile(file, c.data, 0o600))
		_, err := ReadFile(file)
		require.Equal(t, c.code, errs.CodeOf(err), name)
		require.ErrorContains(t, err, file)
	}
	_, err := ReadFile("testdata/none.png")
	require.Equal(t, CodeRead, errs.CodeOf(err))
}
