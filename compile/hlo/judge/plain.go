package judge

import (
	"bytes"
	"regexp"
)

// standIn is an operation of IREE's dialects that texts for it have around StableHLO, and
// what stands for it: something of the same types, which MLIR verifies.
type standIn struct {
	of   *regexp.Regexp
	with string
}

const symbol = `@(?:"[^"]*"|[\w.$-]+)`

var standIns = []standIn{
	// Weights and state variables.
	{regexp.MustCompile(`(?m)^[ \t]*util\.global (?:private|public).*\n`), ""},
	{regexp.MustCompile(`util\.global\.load (?:immutable )?` + symbol + ` : (.*)`), `stablehlo.custom_call @skainet.load() : () -> $1`},
	{regexp.MustCompile(`util\.global\.store (%[\w.#]+), ` + symbol + ` : (.*)`), `stablehlo.custom_call @skainet.store($1) {has_side_effect = true} : ($2) -> ()`},
	// What keeps the compiler from moving or fusing operations.
	{regexp.MustCompile(`util\.func (private|public) (` + symbol + `\(.*?\)(?: -> .*?)?) attributes \{inlining_policy = #util\.inline\.never\} \{`), `func.func $1 $2 {`},
	{regexp.MustCompile(`(?m)^([ \t]*)util\.return\b`), `${1}return`},
	{regexp.MustCompile(`util\.call\b`), `func.call`},
	{regexp.MustCompile(`util\.optimization_barrier (%[\w.#]+) : (.*)`), `builtin.unrealized_conversion_cast $1 : $2 to $2`},
	{regexp.MustCompile(`flow\.tensor\.tie_shape (%[\w.#]+) : (tensor<[^>]*>)\{.*\}`), `builtin.unrealized_conversion_cast $1 : $2 to $2`},
}

// foreign is what texts of IREE's own dialects have: kernels.
var foreign = regexp.MustCompile(`\b(stream|flow|hal|util|iree_[a-z]+|vm)\.[a-z_]+`)

// Plain returns a text as StableHLO alone: what texts for IREE have around it is replaced by
// operations of the same types. stands is the number of replacements; other is an operation
// of IREE's dialects that nothing stands for, such as a kernel, which only its compiler
// judges, or "".
func Plain(text []byte) (plain []byte, stands int, other string) {
	for _, s := range standIns {
		stands += len(s.of.FindAllIndex(text, -1))
		text = s.of.ReplaceAll(text, []byte(s.with))
	}
	for line := range bytes.Lines(text) {
		if at := bytes.Index(line, []byte("//")); at >= 0 {
			line = line[:at]
		}
		if found := foreign.Find(line); found != nil {
			return text, stands, string(found)
		}
	}
	return text, stands, ""
}
