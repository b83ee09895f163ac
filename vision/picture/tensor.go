package picture

import (
	"github.com/skainet-dev/skainet-go/tensor"
)

// Form is how a model takes pictures.
type Form struct {
	// Mean and Scale turn a level of 0 to 255 of each channel into (level - Mean) * Scale.
	Mean, Scale [3]float32
	BGR         bool // channels from blue to red, as OpenCV reads pictures
	Last        bool // [1, height, width, 3] in place of [1, 3, height, width]
}

// Half is the form of levels from -1 to 1.
var Half = Form{Mean: [3]float32{127.5, 127.5, 127.5}, Scale: [3]float32{1 / 127.5, 1 / 127.5, 1 / 127.5}}

// Tensor returns pictures of the same size as f32 [n, 3, height, width], or with the
// channels last.
func (f Form) Tensor(pictures ...*Picture) (tensor.Value, error) {
	h, w := pictures[0].Height, pictures[0].Width
	plane := h * w
	all := make([]float32, 0, 3*plane*len(pictures))
	for _, p := range pictures {
		one := make([]float32, 3*plane)
		for i := range plane {
			for c := range 3 {
				from, to := c, c*plane+i
				if f.BGR {
					from = 2 - c
				}
				if f.Last {
					to = 3*i + c
				}
				one[to] = (float32(p.Pix[3*i+from]) - f.Mean[c]) * f.Scale[c]
			}
		}
		all = append(all, one...)
	}
	n := int64(len(pictures))
	if f.Last {
		return tensor.Of(all, n, int64(h), int64(w), 3)
	}
	return tensor.Of(all, n, 3, int64(h), int64(w))
}
