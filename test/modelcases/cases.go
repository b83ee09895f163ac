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

// Cut calls every entry point of a cut of a model on one instance of the program, which an
// emulator or a driver in software takes long to load: the state goes on from call to call.
func Cut(c *contract.Contract) ([]parity.Case, error) {
	all, err := Text(c)
	if err != nil {
		return nil, err
	}
	calls := map[string][]parity.Call{}
	for _, one := range all {
		calls[one.Name] = one.Calls
	}
	one := parity.Case{Name: "each"}
	one.Calls = append(one.Calls, calls["steps"][:2]...) // six tokens, and one more
	one.Calls = append(one.Calls, calls["logits"][1])
	greedy, drawn := calls["generate"][0], calls["drawn"][1]
	for i, call := range []*parity.Call{&greedy, &drawn} {
		call.Args = append([]tensor.Value{}, call.Args...)
		call.Args[1], call.Args[2] = of([]int32{int32(7 + 3*i)}), of([]int32{2}) // from where, and how many
	}
	drawn.Args[0], greedy.Args[0] = of([]int32{77, 5}, 2), of([]int32{3}, 1)
	one.Calls = append(one.Calls, greedy, drawn, calls["generate"][1])
	return []parity.Case{one}, nil
}

func of[T tensor.Element](data []T, sizes ...int64) tensor.Value {
	v, _ := tensor.Of(data, sizes...) // the sizes match the data
	return v
}
