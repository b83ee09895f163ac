package traps

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/op"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// The weights of Packed: as many elements as no other value of it has.
const (
	packedRows    = 96
	packedColumns = 1024
	PackedSize    = packedRows * packedColumns
)

// Packed is the constructor of a product of one vector with a weight in blocks, for
// each encoding. Its text is inspected.
func Packed(m *lang.Module) { products(m, 1) }

// Unpacked is Packed for several vectors, for which the text without kernels
// unpacks the weight.
func Unpacked(m *lang.Module) { products(m, 3, "Q5_1") } // which has no kernels

func products(m *lang.Module, rows int64, but ...quant.Encoding) {
	for _, e := range op.PackedEncodings() {
		if slices.Contains(but, e) {
			continue
		}
		b, _ := e.Block()
		m.Entry("product_"+strings.ToLower(string(e)), func(f *lang.Func) {
			w := f.Input("w", dtype.I8, packedRows, packedColumns/b.Elements, b.Bytes)
			f.Output("y", f.Input("x", dtype.F32, rows, packedColumns).DequantMatMul(e, w))
		})
	}
}

var stored = regexp.MustCompile(`(?:writeonly|readwrite):tensor<([0-9x]+)x(f32|f16|bf16)>`)

// StoredFloats lists the float tensors of at least size elements that kernels
// write, each once: unpacked copies of weights, if they are as large as those.
// Values inside a kernel are not among them. text is of the phase flow.
func StoredFloats(text string, size int64) []string {
	var found []string
	seen := map[string]bool{}
	for _, m := range stored.FindAllStringSubmatch(text, -1) {
		n := int64(1)
		for s := range strings.SplitSeq(m[1], "x") {
			if d, err := strconv.ParseInt(s, 10, 64); err == nil {
				n *= d
			}
		}
		if t := m[1] + "x" + m[2]; n >= size && !seen[t] {
			seen[t] = true
			found = append(found, t)
		}
	}
	return found
}
