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

// limits has the special rows before the general ones. The figures are of one core of a Xeon with AVX-512 and VNNI.
var limits = []Limit{
	{
		Benchmark: "zoo", Case: "efficientnet-lite0", Engine: "*", Peer: "ort", Of: Speed, Threads: 1, Instructions: "avx512f",
		Bound: "EfficientNet's products are 0.72 GFLOP, 4.1 ms at the core's peak of 177 GFLOP/s; they take 4.8 ms, 150 GFLOP/s, of 7.2 for all dispatches, " +
			"depthwise convolutions 1.9; ONNX Runtime's calls vary by as much as the difference, 7.3 to 7.8 ms",
		Tried: []string{
			"rows of a product read where they lie in place of panels, 8.0 -> 7.5 ms, kept", "one sum of all elements in place of slices of 128, within 1 %, and 4 times the error",
			"the same with slices of 192, 256 and 384, within 1 %", "columns of 384 and 1536 to a workgroup, 16 channels at 112 x 112 1.04 -> 0.95 and 0.92 ms with its result copied, nothing at others",
			"panels of 192 and 256 elements, no gain beyond noise", "rows of 28 x 28 and 56 x 56 depthwise in one line, equal and 25 % slower",
			"depthwise with a masked product for each tap, 1.10 -> 1.37 ms", "the last columns of a product computed alone, 10.5 -> 9.6 ms of the call, kept",
			"scratch memory at a line of the cache, 9.7 -> 9.1 ms, kept",
		},
	},
	{
		Benchmark: "zoo", Case: "efficientnet-lite0", Engine: "*", Peer: "ort", Of: Speed, Threads: 2, Instructions: "avx512f",
		Bound: "a second thread takes 7.5 ms to 4.6, 1.63 times, ONNX Runtime's 7.3 to 4.1, 1.78 times: of some 40 dispatches of 10 to 300 us each ends with the wait for the last of 5 to 20 parts",
		Tried: []string{
			"rows of direct products in 6 parts or more in place of 5 of 256, 4.72 -> 4.56 ms, kept", "rows of a product read where they lie, 4.80 -> 4.72 ms, kept",
			"threads that wait without giving way, 4.78 -> 4.75 ms, and 1.4 times as long beside a busy process",
		},
	},
	{
		Benchmark: "zoo", Case: "nanodet", Engine: "*", Peer: "ort", Of: Speed, Threads: 1, Instructions: "avx512f",
		Bound: "NanoDet is 4.18 GFLOP, 23.6 ms at the core's peak of 177 GFLOP/s; its 34 convolutions take 29.1 ms at 144 GFLOP/s, of which filling panels is 6 to 7 %, " +
			"and all else 6 ms",
		Tried: []string{
			"panels of 90 elements, 1.4 % slower, of 192 and 256 within 1 %", "tiles of 6 x 64, within 1 %",
			"the end of a product behind a branch for its last slice only, 34.86 -> 34.85 ms", "zeros around the operand and LeakyReLU in the kernel, 44.2 -> 40.2 ms, kept",
			"a kernel for maxima over windows, 39.1 -> 35.7 ms, kept",
		},
	},
	{
		Benchmark: "zoo", Case: "nanodet", Engine: "*", Peer: "ort", Of: Speed, Threads: 2, Instructions: "avx512f",
		Bound: "a second thread takes 34.1 ms to 20.8, 1.64 times, ONNX Runtime's 29.8 to 16.2, 1.84 times: planes of 26 x 26 are 7 parts and a narrow one, of which one thread has 4, at most 1.76 times",
		Tried: []string{
			"threads that wait without giving way, 20.83 -> 20.57 ms, within noise", "rows of a product read where they lie, 34.1 -> 34.1 ms on one thread",
			"zeros around the operand and LeakyReLU in the kernel, 44.2 -> 40.2 ms on one thread, kept", "a kernel for maxima over windows, 39.1 -> 35.7 ms on one thread, kept",
		},
	},
	{
		Benchmark: "zoo", Case: "*-small int8", Engine: "*", Peer: "ort", Of: Speed, Threads: 1, Instructions: "avx512vnni",
		Bound: "of 4.3 ms of dispatches over 3 x 10 tokens products take 3.1, of which 1.4 copy 21 MB of weights to panels, also for one row (reading them takes 0.7 at 29 GB/s); " +
			"ONNX Runtime packs them when it loads the model; between some 500 dispatches another 0.6 ms pass; at 1 x 128 tokens the row is at 1.06",
		Tried: []string{
			"products of bytes by vpdpbusd in place of vpdpwssd on 16 bits, 44.3 -> 22.3 ms at 1 x 128 and 11.4 -> 5.8 at 3 x 10, kept",
			"rows prefetched 4, 16 and 32 panel rows ahead in place of 8, 3.29 to 3.5 ms; one row 1.55 -> 1.56", "tiles of 6 x 64 over panels of 128 elements, 10.9 -> 11.7 ms, of 96, 3.32 -> 3.13, kept",
			"prefetch of the next panel with products of 16 bits, 6.45 -> 6.40 ms and 18.1 -> 18.7", "bytes interleaved before they are widened, 6.0 -> 6.1 ms",
			"quantised by products with the reciprocal and exact rests, 2.45 -> 1.01 ms at 1 x 128, kept", "least and greatest element in one pass, 2.84 -> 0.40 ms, kept",
		},
	},
	{
		Benchmark: "operators", Case: "bert *", Engine: "*", Peer: "ort", Of: Speed, Threads: 1, Instructions: "avx512f",
		Bound: "products are 33.3 of 40.3 ms of a BERT of 12 x 384 at 1 x 128 tokens, at 163 of the core's 177 GFLOP/s",
		Tried: []string{
			"prefetch of the next panel, 10.9 -> 10.4 to 10.7 ms", "128 rows of an operand at a time, 1226 ms where 256 take 1211",
			"barriers behind mean and variance, 11.9 -> 12.0 ms", "attention as one kernel and 256 rows, 2494 -> 1762 ms at 32 x 128, kept",
		},
	},
}
