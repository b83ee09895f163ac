// Package modelcases provides the calls with which compiled language models are compared
// with the CPU reference: the entry points of lang/nn/causal.
//
// # Errors
//
// Those of the contract, if an entry point is missing.
//
// # Determinism
//
// Cases depend only on the contract.
package modelcases

import (
	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Text calls every entry point: step by step, with chunks of several
// lengths, a step back, the logits of a whole text, and generation, greedy and
// sampled. The tokens fit the model's vocabulary.
func Text(c *contract.Contract) ([]parity.Case, error) {
	decode, err := c.Entry("decode")
	if err != nil {
		return nil, err
	}
	vocabulary := decode.Results[0].Shape[1].Size
	tokens := func(n, seed int64) []int32 {
		list := make([]int32, n)
		for i := range list {
			list[i] = int32((seed + int64(i)*7919) % vocabulary)
		}
		return list
	}
	prefill := func(list []int32, start int32) parity.Call {
		return parity.Call{Entry: "prefill", Args: []tensor.Value{of(list, int64(len(list))), of([]int32{start})}}
	}
	step := func(token int32) parity.Call {
		return parity.Call{Entry: "decode", Args: []tensor.Value{of([]int32{token}, 1)}}
	}
	generate := func(list []int32, start, most int32, temperature float32, topK int32) parity.Call {
		return parity.Call{Entry: "generate", Args: []tensor.Value{
			of(list, int64(len(list))), of([]int32{start}), of([]int32{most}),
			of([]float32{temperature}), of([]int32{topK}), of([]float32{0.95}), of([]float32{0.02}), of([]float32{1.1}),
			of([]int32{42, 0}, 2), of([]int32{-1}, 1),
		}}
	}
	some := tokens(6, 2)
	return []parity.Case{
		{Name: "steps", Calls: []parity.Call{
			prefill(some, 0), step(5), step(6), prefill(tokens(19, 1000), 8), step(7), prefill(tokens(1, 3), 5), step(9),
		}},
		{Name: "logits", Calls: []parity.Call{
			{Entry: "logits", Args: []tensor.Value{of(some, 6)}}, {Entry: "logits", Args: []tensor.Value{of(some[:1], 1)}},
		}},
		{Name: "generate", Calls: []parity.Call{generate(some, 0, 5, 0, 0), step(11)}},
		{Name: "drawn", Calls: []parity.Call{
			prefill(some, 0), generate(tokens(3, 77), 6, 4, 0.8, 40),
		}},
	}, nil
}

func of[T tensor.Element](data []T, sizes ...int64) tensor.Value {
	v, _ := tensor.Of(data, sizes...) // the sizes match the data
	return v
}
