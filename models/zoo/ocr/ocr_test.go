package ocr

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

// program answers with a function of its argument.
type program struct {
	last   shape.Dim   // of the result
	size   shape.Shape // of what it sees: height and width
	answer func(v tensor.Value, in []float32) (tensor.Value, error)
}

func (p program) Contract() *contract.Contract {
	return &contract.Contract{Entries: []contract.Entry{{
		Name: "main", Args: []contract.Named{{Name: "x", DType: dtype.F32, Shape: slices.Concat(shape.Of(1, 3), p.size)}},
		Results: []contract.Named{{Name: "y", DType: dtype.F32, Shape: shape.Shape{shape.Named("n"), p.last}}},
	}}}
}
func (p program) Close() error { return nil }
func (p program) Call(_ context.Context, _ string, args ...tensor.Value) ([]tensor.Value, error) {
	in, err := tensor.Slice[float32](args[0])
	if err != nil {
		return nil, err
	}
	v, err := p.answer(args[0], in)
	return []tensor.Value{v}, err
}

var open = shape.Shape{shape.Named("h"), shape.Named("w")}

// white finds what is white, takes a line whose left is brighter than its right for one
// that is upside down, and reads its width.
func white() Programs {
	blue := func(v tensor.Value, in []float32) (w, h int, plane []float32) {
		h, w = int(v.Type.Shape[2].Size), int(v.Type.Shape[3].Size)
		return w, h, in[:w*h]
	}
	return Programs{
		Detect: program{shape.Named("w"), open, func(v tensor.Value, in []float32) (tensor.Value, error) {
			w, h, plane := blue(v, in)
			out := make([]float32, w*h)
			for i, x := range plane {
				out[i] = max(x, 0)
			}
			return tensor.Of(out, 1, 1, int64(h), int64(w))
		}},
		Angle: program{shape.Of(2)[0], shape.Of(48, 192), func(v tensor.Value, in []float32) (tensor.Value, error) {
			w, h, plane := blue(v, in)
			row := plane[h/2*w:]
			if row[4] > row[48] {
				return tensor.Of([]float32{0.01, 0.99}, 1, 2)
			}
			return tensor.Of([]float32{0.8, 0.2}, 1, 2)
		}},
		Read: []backend.Executable{program{shape.Of(4)[0], open, func(v tensor.Value, _ []float32) (tensor.Value, error) {
			if v.Type.Shape[3].Size > lineWidth {
				return tensor.Of([]float32{0, 0.9, 0.1, 0, 0, 0, 0, 0.7, 0, 0.1, 0.8, 0}, 1, 3, 4) // a, space, b
			}
			return tensor.Of([]float32{0, 0.1, 0.6, 0, 0.9, 0, 0, 0, 0, 0, 0.4, 0}, 1, 3, 4) // b, blank, b
		}}},
	}
}

// paint fills a rectangle.
func paint(p *picture.Picture, x0, y0, x1, y1 int, shade uint8) {
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			for c := range 3 {
				p.Pix[3*(y*p.Width+x)+c] = shade
			}
		}
	}
}

func TestRead(t *testing.T) {
	r, err := New(white(), []string{"a", "b"})
	require.NoError(t, err)
	p := picture.New(960, 736)
	paint(p, 100, 300, 200, 340, 250)
	paint(p, 60, 502, 900, 542, 250) // long: of more than 320 at a height of 48
	lines, err := r.Read(context.Background(), p)
	require.NoError(t, err)
	require.Len(t, lines, 2)
	require.Equal(t, "bb", lines[0].Text)
	require.InDelta(t, 0.5, lines[0].Score, 1e-6)
	require.Equal(t, "a b", lines[1].Text)
	require.InDelta(t, 0.8, lines[1].Score, 1e-6)
	for k, want := range (picture.Quad{{X: 60, Y: 502}, {X: 900, Y: 502}, {X: 900, Y: 542}, {X: 60, Y: 542}}) {
		require.InDelta(t, want.X, lines[1].Box[k].X, 35, "a line is found with a margin")
		require.InDelta(t, want.Y, lines[1].Box[k].Y, 35)
	}
	// The same, small, wide and large: boxes are in the picture's own pixels.
	small, err := r.Read(context.Background(), p.Area(240, 184))
	require.NoError(t, err)
	require.Len(t, small, 2)
	require.InDelta(t, lines[1].Box[0].X/4, small[1].Box[0].X, 3)
	large, err := r.Read(context.Background(), p.Resize(2880, 2208))
	require.NoError(t, err)
	require.Len(t, large, 2)
	require.InDelta(t, lines[1].Box[2].Y*3, large[1].Box[2].Y, 6)
	wide := picture.New(900, 50)
	paint(wide, 40, 5, 700, 45, 250)
	flatLines, err := r.Read(context.Background(), wide)
	require.NoError(t, err)
	require.Len(t, flatLines, 1)
	require.InDelta(t, 0, flatLines[0].Box[0].Y, 5)
	none, err := r.Read(context.Background(), picture.New(1, 1))
	require.NoError(t, err)
	require.Empty(t, none)
}

// Programs of fixed sizes see what fits.
func TestFixedSizes(t *testing.T) {
	p := picture.New(960, 736)
	paint(p, 100, 300, 200, 340, 250)
	paint(p, 60, 502, 900, 542, 250)
	all := white()
	read := all.Read[0].(program)
	widths := []int64{}
	fixedTo := func(w int64) backend.Executable {
		return program{read.last, shape.Of(48, w), func(v tensor.Value, in []float32) (tensor.Value, error) {
			require.Equal(t, w, v.Type.Shape[3].Size)
			widths = append(widths, w)
			return read.answer(v, in)
		}}
	}
	all.Read = []backend.Executable{fixedTo(640), fixedTo(320)}
	for _, size := range []shape.Shape{shape.Of(960, 960), shape.Of(320, 640)} {
		detect := all.Detect.(program)
		detect.size = size
		all.Detect = detect
		r, err := New(all, []string{"a", "b"})
		require.NoError(t, err)
		lines, err := r.Read(context.Background(), p)
		require.NoError(t, err)
		require.Len(t, lines, 2)
		require.Equal(t, "bb", lines[0].Text)
		require.Equal(t, "a b", lines[1].Text)
		require.InDelta(t, 60, lines[1].Box[0].X, 40)
		require.InDelta(t, 542, lines[1].Box[2].Y, 45)
	}
	require.Equal(t, []int64{320, 640, 320, 640}, widths)
}

func TestRefused(t *testing.T) {
	good := white()
	_, err := New(good, []string{"a"})
	require.Equal(t, CodeProgram, errs.CodeOf(err), "a list of characters of another model")
	broken := program{shape.Of(4)[0], open, func(tensor.Value, []float32) (tensor.Value, error) { return tensor.Value{}, errors.New("broken") }}
	short := program{shape.Of(4)[0], open, func(tensor.Value, []float32) (tensor.Value, error) { return tensor.Of([]float32{1, 2, 3}, 3) }}
	p := picture.New(960, 736)
	paint(p, 100, 300, 500, 340, 250)
	for _, bad := range []backend.Executable{broken, short} {
		for n := range 3 {
			all := good
			all.Read = slices.Clone(all.Read)
			*[]*backend.Executable{&all.Detect, &all.Angle, &all.Read[0]}[n] = bad
			r, err := New(all, []string{"a", "b"})
			require.NoError(t, err)
			_, err = r.Read(context.Background(), p)
			require.Error(t, err)
			require.Contains(t, []errs.Code{CodeProgram, ""}, errs.CodeOf(err))
		}
	}
}

func TestDecode(t *testing.T) {
	characters := []string{"", "x", "y"}
	for _, c := range []struct {
		steps []float32
		text  string
		score float64
	}{
		{nil, "", 0},
		{[]float32{1, 0, 0}, "", 0},
		{[]float32{0, 0.9, 0.1, 0, 0.5, 0.1, 0, 0.2, 0.7}, "xy", 0.8},
		{[]float32{0, 0.9, 0, 1, 0, 0, 0, 0.5, 0}, "xx", 0.7},
	} {
		text, score := Decode(c.steps, characters)
		require.Equal(t, c.text, text)
		require.InDelta(t, c.score, score, 1e-6)
	}
}

func TestOrder(t *testing.T) {
	at := func(x, y float64) picture.Quad { return picture.Quad{{X: x, Y: y}} }
	require.Equal(t, []picture.Quad{at(10, 108), at(50, 104), at(200, 100), at(5, 130)}, sorted([]picture.Quad{at(5, 130), at(50, 104), at(200, 100), at(10, 108)}))
}
