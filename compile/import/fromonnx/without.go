package fromonnx

// Reasons that several operators share.
const (
	manySizes = "a result whose size depends on values: ours have shapes before they run"
	chance    = "random numbers"
)

// without maps ONNX operators to the reason why there is no rule for them.
var without = map[string]string{
	"Bernoulli": chance, "Multinomial": chance,
	"NonMaxSuppression": manySizes, "Unique": manySizes,
	"ai.onnx.ml.ZipMap": "maps from labels to numbers: name the tensor of probabilities as the output",
	"ImageDecoder":      "compressed pictures",
}
