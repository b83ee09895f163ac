// Package ocr reads the text in a picture with the three models of PP-OCR (PaddleOCR),
// as RapidOCR 1.4 does: where lines are (PP-OCRv4), which of them are upside down, and
// what is written in each.
//
// The programs are those of the ONNX files, for one picture:
//
//	detect main(x f32 [1, 3, height, width]) -> f32 [1, 1, height, width]
//	angle  main(x f32 [1, 3, 48, 192]) -> f32 [1, 2]
//	read   main(x f32 [1, 3, 48, width]) -> f32 [1, steps, characters]
//
// A program of a fixed size sees a picture, or a line, that is scaled down until it fits,
// and filled up. Of several that read, each line is read by the narrowest that it fits in.
//
// # Errors
//
// OCR_PROGRAM for programs, or a list of characters, that are other ones.
//
// # Determinism
//
// As the programs.
package ocr

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/vision/picture"
	"github.com/skainet-dev/skainet-go/vision/region"
)

// CodeProgram is the code of a program that is not one of these models.
const CodeProgram errs.Code = "OCR_PROGRAM"

// RapidOCR's settings (its config.yaml).
const (
	shortSide  = 736  // a smaller picture is enlarged to it for the detector
	longSide   = 2000 // a larger one is made smaller
	leastSide  = 30
	multiple   = 32 // of both sides, for the detector
	lineHeight = 48
	angleWidth = 192
	lineWidth  = 320 // a shorter line is filled up
	certain    = 0.9 // that a line is upside down
	leastScore = 0.5
	flat       = 8 // lines of pictures that are wider than this many times their height get a frame
)

var limits = region.Options{Threshold: 0.3, Least: 0.5, Grow: 1.6, Dilate: true, Most: 1000}

// form is RapidOCR's: it reads pictures as OpenCV does.
var form = picture.Form{Mean: picture.Half.Mean, Scale: picture.Half.Scale, BGR: true}

// Programs are the loaded programs. The caller closes them.
type Programs struct {
	Detect, Angle backend.Executable
	Read          []backend.Executable
}

// Reader reads pictures. One goroutine uses it at a time.
type Reader struct {
	programs   Programs
	characters []string
}

// Line is a line of text and where it is: clockwise from the top left corner of what is
// written left to right.
type Line struct {
	Box   picture.Quad `json:"box"`
	Text  string       `json:"text"`
	Score float64      `json:"score"` // mean probability of a character
}

// New returns a reader; characters are those of the model that reads, without the blank
// before them and the space after them.
func New(p Programs, characters []string) (*Reader, error) {
	for _, x := range append([]backend.Executable{p.Detect, p.Angle}, p.Read...) {
		if e := x.Contract().Entries; len(e) != 1 || len(e[0].Args) != 1 || len(e[0].Results) != 1 || e[0].Args[0].Shape.Rank() != 4 {
			return nil, errs.New(CodeProgram, "the program %s has not one entry point of one picture and one result", x.Contract().Name)
		}
	}
	r := &Reader{p, slices.Concat([]string{""}, characters, []string{" "})}
	if len(p.Read) == 0 {
		return nil, errs.New(CodeProgram, "no program reads")
	}
	r.programs.Read = slices.SortedFunc(slices.Values(p.Read), func(a, b backend.Executable) int {
		return cmp.Compare(fixed(a, 3, math.MaxInt), fixed(b, 3, math.MaxInt))
	})
	for _, x := range p.Read {
		shape := x.Contract().Entries[0].Results[0].Shape
		if n := len(shape); n == 0 || shape[n-1].IsStatic() && shape[n-1].Size != int64(len(r.characters)) {
			return nil, errs.New(CodeProgram, "the program that reads gives %s, want %d numbers a step", shape, len(r.characters)).
				Hint("use the characters that are stored in the model's file")
		}
	}
	return r, nil
}

// fixed returns a size of what a program sees, or another one where it is open.
func fixed(x backend.Executable, axis, open int) int {
	if d := x.Contract().Entries[0].Args[0].Shape[axis]; d.IsStatic() {
		return int(d.Size)
	}
	return open
}

// Read returns the lines of a picture from top to bottom.
func (r *Reader) Read(ctx context.Context, p *picture.Picture) ([]Line, error) {
	boxes, err := r.lines(ctx, p)
	if err != nil {
		return nil, err
	}
	var found []Line
	for _, q := range boxes {
		cut := cutOut(p, q)
		down, err := r.upsideDown(ctx, cut)
		if err != nil {
			return nil, err
		}
		if down {
			cut = cut.Rotate180()
		}
		text, score, err := r.text(ctx, cut)
		if err != nil {
			return nil, err
		}
		if score >= leastScore && text != "" {
			found = append(found, Line{q, text, score})
		}
	}
	return found, nil
}

// call runs a program on a picture.
func call(ctx context.Context, x backend.Executable, p *picture.Picture) ([]float32, error) {
	v, err := form.Tensor(p)
	if err != nil {
		return nil, err
	}
	out, err := x.Call(ctx, x.Contract().Entries[0].Name, v)
	if err != nil {
		return nil, err
	}
	return tensor.Slice[float32](out[0])
}

// lines returns where lines are.
func (r *Reader) lines(ctx context.Context, p *picture.Picture) ([]picture.Quad, error) {
	scaled, top := p, 0
	if long := max(p.Width, p.Height); long > longSide {
		scaled = scale(p, float64(longSide)/float64(long))
	}
	if short := min(scaled.Width, scaled.Height); short < leastSide {
		scaled = scale(scaled, float64(leastSide)/float64(short))
	}
	// Lines that fill a picture are not found: they get a black frame above and below.
	framed := scaled
	if h := scaled.Height; h <= leastSide || scaled.Width > flat*h {
		top = max(max(scaled.Width/flat, leastSide)*2-h, h-max(scaled.Width/flat, leastSide)*2) / 2
		framed = scaled.Pad(0, top, scaled.Width, h+2*top, 0)
	}
	ratio := 1.
	if short := min(framed.Width, framed.Height); short < shortSide {
		ratio = float64(shortSide) / float64(short)
	}
	height, width := fixed(r.programs.Detect, 2, math.MaxInt), fixed(r.programs.Detect, 3, math.MaxInt)
	ratio = min(ratio, float64(width)/float64(framed.Width), float64(height)/float64(framed.Height))
	in := scale(framed, ratio)
	in = in.Resize(min(in.Width, width), min(in.Height, height)) // scale may round up
	seen := in.Pad(0, 0, fixed(r.programs.Detect, 3, in.Width), fixed(r.programs.Detect, 2, in.Height), 0)
	all, err := call(ctx, r.programs.Detect, seen)
	if err != nil {
		return nil, err
	}
	if len(all) != seen.Width*seen.Height {
		return nil, errs.New(CodeProgram, "the program that finds lines returned %d numbers for %d x %d pixels", len(all), seen.Width, seen.Height)
	}
	back := func(v float64, from, to, shift, size int) float64 {
		return min(max(math.Round(v/float64(from)*float64(to))-float64(shift), 0), float64(size-1))
	}
	var boxes []picture.Quad
	for _, found := range region.Find(all, seen.Width, seen.Height, limits) {
		q := found.Quad
		for i := range q {
			q[i].X = back(q[i].X, in.Width, framed.Width, 0, scaled.Width) * float64(p.Width) / float64(scaled.Width)
			q[i].Y = back(q[i].Y, in.Height, framed.Height, top, scaled.Height) * float64(p.Height) / float64(scaled.Height)
		}
		q = region.Clockwise(q)
		if w, h := q.Size(); w > 3 && h > 3 {
			boxes = append(boxes, q)
		}
	}
	return sorted(boxes), nil
}

// scale returns a picture whose sides are multiples of 32.
func scale(p *picture.Picture, ratio float64) *picture.Picture {
	side := func(n int) int {
		return max(int(math.RoundToEven(math.Floor(float64(n)*ratio)/multiple))*multiple, multiple)
	}
	return p.Resize(side(p.Width), side(p.Height))
}

// sorted orders boxes from top to bottom, and those of one height from left to right.
func sorted(boxes []picture.Quad) []picture.Quad {
	const sameLine = 10 // pixels
	slices.SortStableFunc(boxes, func(a, b picture.Quad) int {
		if a[0].Y != b[0].Y {
			return int(math.Copysign(1, a[0].Y-b[0].Y))
		}
		return int(a[0].X - b[0].X)
	})
	for i := 1; i < len(boxes); i++ {
		for j := i; j > 0 && math.Abs(boxes[j][0].Y-boxes[j-1][0].Y) < sameLine && boxes[j][0].X < boxes[j-1][0].X; j-- {
			boxes[j], boxes[j-1] = boxes[j-1], boxes[j]
		}
	}
	return boxes
}

// cutOut returns a line upright; one that is high is written from top to bottom.
func cutOut(p *picture.Picture, q picture.Quad) *picture.Picture {
	w, h := q.Size()
	cut := p.Warp(q, max(int(w), 1), max(int(h), 1))
	if float64(cut.Height) >= 1.5*float64(cut.Width) {
		return cut.RotateLeft()
	}
	return cut
}
