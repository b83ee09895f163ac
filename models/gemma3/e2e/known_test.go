//go:build integration

package e2e

// known is the model's known answer: " the capital of the country of
// France. It is the largest city in France".
var (
	prompt = []int32{2, 818, 5279, 529, 7001, 563}
	known  = []int32{506, 5279, 529, 506, 2891, 529, 7001, 236761, 1030, 563, 506, 7488, 3207, 528, 7001}
)
