package fromonnx

import (
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/dag"
)

// The words that several operators share.
var (
	losses     = []string{"none", "sum", "mean"}
	scatters   = []string{"none", "add", "mul", "max", "min"}
	directions = []string{"forward", "reverse", "bidirectional"}
	updates    = []string{"linear", "gated", "delta", "gated_delta"}
	swishes    = []string{"none", "silu", "swish"}
	autoPads   = []string{"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"}
)

// words are the values that attributes of text may have, by operator and attribute.
var words = map[string]map[string][]string{
	"Conv": {"auto_pad": autoPads}, "ConvTranspose": {"auto_pad": autoPads}, "ConvInteger": {"auto_pad": autoPads}, "QLinearConv": {"auto_pad": autoPads},
	"MaxPool": {"auto_pad": autoPads}, "AveragePool": {"auto_pad": autoPads}, "LpPool": {"auto_pad": autoPads},
	"LSTM": {"direction": directions}, "GRU": {"direction": directions}, "RNN": {"direction": directions},
	"NegativeLogLikelihoodLoss": {"reduction": losses}, "SoftmaxCrossEntropyLoss": {"reduction": losses},
	"ScatterElements": {"reduction": scatters}, "ScatterND": {"reduction": scatters},
	"BitShift":      {"direction": {"LEFT", "RIGHT"}},
	"TensorScatter": {"mode": {"linear", "circular"}},
	"Gelu":          {"approximate": {"none", "tanh"}},
	"Pad":           {"mode": {"constant", "reflect", "edge", "wrap"}},
	"GridSample":    {"mode": {"linear", "bilinear", "nearest", "cubic", "bicubic"}, "padding_mode": {"zeros", "border", "reflection"}},
	"RoiAlign":      {"mode": {"avg", "max"}, "coordinate_transformation_mode": {"half_pixel", "output_half_pixel"}},
	"Upsample":      {"mode": {"nearest", "linear", "bilinear"}},
	"DepthToSpace":  {"mode": {"DCR", "CRD"}}, "SpaceToDepth": {"mode": {"DCR", "CRD"}},
	"LinearAttention": {"update_rule": updates}, "com.microsoft.LinearAttention": {"update_rule": updates},
	"CausalConvWithState": {"activation": swishes}, "com.microsoft.CausalConvWithState": {"activation": swishes},
	"Resize": {
		"mode": {"nearest", "linear", "cubic"}, "nearest_mode": {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"},
		"coordinate_transformation_mode": {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"},
		"keep_aspect_ratio_policy":       {"stretch", "not_larger", "not_smaller"},
	},
}

// worded is a rule behind a check that attributes of text have values that they may have.
func worded(name string, r rule) rule {
	return func(n *node) []*dag.Value {
		for _, attribute := range slices.Sorted(maps.Keys(words[name])) {
			allowed := words[name][attribute]
			if a, ok := n.Attributes[attribute]; ok && !slices.Contains(allowed, a.String) {
				n.refuse("the attribute %s=%q: it is one of %s", attribute, a.String, strings.Join(allowed, ", "))
			}
		}
		return r(n)
	}
}
