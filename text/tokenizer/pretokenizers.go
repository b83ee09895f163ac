package tokenizer

import (
	"slices"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/internal/errs"
)

// Patterns of pre-tokenisers, in the notation of tokenizer.json. GGUF names them
// only; llama.cpp knows which name means which.
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
	deepseekV3   = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
	deepseekCJK  = `[一-龥ࠀ-一가-퟿]+`
	// Letters with case, as DeepSeek's files list them.
	deepseekLetters = `\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+`
	bloom           = ` ?[^(\s|.,!?…。，、।۔،)]+`
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
	"deepseek-llm":   {patterns: []string{`[\r\n]`, deepseekLetters, `\s?[!-/:-~！-／：-～‘-‟　-。]+`, `\s+$`, deepseekCJK, `\p{N}+`}},
	"deepseek-coder": {patterns: []string{`[\r\n]`, `\s?\p{L}+`, `\s?\p{P}+`, deepseekCJK, `\p{N}`}},
	"deepseek-v3":    {patterns: []string{`\p{N}{1,3}`, `[一-龥぀-ゟ゠-ヿ]+`, deepseekV3}},
	"bloom":          {patterns: []string{bloom}},
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
	return preTokenizer{}, errs.New(CodeModel, "the pre-tokeniser %q is not known", name).On(keyPre).
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
func known(source string) (*pattern, error) {
	if p, ok := compiled.Load(source); ok {
		return p.(*pattern), nil
	}
	p, err := compile(source)
	if err != nil {
		return nil, err
	}
	compiled.Store(source, p)
	return p, nil
}
