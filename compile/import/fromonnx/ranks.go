package fromonnx

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// ranks has, for the inputs of operators, the numbers of dimensions that they may have: 3 for
// three, 3+ for three and more, 0-1 for none or one, =0 for as many as input 0, =0-1 for one
// less, and * for any. What is not here may have any number, as far as the operation that the
// node becomes accepts it.
var ranks = map[string]string{
	"AffineGrid": "3 1", "ArgMax": "1+", "ArgMin": "1+", "Attention": "3-4 3-4 3-4 * 4 4 1", "AveragePool": "3+",
	"CausalConvWithState": "3 3 1 3", "LinearAttention": "3 3 3 4 3 3", "com.microsoft.CausalConvWithState": "3 3 1 3", "com.microsoft.LinearAttention": "3 3 3 4 3 3",
	"BatchNormalization": "2+ 1 1 1 1", "CenterCropPad": "1+ 1", "Col2Im": "3 1 1", "Compress": "* 1", "Concat": "1+",
	"Conv": "3+ =0 1", "ConvInteger": "3+ =0 0-1 0-1", "ConvTranspose": "3+ =0 1", "CumProd": "1+ 0-1", "CumSum": "1+ 0-1", "DFT": "2+ 0-1 0-1",
	"DeformConv": "4 4 4 1 4", "DepthToSpace": "4", "Det": "2+", "EyeLike": "2", "GRU": "3 3 3 2 1 3",
	"Gather": "1+", "GatherElements": "1+ =0", "GatherND": "1+ 1+", "Gemm": "2 2 0-2", "GlobalAveragePool": "2+", "GlobalLpPool": "2+", "GlobalMaxPool": "2+",
	"GridSample": "3+ =0", "GroupNormalization": "2+ 1 1", "Hardmax": "1+", "InstanceNormalization": "3+ 1 1", "LRN": "2+",
	"LSTM": "3 3 3 2 1 3 3 2", "LayerNormalization": "1+", "LogSoftmax": "1+", "LpNormalization": "1+", "LpPool": "3+",
	"MatMul": "1+ 1+", "MatMulInteger": "1+ 1+", "MaxPool": "3+", "MaxRoiPool": "4 2", "MaxUnpool": "3+ =0 1", "Multinomial": "2",
	"NegativeLogLikelihoodLoss": "2+ =0-1 1", "OneHot": "* 0-1 1", "Pad": "* 1 0-1 1",
	"QLinearConv": "3+ 0-1 0-1 =0 0-1 0-1 0-1 0-1 1", "QLinearMatMul": "1+ * * 1+", "RMSNormalization": "1+", "RNN": "3 3 3 2 1 3",
	"Range": "0-1 0-1 0-1", "Reshape": "* 1", "Resize": "1+ 1 1 1", "ReverseSequence": "2+ 1", "RoiAlign": "4 2 1",
	"RotaryEmbedding": "3-4 2-3 2-3 2", "STFT": "2-3 0-1 1 0-1", "Scatter": "1+ =0 =0", "ScatterElements": "1+ =0 =0", "ScatterND": "1+ 1+",
	"Slice": "1+ 1 1 1 1", "Softmax": "1+", "SoftmaxCrossEntropyLoss": "2+ =0-1 1", "SpaceToDepth": "4", "Split": "1+ 1", "SplitToSequence": "1+ 0-1",
	"TensorScatter": "2+ =0 1", "TfIdfVectorizer": "1-2", "Tile": "* 1", "TopK": "1+ 0-1", "Trilu": "2+ 0-1", "Upsample": "1+ 1",
	"ai.onnx.ml.ArrayFeatureExtractor": "1+", "ai.onnx.ml.LinearClassifier": "1+", "ai.onnx.ml.LinearRegressor": "1+",
	"ai.onnx.ml.SVMClassifier": "1+", "ai.onnx.ml.SVMRegressor": "1+",
	"ai.onnx.ml.TreeEnsemble": "2", "ai.onnx.ml.TreeEnsembleClassifier": "1+", "ai.onnx.ml.TreeEnsembleRegressor": "1+",
	"com.microsoft.Attention": "3 2 1 1-4 5", "com.microsoft.CDist": "2 2", "com.microsoft.DynamicQuantizeLSTM": "3 3 3 2 1 3 3 2 1-2 1-2 1-2 1-2",
	"com.microsoft.DynamicQuantizeMatMul": "1+ 1+", "com.microsoft.FusedConv": "3+ =0 1 =0", "com.microsoft.FusedMatMul": "1+ 1+",
	"com.microsoft.GatherBlockQuantized": "1+ * =0 =0", "com.microsoft.GroupQueryAttention": "3 3 3 4 4 1-2 0-1 2 2 2 4 1 * * 1 1",
	"com.microsoft.MatMulIntegerToFloat": "1+ 1+", "com.microsoft.MatMulNBits": "1+ 1-3",
	"com.microsoft.MultiHeadAttention": "3-5 3-5 3-4 1 1-4 4 4 4", "com.microsoft.QAttention": "3 2 1 0-1 0-1 1-4 0-1 0-1 5",
	"com.microsoft.QLinearAveragePool": "3+", "com.microsoft.QLinearConv": "3+ 0-1 0-1 =0 0-1 0-1 0-1 0-1 1", "com.microsoft.QLinearGlobalAveragePool": "3+",
	"com.microsoft.RotaryEmbedding": "3-4 1-2 2 2", "com.microsoft.ComplexMul": "1+ 1+", "com.microsoft.ComplexMulConj": "1+ 1+",
	"com.microsoft.GroupNorm": "4 1 1", "com.microsoft.Irfft": "2+", "com.microsoft.MatMulBnb4": "1+ 1 1",
	"com.microsoft.NhwcFusedConv": "3+ =0 1 =0", "com.microsoft.NhwcMaxPool": "3+", "com.microsoft.RelativePositionBias": "2 0-1 0-1",
	"com.microsoft.MoE": "2-3 2 3 2 3 2 3 2", "com.microsoft.QMoE": "2-3 2 3 2-3 2 3 2-3 2 3 2-3 2 2-3 2-3 2-3 2", "com.microsoft.CropAndResize": "4 2 1 1", "com.microsoft.NGramRepeatBlock": "2 2", "com.microsoft.UnfoldTensor": "1+", "com.microsoft.SparseAttention": "3 3 3 4 4 2 2 0-1 1 2 2",
	"com.microsoft.EmbedLayerNormalization": "2 2 2 2 2 1 1 2 2", "com.microsoft.QEmbedLayerNormalization": "2 2 2 2 2 1 1 2 0-1 0-1 0-1 0-1 0-1 0-1 0-1 0-1 0-1 0-1",
	"com.microsoft.DecoderMaskedMultiHeadAttention": "3 3-4 3-4 1-4 4 4 4 0-1 * * 1", "com.microsoft.Rfft": "1+", "com.microsoft.SkipGroupNorm": "4 1 1 2-4 1",
}

// places is how many dimensions an input may have.
type places struct {
	text      string
	low, high int
	relative  bool // to input 0
}

// rankOf has the rows of ranks.
var rankOf = sync.OnceValue(func() map[string][]places {
	all := map[string][]places{}
	for name, row := range ranks {
		for _, text := range strings.Fields(row) {
			p, err := readPlaces(text)
			if err != nil {
				panic(err) // the table is part of the program, and a test reads it
			}
			all[name] = append(all[name], p)
		}
	}
	return all
})

func readPlaces(text string) (p places, err error) {
	const any = 1 << 30
	p.text = text
	switch low, high, span := strings.Cut(text, "-"); {
	case text == "*":
		p.high = any
	case text == "=0":
		p.relative = true
	case low == "=0" && span:
		p.relative = true
		p.low, err = strconv.Atoi("-" + high)
		p.high = p.low
	case strings.HasSuffix(text, "+"):
		p.high = any
		p.low, err = strconv.Atoi(text[:len(text)-1])
	case span:
		if p.low, err = strconv.Atoi(low); err == nil {
			p.high, err = strconv.Atoi(high)
		}
	default:
		p.low, err = strconv.Atoi(text)
		p.high = p.low
	}
	return p, err
}

// ranked refuses inputs of another number of dimensions than the operator takes.
func (n *node) ranked(name string, s *signature) {
	row := rankOf()[name]
	for i := range min(len(row), len(n.Inputs)) {
		if !n.has(i) {
			continue
		}
		v, p := n.find(n.Inputs[i]), row[i]
		if v == nil {
			continue
		}
		low, high := p.low, p.high
		if p.relative {
			first := n.find(n.Inputs[0])
			if first == nil {
				continue
			}
			low, high = low+rank(first), high+rank(first)
		}
		if r := rank(v); r < low || r > high {
			of, _ := s.parameter(i)
			n.malformed("%s of a tensor of %s in its input %d, %s, [%s]: it takes %s there", n.Op, dimensions(r, r), i, of.name, dims(v), dimensions(low, high))
		}
	}
}

// dimensions says how many dimensions.
func dimensions(low, high int) string {
	switch {
	case low == 1 && high == 1:
		return "1 dimension"
	case low == high:
		return fmt.Sprintf("%d dimensions", low)
	case high >= 1<<20:
		return fmt.Sprintf("at least %d", low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// perDimension refuses a list that does not have one number for each of so many dimensions.
func (n *node) perDimension(name string, list []int64, r int) []int64 {
	if len(list) != r {
		n.malformed("%d numbers in %s of %s: it takes %d, one for each dimension", len(list), name, n.Op, r)
	}
	return list
}
