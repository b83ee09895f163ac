package fromonnx

import (
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

// Reasons that several operators share.
const (
	manySizes = "a result whose size depends on values: ours have shapes before they run"
	chance    = "random numbers"
	labelled  = "maps from labels to numbers: ours are tensors"
	search    = "a search that calls models inside itself: import the model that it calls, and search outside"
	padless   = "tensors without padding, whose sizes depend on values"
	experts   = "experts that a node chooses by values: ours are models of language (GGUF)"
)

// without maps ONNX operators to the reason why there is no rule for them.
var without = map[string]string{
	"Bernoulli": chance, "Multinomial": chance,
	"NonMaxSuppression": manySizes, "Unique": manySizes, "com.microsoft.Unique": manySizes,
	"com.microsoft.ConvTransposeWithDynamicPads": manySizes, "com.microsoft.CropAndResize": "crops of pictures by boxes, which are resized by values",
	"ImageDecoder": "compressed pictures",
	"StringConcat": text, "StringNormalizer": text, "StringSplit": text, "RegexFullMatch": text, "com.microsoft.Tokenizer": text,
	"ai.onnx.ml.CategoryMapper": text, "ai.onnx.ml.CastMap": labelled, "ai.onnx.ml.DictVectorizer": labelled, "ai.onnx.ml.ZipMap": labelled,
	"MaxRoiPool":               "regions whose bins have as many elements as values say",
	"com.microsoft.BeamSearch": search, "com.microsoft.GreedySearch": search, "com.microsoft.Sampling": search, "com.microsoft.WhisperBeamSearch": search,
	"com.microsoft.PackedAttention": padless, "com.microsoft.PackedMultiHeadAttention": padless, "com.microsoft.RemovePadding": padless,
	"com.microsoft.RestorePadding": padless, "com.microsoft.PagedAttention": padless,
	"com.microsoft.MoE": experts, "com.microsoft.QMoE": experts,
}

// before adds to an error what a node takes that other nodes make: a model may end there.
func (e *env) before(n *onnx.Node, err *errs.Error) *errs.Error {
	var names []string
	for _, in := range n.Inputs {
		if v := e.root.values[in]; v != nil && e.root.makers[in] != nil && v.Type.Shape.Rank() > 0 {
			names = append(names, in)
		}
	}
	if len(names) == 0 {
		return err
	}
	return err.Hint("let the model end before the node, and do the rest outside: --outputs %s", strings.Join(names, ","))
}
