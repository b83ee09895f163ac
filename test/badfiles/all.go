package badfiles

// Corpus holds the cases of one file format: malformed files, and the well-formed file from
// which most of them are made.
type Corpus struct {
	Name   string
	Format string
	Good   func() []byte
	Bad    func() []Case
	Beside map[string][]byte // files that each of them needs in its folder
}

// All lists the corpora.
func All() []Corpus {
	return []Corpus{
		{Name: "ctranslate2", Format: "ctranslate2", Good: CT2Good, Bad: CT2},
		{Name: "gguf", Format: "gguf", Good: GGUFGood, Bad: GGUF},
		{Name: "irpa", Format: "irpa", Good: IRPAGood, Bad: IRPA},
		{Name: "onnx", Format: "onnx", Good: ONNXGood, Bad: ONNX},
		{Name: "safetensors", Format: "safetensors", Good: SafetensorsGood, Bad: Safetensors},
		{Name: "safetensors_index", Format: "safetensors", Good: SafetensorsIndexGood, Bad: indexCases, Beside: SafetensorsShards()},
	}
}

func indexCases() []Case {
	var cases []Case
	for _, c := range SafetensorsIndex() {
		cases = append(cases, c.Case)
	}
	return cases
}
