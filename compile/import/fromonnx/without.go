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
	"Loop":                    "loops that stack as many results as they take turns",
	"MelWeightMatrix":         "a table that follows from five numbers",
	"TfIdfVectorizer":         "counts of n-grams",
	"OptionalGetElement":      "sequences and optional values: ours are tensors",
	"OptionalHasElement":      "sequences and optional values: ours are tensors",
	"ai.onnx.ml.TreeEnsemble": "decision trees",
}
