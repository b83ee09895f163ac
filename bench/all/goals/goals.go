// Package goals is what our programs are to reach beside their peers: one table, from which the
// report of all benchmarks takes its last columns.
//
// A goal is a ratio of speeds, the peer's time divided by ours: above 1 ours is faster. Both the
// ratio of the least times and that of the medians are to reach it.
//
// # Errors
//
// None: what has no row in the table has no goal.
//
// # Determinism
//
// The table is constant.
package goals

import (
	"path"
	"slices"
)

// Goal is a row of the table.
type Goal struct {
	Work string // what it is about, in the words of the report
	// Patterns of path.Match for the names in figures. The first row that matches counts.
	Benchmark, Case, Engine, Peer string
	// Ratios to reach on processors with AVX2, and with AVX-512. The first is that on one
	// thread, the second that on more; one ratio is for any number.
	AVX2, AVX512 []float64
}

// any number of threads, or either processor.
func both(ratio float64) []float64 { return []float64{ratio} }

// The time that ours may take, as a share of the peer's.
func share(of float64) []float64 { return []float64{1 / of} }

const (
	speech     = "Whisper, one thread"
	decode     = "language models, decode"
	prefill    = "language models, prefill"
	cpuDecode  = "the CPU backend, decode"
	cpuPrefill = "the CPU backend, prefill"
	bert       = "BERT of 6 and 12 x 384, f32"
	bertInt8   = "BERT of 12 x 384, int8"
	small      = "models of the zoo"
	products   = "matrix products"
	rows       = "norms, softmax, GELU, attention"
	singles    = "single operations"
	xla        = "the XLA backend"
)

// table has the special rows before the general ones.
var table = []Goal{
	{speech, "whisper", "*", "*", "faster-whisper", share(0.70), share(0.65)},
	{speech, "whisper", "*", "*", "faster-whisper int8", share(1.0), share(1.0)},

	{cpuDecode, "text", "* decode *", "ours-go", "llama.cpp", both(0.9), both(1.0)},
	{cpuPrefill, "text", "* prefill *", "ours-go", "llama.cpp", both(1.1), both(1.2)},
	{decode, "text", "* decode *", "*", "llama.cpp", []float64{1.4, 1.3}, []float64{1.5, 1.4}},
	{prefill, "text", "* prefill *", "*", "llama.cpp", both(1.8), both(1.8)},

	{small, "zoo", "kokoro *", "*", "ort", both(1.0), both(1.0)},
	{bert, "zoo", "* f32", "*", "ort", both(1.2), both(1.2)},
	{bertInt8, "zoo", "* int8", "*", "ort", both(1.0), both(1.0)},
	{bertInt8, "zoo", "* int8", "*", "openvino", both(1.5), both(1.5)},
	{small, "zoo", "*", "*", "ort", both(1.0), both(1.0)},

	// The same texts, options and weights on the device: at most 5 % is for what is around.
	{xla, "backends", "*", "xla", "jax", share(1.05), share(1.05)},

	{products, "ops", "matmul", "*", "openblas", both(0.95), both(0.95)},
	{products, "ops", "gemv", "*", "openblas", both(0.95), both(0.95)},
	{rows, "ops", "layer_norm", "*", "xla", both(1.0), both(1.0)},
	{rows, "ops", "softmax", "*", "xla", both(1.0), both(1.0)},
	{bert, "operators", "bert *", "*", "ort", both(1.2), both(1.2)},
	{bert, "operators", "bert *", "*", "ort int8", both(1.0), both(1.0)},
	{bert, "operators", "bert *", "*", "openvino int8", both(1.5), both(1.5)},
	{rows, "operators", "*", "*", "xla", both(1.0), both(1.0)},
	{products, "operators", "matmul f*", "*", "ort", both(0.95), both(0.95)},
	{singles, "operators", "*", "*", "ort", both(1.0), both(1.0)},
	{singles, "ops", "*", "*", "ort", both(1.0), both(1.0)},
}

// Beside is the goal for the time to load and for the greatest memory, beside each peer.
const Beside = 1.0

// Table returns the rows in their order.
func Table() []Goal { return slices.Clone(table) }

// Find returns the goal for an engine beside a peer.
func Find(benchmark, name, engine, peer string) (Goal, bool) {
	for _, g := range table {
		if matches(g.Benchmark, benchmark) && matches(g.Case, name) && matches(g.Engine, engine) && matches(g.Peer, peer) {
			return g, true
		}
	}
	return Goal{}, false
}

// matches has an asterisk stand for any text without a slash, which names do not have.
func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}

// Ratio returns what is to be reached on a processor with some instructions, by the compiler's
// names, on a number of threads. It reports false for a processor that the table is not about.
func (g Goal) Ratio(instructions []string, threads int) (float64, bool) {
	var list []float64
	switch {
	case slices.Contains(instructions, "avx512f"):
		list = g.AVX512
	case slices.Contains(instructions, "avx2"):
		list = g.AVX2
	default:
		return 0, false
	}
	return list[min(threads, len(list))-1], true
}
