// Package nanodet is NanoDet (RangiLyu 2020), which finds objects of COCO's 80 kinds.
//
// The program is that of the ONNX file:
//
//	main(image f32 [1, 3, 416, 416]) -> scores_8 f32 [1, 2704, 80], scores_16, scores_32,
//	    distances_8 f32 [1, 2704, 44], distances_16, distances_32
//
// For each cell of 8, 16 or 32 pixels there are the probabilities of all kinds, and the
// distances from its middle to the four sides of the object, each as a distribution over 0
// to 10 cells (Li et al. 2020, Generalized Focal Loss).
//
// # Errors
//
// NANODET_PROGRAM for a program that is another one.
//
// # Determinism
//
// As the program.
package nanodet

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/vision/box"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

// CodeProgram is the code of a program that is not this model.
const CodeProgram errs.Code = "NANODET_PROGRAM"

const (
	size     = 416
	steps    = 11  // of a distribution
	overlap  = 0.6 // IoU of two objects of one kind that are one
	mostKept = 100 // objects
)

var strides = [...]int{8, 16, 32}

// form is how the model was trained.
var form = picture.Form{
	Mean:  [3]float32{103.53, 116.28, 123.675},
	Scale: [3]float32{1 / 57.375, 1 / 57.12, 1 / 58.395},
	BGR:   true,
}

// Detector finds objects. One goroutine uses it at a time.
type Detector struct {
	program backend.Executable
	entry   string
	results [2][len(strides)]int // scores and distances
}

// New returns a detector. The caller closes the program.
func New(program backend.Executable) (*Detector, error) {
	entries := program.Contract().Entries
	if len(entries) != 1 || len(entries[0].Args) != 1 {
		return nil, errs.New(CodeProgram, "the program is not a detector of one argument")
	}
	d := &Detector{program: program, entry: entries[0].Name}
	for k, what := range []string{"scores", "distances"} {
		for s, stride := range strides {
			name := fmt.Sprintf("%s_%d", what, stride)
			at := slices.IndexFunc(entries[0].Results, func(r contract.Named) bool { return r.Name == name })
			if at < 0 {
				return nil, errs.New(CodeProgram, "the program has no result %s", name).Hint("use the program of //models/zoo/nanodet")
			}
			d.results[k][s] = at
		}
	}
	return d, nil
}

// Detect returns the objects of a picture that have at least this score, best first.
func (d *Detector) Detect(ctx context.Context, p *picture.Picture, least float64) ([]box.Box, error) {
	framed, scale := p.Letterbox(size, size, 0)
	v, err := form.Tensor(framed)
	if err != nil {
		return nil, err
	}
	out, err := d.program.Call(ctx, d.entry, v)
	if err != nil {
		return nil, err
	}
	var found []box.Box
	for s, stride := range strides {
		scores, err := tensor.Slice[float32](out[d.results[0][s]])
		if err != nil {
			return nil, err
		}
		distances, err := tensor.Slice[float32](out[d.results[1][s]])
		if err != nil {
			return nil, err
		}
		side := size / stride
		if len(scores) != side*side*len(Names) || len(distances) != side*side*4*steps {
			return nil, errs.New(CodeProgram, "the program returned %d scores and %d distances of cells of %d pixels", len(scores), len(distances), stride)
		}
		for i, score := range scores {
			if float64(score) < least {
				continue
			}
			cell := i / len(Names)
			x, y := (float64(cell%side)+0.5)*float64(stride), (float64(cell/side)+0.5)*float64(stride)
			sides := expected(distances[cell*4*steps:(cell+1)*4*steps], stride)
			found = append(found, box.Box{
				X0: min(max((x-sides[0])/scale, 0), float64(p.Width)), Y0: min(max((y-sides[1])/scale, 0), float64(p.Height)),
				X1: min(max((x+sides[2])/scale, 0), float64(p.Width)), Y1: min(max((y+sides[3])/scale, 0), float64(p.Height)),
				Score: float64(score), Class: i % len(Names),
			})
		}
	}
	return box.Suppress(found, overlap, mostKept), nil
}

// expected returns the means of the distributions of four distances, in pixels.
func expected(logits []float32, stride int) (sides [4]float64) {
	for k := range sides {
		all := logits[k*steps : (k+1)*steps]
		top := float64(slices.Max(all))
		sum, mean := 0., 0.
		for n, v := range all {
			e := math.Exp(float64(v) - top)
			sum += e
			mean += e * float64(n)
		}
		sides[k] = mean / sum * float64(stride)
	}
	return sides
}
