package fromonnx

// Reasons that several operators share.
const (
	manySizes = "a result whose size depends on values: ours have shapes before they run"
	chance    = "random numbers"
)

// without maps ONNX operators to the reason why there is no rule for them.
var without = map[string]string{
	"Bernoulli": chance, "RandomNormal": chance, "RandomNormalLike": chance, "RandomUniform": chance, "RandomUniformLike": chance, "Multinomial": chance,
	"NonMaxSuppression": manySizes, "Unique": manySizes,
	"ImageDecoder":            "compressed pictures",
	"MelWeightMatrix":         "a table that follows from five numbers",
	"TfIdfVectorizer":         "counts of n-grams",
	"ai.onnx.ml.TreeEnsemble": "decision trees",
}
