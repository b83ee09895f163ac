package fromonnx

import (
	"maps"
	"slices"
)

// Reasons that several operators share.
const (
	manySizes = "a result whose size depends on values: ours have shapes before they run"
	chance    = "random numbers"
	labelled  = "maps from labels to numbers: ours are tensors"
	search    = "a search that calls models inside itself: import the model that it calls, and search outside"
	padless   = "tensors without padding, whose sizes depend on values"
)

// without maps ONNX operators to the reason why there is no rule for them.
var without = map[string]string{
	"NonMaxSuppression": manySizes, "Unique": manySizes, "com.microsoft.Unique": manySizes,
	"com.microsoft.ConvTransposeWithDynamicPads": manySizes, "com.microsoft.DynamicTimeWarping": manySizes,
	"com.microsoft.MatMulFpQ4": "weights in an order that a version of ONNX Runtime has for one processor: export them for MatMulNBits",
	"ImageDecoder":             "compressed pictures",
	"StringConcat":             text, "StringNormalizer": text, "StringSplit": text, "RegexFullMatch": text, "com.microsoft.Tokenizer": text,
	"ai.onnx.ml.CategoryMapper": text, "ai.onnx.ml.CastMap": labelled, "ai.onnx.ml.DictVectorizer": labelled, "ai.onnx.ml.ZipMap": labelled,
	"com.microsoft.BeamSearch": search, "com.microsoft.GreedySearch": search, "com.microsoft.Sampling": search, "com.microsoft.WhisperBeamSearch": search,
	"com.microsoft.PackedAttention": padless, "com.microsoft.PackedMultiHeadAttention": padless, "com.microsoft.RemovePadding": padless,
	"com.microsoft.RestorePadding": padless, "com.microsoft.PagedAttention": padless,
}

// Operators returns the names of the operators that have rules, sorted, those of other
// domains than ONNX's own with their domain.
func Operators() []string { return slices.Sorted(maps.Keys(rules)) }

// Lack is a reason why there is no rule for operators.
type Lack struct {
	Operators []string
	Reason    string
}

// Without returns the operators that are refused, by reason, in the order of their names.
func Without() []Lack {
	var list []Lack
	for _, name := range slices.Sorted(maps.Keys(without)) {
		at := slices.IndexFunc(list, func(l Lack) bool { return l.Reason == without[name] })
		if at < 0 {
			at = len(list)
			list = append(list, Lack{Reason: without[name]})
		}
		list[at].Operators = append(list[at].Operators, name)
	}
	return list
}
