// Package picture reads pictures and turns them into what vision models take: other sizes,
// cut-outs, tensors.
//
// # Errors
//
// PICTURE_READ for a file that is none of PNG, JPEG, GIF, BMP, TIFF and WebP, or is
// damaged; PICTURE_SIZE for one of more than MaxPixels pixels, which is read from its
// header, before anything is allocated for it.
//
// # Determinism
//
// The pixels depend only on the file.
package picture

import (
	"bytes"
	"image"
	"image/color"
	_ "image/gif"  // a format that is read
	_ "image/jpeg" // a format that is read
	"image/png"

	_ "golang.org/x/image/bmp"  // a format that is read
	_ "golang.org/x/image/tiff" // a format that is read
	_ "golang.org/x/image/webp" // a format that is read

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Codes of this package.
const (
	CodeRead errs.Code = "PICTURE_READ" // smallest input: the empty file
	CodeSize errs.Code = "PICTURE_SIZE" // smallest input: a PNG of 1 x 67108865 pixels
)

// The largest pictures.
const (
	MaxPixels = 1 << 26   // 67 million
	maxFile   = 256 << 20 // bytes
)

// Picture is a picture of 8-bit red, green and blue without transparency.
type Picture struct {
	Width, Height int
	Pix           []uint8 // [Height, Width, 3]
}

// New returns a black picture.
func New(width, height int) *Picture {
	return &Picture{width, height, make([]uint8, 3*width*height)}
}

// ReadFile reads the file at path; its errors name that path.
func ReadFile(path string) (*Picture, error) {
	data, err := regular.Read(path, maxFile)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the picture").In(path)
	}
	p, err := Decode(data)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	return p, nil
}

// Decode reads a picture; what is transparent becomes white.
func Decode(data []byte) (*Picture, error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "not a picture that can be read").Hint("convert it to PNG or JPEG")
	}
	if head.Width < 1 || head.Height < 1 || head.Width > MaxPixels/head.Height {
		return nil, errs.New(CodeSize, "%d x %d pixels; at most %d in all are read", head.Width, head.Height, MaxPixels).Hint("scale the picture down")
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "the picture is damaged").Hint("copy or convert it again")
	}
	return From(m), nil
}

// From copies an image; what is transparent becomes white.
func From(m image.Image) *Picture {
	b := m.Bounds()
	p := New(b.Dx(), b.Dy())
	i := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA) //nolint:forcetypeassert // the model's own type
			a := int(c.A)
			for k, v := range [3]uint8{c.R, c.G, c.B} {
				p.Pix[i+k] = uint8((int(v)*a + 255*(255-a) + 127) / 255)
			}
			i += 3
		}
	}
	return p
}

// Image returns a copy as an image of the standard library, to draw on.
func (p *Picture) Image() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	for i := range p.Width * p.Height {
		copy(m.Pix[4*i:], p.Pix[3*i:3*i+3])
		m.Pix[4*i+3] = 255
	}
	return m
}

// WritePNG writes an image to a file, whole or not at all.
func WritePNG(path string, m image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot encode the picture").In(path)
	}
	return atomicfile.WriteFile(path, b.Bytes())
}
