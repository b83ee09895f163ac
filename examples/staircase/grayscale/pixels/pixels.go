// Package pixels converts between Go's images and tensors of bytes.
//
// # Errors
//
// PIXELS_DECODE for a file that is not a picture, PIXELS_SIZE for a
// picture of the wrong size; FILE_OPEN.
//
// # Determinism
//
// The same file gives the same bytes with the same version of Go: JPEG decoders
// upsample colours differently, by tens of levels at edges.
//
// # Untrusted input
//
// The size is read and compared before any pixel is decoded.
package pixels

import (
	"bufio"
	"image"
	"image/color"
	_ "image/jpeg" // formats of image.Decode
	_ "image/png"
	"io"
	"os"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Codes of this package.
const (
	CodeDecode errs.Code = "PIXELS_DECODE"
	CodeSize   errs.Code = "PIXELS_SIZE"
	CodeOpen   errs.Code = "FILE_OPEN"
)

// ReadRGB returns the picture in a JPEG or PNG file as u8 [height, width,
// 3]: red, green and blue without alpha.
func ReadRGB(path string, height, width int) (tensor.Value, error) {
	f, err := os.Open(path)
	if err != nil {
		return tensor.Value{}, errs.Wrap(CodeOpen, err, "cannot open the picture").In(path).Hint("check the path")
	}
	defer f.Close()
	size, _, err := image.DecodeConfig(bufio.NewReader(f))
	if err != nil {
		return tensor.Value{}, notAPicture(err, path)
	}
	if size.Height != height || size.Width != width {
		return tensor.Value{}, errs.New(CodeSize, "the picture has %d x %d pixels, but the model takes %d x %d", size.Width, size.Height, width, height).
			In(path).Hint("scale or crop the picture to this size")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return tensor.Value{}, errs.Wrap(CodeOpen, err, "cannot read the picture a second time").In(path).Hint("give a file, not a pipe")
	}
	picture, _, err := image.Decode(bufio.NewReader(f))
	if err != nil {
		return tensor.Value{}, notAPicture(err, path)
	}
	return tensor.Of(rgb(picture), int64(height), int64(width), 3)
}

func notAPicture(err error, path string) error {
	return errs.Wrap(CodeDecode, err, "not a readable picture").In(path).Hint("give a JPEG or PNG file")
}

func rgb(picture image.Image) []uint8 {
	b := picture.Bounds()
	out := make([]uint8, 0, b.Dx()*b.Dy()*3)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(picture.At(x, y)).(color.NRGBA)
			out = append(out, c.R, c.G, c.B)
		}
	}
	return out
}

// Gray returns u8 [height, width] as a picture.
func Gray(v tensor.Value) (*image.Gray, error) {
	levels, err := tensor.Slice[uint8](v)
	if err != nil {
		return nil, err
	}
	size := v.Type.Shape.Sizes()
	if len(size) != 2 {
		return nil, errs.New(CodeSize, "%s is not [height, width]", v.Type)
	}
	width := int(size[1])
	return &image.Gray{Pix: levels, Stride: width, Rect: image.Rect(0, 0, width, int(size[0]))}, nil
}
