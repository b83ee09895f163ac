package goals

import "slices"

// Limit is why a goal is missed, by measurement.
type Limit struct {
	// Patterns of path.Match for the names in figures. The first row that matches counts.
	Benchmark, Case, Engine, Peer string
	Of                            Kind
	Threads                       int // 0 for any number
	// Instructions is what the processor has on which it was measured, and on those alone it says
	// something; empty for any processor.
	Instructions string
	Bound        string   // what keeps the row from its goal, with the figure
	Tried        []string // at least three things, with what each gave
}

// Kind is what a limit is about.
type Kind string

// Kinds of limits.
const (
	Speed  Kind = "speed" // the ratios of the times
	Load   Kind = "load"
	Memory Kind = "memory"
)

// Limits returns the known limits in their order.
func Limits() []Limit { return slices.Clone(limits) }

// Why returns the limit of an engine beside a peer on a processor with some instructions.
func Why(benchmark, name, engine, peer string, of Kind, threads int, instructions []string) (Limit, bool) {
	for _, l := range limits {
		if l.Of == of && (l.Threads == 0 || l.Threads == threads) && matches(l.Benchmark, benchmark) && matches(l.Case, name) && matches(l.Engine, engine) && matches(l.Peer, peer) &&
			(l.Instructions == "" || slices.Contains(instructions, l.Instructions)) {
			return l, true
		}
	}
	return Limit{}, false
}

// limits has the special rows before the general ones.
var limits = []Limit{
	{
		Benchmark: "zoo", Case: "efficientnet-lite0", Engine: "*", Peer: "ort", Of: Speed, Threads: 1, Instructions: "avx512f",
		Bound: "pointwise and depthwise convolutions of small planes, 10.6 ms beside 7.9",
		Tried: []string{
			"panels of 192 elements, no gain", "tiles of 6 x 64, no gain", "prefetch of the next panel, 9.0 -> 12.8 ms of convolutions",
			"8 workgroups in place of 4, no gain",
		},
	},
}
