package badfiles

// Corpus is what there is of one format: malformed files, and a well-formed one
// from which most of them are made.
type Corpus struct {
	Format string
	Good   func() []byte
	Bad    func() []Case
}

// All lists the formats.
func All() []Corpus {
	return []Corpus{
		{"ctranslate2", CT2Good, CT2},
		{"gguf", GGUFGood, GGUF},
		{"irpa", IRPAGood, IRPA},
	}
}
