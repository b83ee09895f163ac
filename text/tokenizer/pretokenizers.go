package tokenizer

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regex"
)

// Patterns of pre-tokenisers, in the notation of tokenizer.json. GGUF has only their
// names; llama.cpp defines them.
const (
	gpt2Pattern  = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	anyCase      = `'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]`
	lettersOf    = `|[^\r\n\p{L}\p{N}]?\p{L}+`
	endings      = `| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	llama3       = anyCase + lettersOf + `|\p{N}{1,3}` + endings
	qwen2        = anyCase + lettersOf + `|\p{N}` + endings
	qwen35       = anyCase + `|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	cased        = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`
	upperCased   = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*`
	casedEndings = `| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	tekken       = cased + `|` + upperCased + `|\p{N}` + casedEndings
	gpt4o        = cased + `(?:` + anyCase + `)?|` + upperCased + `(?:` + anyCase + `)?|\p{N}{1,3}` + casedEndings
	youtu        = cased + `(?:` + anyCase + `)?|` + upperCased + `(?:` + anyCase + `)?|\p{N}` + casedEndings
	jaisEndings  = `| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}`
	deepseekWord = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+"
	deepseekV3   = deepseekWord + `[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	spark        = deepseekWord + `|[\r\n]|\s+(?!\S)|\s+`
	deepseekCJK  = `[\x{800}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{9FA5}\x{AC00}-\x{D7FF}]+`
	// Letters with case, as DeepSeek's files list them.
	deepseekLetters = `\s?[` +
		`A-Za-z\x{B5}\x{C0}-\x{D6}\x{D8}-\x{F6}\x{F8}-\x{1BA}\x{1BC}-\x{1BF}\x{1C4}-\x{293}\x{295}-\x{2AF}\x{370}-\x{373}` +
		`\x{376}\x{377}\x{37B}-\x{37D}\x{37F}\x{386}\x{388}-\x{38A}\x{38C}\x{38E}-\x{3A1}\x{3A3}-\x{3F5}\x{3F7}-\x{481}\x{48A}-\x{52F}` +
		`\x{531}-\x{556}\x{10A0}-\x{10C5}\x{13A0}-\x{13F5}\x{13F8}-\x{13FD}\x{1C90}-\x{1CBA}\x{1CBD}-\x{1CBF}\x{1D00}-\x{1D2B}` +
		`\x{1D6B}-\x{1D77}\x{1D79}-\x{1D9A}\x{1E00}-\x{1F15}\x{1F18}-\x{1F1D}\x{1F20}-\x{1F45}\x{1F48}-\x{1F4D}\x{1F50}-\x{1F57}` +
		`\x{1F59}\x{1F5B}\x{1F5D}\x{1F5F}-\x{1F7D}\x{1F80}-\x{1FB4}\x{1FB6}-\x{1FBC}\x{1FBE}\x{1FC2}-\x{1FC4}\x{1FC6}-\x{1FCC}` +
		`\x{1FD0}-\x{1FD3}\x{1FD6}-\x{1FDB}\x{1FE0}-\x{1FEC}\x{1FF2}-\x{1FF4}\x{1FF6}-\x{1FFC}\x{2102}\x{2107}\x{210A}-\x{2113}` +
		`\x{2115}\x{2119}-\x{211D}\x{2124}\x{2126}\x{2128}\x{212A}-\x{212D}\x{212F}-\x{2134}\x{2139}\x{213C}-\x{213F}\x{2145}-\x{2149}` +
		`\x{214E}\x{2183}\x{2184}\x{2C00}-\x{2C7B}\x{2C7E}-\x{2CE4}\x{2CEB}-\x{2CEE}\x{2CF2}\x{2CF3}\x{A640}-\x{A66D}\x{A680}-\x{A69B}` +
		`\x{A722}-\x{A76F}\x{A771}-\x{A787}\x{A78B}-\x{A78E}\x{AB70}-\x{ABBF}\x{FB00}-\x{FB06}\x{FB13}-\x{FB17}\x{FF21}-\x{FF3A}` +
		`\x{FF41}-\x{FF5A}\x{10400}-\x{1044F}\x{104B0}-\x{104D3}\x{104D8}-\x{104FB}\x{10C80}-\x{10CB2}\x{10CC0}-\x{10CF2}` +
		`\x{118A0}-\x{118DF}\x{1E900}-\x{1E943}` +
		`]+`
	bloom = ` ?[^(\s|.,!?…。，、।۔،)]+`
)

// preTokenizer is what a name in tokenizer.ggml.pre stands for: patterns, each of
// which cuts what the one before has left whole, and defaults of other keys.
type preTokenizer struct {
	patterns []string
	whole    bool // words that are tokens are taken as they are
	addBOS   bool
}

var preTokenizers = map[string]preTokenizer{
	"default":        {patterns: []string{`[\p{P}\$\+<=>\^~\|]+`, gpt2Pattern, `\p{N}+`, `[0-9][0-9][0-9]`}},
	"gpt-2":          {patterns: []string{gpt2Pattern}},
	"smollm":         {patterns: []string{`\p{N}`, gpt2Pattern}},
	"falcon":         {patterns: []string{"[\\p{P}\\$\\+<=>\\^~\\|`]+", gpt2Pattern, `[0-9][0-9][0-9]`}},
	"llama-bpe":      {patterns: []string{llama3}, whole: true, addBOS: true},
	"dbrx":           {patterns: []string{llama3}},
	"minicpm5":       {patterns: []string{`\p{N}{1,3}`, anyCase + lettersOf + `|\p{N}+` + endings}, whole: true},
	"qwen2":          {patterns: []string{qwen2}},
	"qwen35":         {patterns: []string{qwen35}},
	"seed-coder":     {patterns: []string{anyCase + lettersOf + `|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`}},
	"bailingmoe":     {patterns: []string{`'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])` + lettersOf + `|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`}},
	"tekken":         {patterns: []string{tekken}, whole: true, addBOS: true},
	"gpt-4o":         {patterns: []string{gpt4o}},
	"deepseek-llm":   {patterns: []string{`[\r\n]`, deepseekLetters, `\s?[!-/:-~！-／：-～‘-‟、。]+`, `\s+$`, deepseekCJK, `\p{N}+`}},
	"deepseek-coder": {patterns: []string{`[\r\n]`, `\s?\p{L}+`, `\s?\p{P}+`, deepseekCJK, `\p{N}`}},
	"deepseek-v3":    {patterns: []string{`\p{N}{1,3}`, `[一-龥぀-ゟ゠-ヿ]+`, deepseekV3}},
	"bloom":          {patterns: []string{bloom}},
	"exaone-moe":     {patterns: []string{anyCase + `|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+`}},
	"jais-2":         {patterns: []string{anyCase + lettersOf + `|\p{N}{1,3}` + jaisEndings}},
	"laguna":         {patterns: []string{`[^\n]+|[\n]+`, qwen2}},
	"spark2_5":       {patterns: []string{`\p{N}{1,3}`, `[一-龥぀-ゟ゠-ヿ]+`, spark, `\p{N}`}},
	"ufakzeka":       {patterns: []string{`[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}` + endings}},
	"youtu":          {patterns: []string{`[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+`, youtu}, whole: true},
	"viking":         {patterns: []string{bloom, `\p{N}`}},
}

// Other names for the same.
var preAliases = map[string][]string{
	"llama-bpe":   {"llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano"},
	"dbrx":        {"smaug-bpe", "glm4", "chatglm-bpe"},
	"gpt-2":       {"phi-2", "jina-es", "jina-de", "jina-v2-es", "jina-v2-de", "gigachat", "a.x-4.0", "mellum", "modern-bert", "mpt", "olmo", "jais", "trillion", "granite-docling", "exaone4", "roberta-bpe", "jina-v1-en", "jina-v2-code"},
	"smollm":      {"starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"},
	"qwen2":       {"stablelm2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "hunyuan", "solar-open", "grok-2"},
	"gpt-4o":      {"llama4", "kanana2", "talkie", "minimax-m2"},
	"deepseek-v3": {"hunyuan-dense", "joyai-llm", "hy_v4"},
	"bloom":       {"poro-chat", "gpt3-finnish"},
	"bailingmoe":  {"bailingmoe2", "llada-moe"},
}

// PreTokenizers lists the names of pre-tokenisers that FromGGUF knows.
func PreTokenizers() []string {
	var names []string
	for n := range preTokenizers {
		names = append(append(names, n), preAliases[n]...)
	}
	slices.Sort(names)
	return names
}

// preTokenizerOf finds a pre-tokeniser by any of its names.
func preTokenizerOf(name string) (preTokenizer, error) {
	for n, p := range preTokenizers {
		if n == name || slices.Contains(preAliases[n], name) {
			return p, nil
		}
	}
	return preTokenizer{}, errs.New(CodeModel, "unknown pre-tokeniser %q", name).On(keyPre).
		Hint("known are %s", strings.Join(PreTokenizers(), ", "))
}

// compiled holds patterns that are compiled already.
var compiled sync.Map

// cuttersOf compiles patterns that cut isolated words.
func cuttersOf(patterns []string) ([]cutter, error) {
	var out []cutter
	for _, source := range patterns {
		p, err := known(source)
		if err != nil {
			return nil, err
		}
		out = append(out, cutter{p: p, matches: true, gaps: true})
	}
	return out, nil
}

// known compiles a pattern of this package once.
func known(source string) (*regex.Pattern, error) {
	if p, ok := compiled.Load(source); ok {
		return p.(*regex.Pattern), nil
	}
	p, err := compile(source)
	if err != nil {
		return nil, err
	}
	compiled.Store(source, p)
	return p, nil
}

// compile reads a pattern of a file.
func compile(source string) (*regex.Pattern, error) {
	p, err := regex.Compile(source)
	if err != nil {
		return nil, errs.New(CodePattern, "%v", err).
			Hint("take a tokenizer whose pre-tokeniser is one of GPT-2's kind")
	}
	return p, nil
}

// Steps that finding tokens and cutting words into pieces may take: for each byte of a
// text, and for a text however short.
const (
	stepsMin     = 1 << 14
	stepsPerByte = 64
	// stepsFinding is for tokens that stand for themselves, which are looked for at
	// every byte: those of a model begin alike for 32 characters at most.
	stepsFinding = 256
)

// errPatternCost returns err, with its code where it is a pattern that takes too many steps.
func errPatternCost(err error) error {
	var cost *regex.CostError
	if errors.As(err, &cost) {
		return errs.New(CodeCost, "%v", cost).
			Hint("the pattern repeats what repeats itself; take the tokenizer of the original model")
	}
	return err
}

// errVocabularyCost is the same of tokens, with many that begin alike.
func errVocabularyCost() error {
	return errs.New(CodeCost, "the tokens of the file take more than %d steps for each byte of the text", stepsFinding).
		Hint("the vocabulary is not that of a model; take the tokenizer of the original model")
}
