package ocr

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

// padded returns a line, scaled to the height that the models see, with zeros on its
// right; no level becomes exactly 0.
func (r *Reader) padded(p *picture.Picture, width int) (tensor.Value, error) {
	w := min(int(math.Ceil(lineHeight*float64(p.Width)/float64(p.Height))), width)
	v, err := form.Tensor(p.Resize(max(w, 1), lineHeight))
	if err != nil {
		return v, err
	}
	line, err := tensor.Slice[float32](v)
	if err != nil {
		return v, err
	}
	w = max(w, 1)
	all := make([]float32, 3*lineHeight*width)
	for row := range 3 * lineHeight {
		copy(all[row*width:], line[row*w:(row+1)*w])
	}
	return tensor.Of(all, 1, 3, lineHeight, int64(width))
}

// upsideDown reports whether a line is.
func (r *Reader) upsideDown(ctx context.Context, p *picture.Picture) (bool, error) {
	v, err := r.padded(p, angleWidth)
	if err != nil {
		return false, err
	}
	x := r.programs.Angle
	out, err := x.Call(ctx, x.Contract().Entries[0].Name, v)
	if err != nil {
		return false, err
	}
	p2, err := tensor.Slice[float32](out[0])
	if err != nil {
		return false, err
	}
	if len(p2) != 2 {
		return false, errs.New(CodeProgram, "the program of the angle returned %d numbers, want 2", len(p2))
	}
	return p2[1] > p2[0] && p2[1] > certain, nil
}

// text returns what a line says, and how likely a character of it is.
func (r *Reader) text(ctx context.Context, p *picture.Picture) (string, float64, error) {
	width := int(lineHeight * max(float64(lineWidth)/lineHeight, float64(p.Width)/float64(p.Height)))
	x := r.programs.Read[len(r.programs.Read)-1]
	for _, other := range slices.Backward(r.programs.Read) {
		if fixed(other, 3, width) >= width {
			x = other
		}
	}
	v, err := r.padded(p, fixed(x, 3, width))
	if err != nil {
		return "", 0, err
	}
	out, err := x.Call(ctx, x.Contract().Entries[0].Name, v)
	if err != nil {
		return "", 0, err
	}
	steps, err := tensor.Slice[float32](out[0])
	if err != nil {
		return "", 0, err
	}
	if len(steps)%len(r.characters) != 0 {
		return "", 0, errs.New(CodeProgram, "the program that reads returned %d numbers, want a multiple of %d", len(steps), len(r.characters))
	}
	text, score := Decode(steps, r.characters)
	return text, score, nil
}

// Decode returns the most likely text of a CTC model (Graves et al. 2006) by its best step:
// what follows itself counts once, and character 0 is the blank between equal ones. The
// score is the mean probability of the characters.
func Decode(steps []float32, characters []string) (text string, score float64) {
	var b strings.Builder
	n, last := 0, 0
	for ; len(steps) >= len(characters); steps = steps[len(characters):] {
		best := 0
		for i, p := range steps[:len(characters)] {
			if p > steps[best] {
				best = i
			}
		}
		if best != last && best != 0 {
			b.WriteString(characters[best])
			score += float64(steps[best])
			n++
		}
		last = best
	}
	return b.String(), score / float64(max(n, 1))
}
