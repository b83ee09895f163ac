package whisper

import (
	"math"
	"math/rand/v2"

	"github.com/skainet-dev/skainet-go/backend/parity"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/tensor"
)

// ParityCases are the calls on which a compiled Whisper is compared with the
// reference: every entry point, with a mel window that has the statistics of
// speech, and steps that use the state of earlier calls.
func ParityCases(c *contract.Contract) ([]parity.Case, error) {
	encode, err := c.Entry("encode")
	if err != nil {
		return nil, err
	}
	mel, err := syntheticMel(encode.Args[0].Type())
	if err != nil {
		return nil, err
	}
	transcribe, err := c.Entry("transcribe")
	if err != nil {
		return nil, err
	}
	vocabulary := transcribe.Args[4].Shape[0].Size
	prompt, err := tensor.Of([]int32{50257, 50362, 0, 0, 0, 0, 0, 0}, MaxPrompt)
	if err != nil {
		return nil, err
	}
	none, err := tensor.Zero(transcribe.Args[4].Type())
	if err != nil {
		return nil, err
	}
	// Forbid the stop token as the first one, as recognition does.
	bias := make([]float32, vocabulary)
	bias[50256] = float32(math.Inf(-1))
	first, err := tensor.Of(bias, vocabulary)
	if err != nil {
		return nil, err
	}
	scalar := func(v int32) tensor.Value {
		s, _ := tensor.Of([]int32{v}) // one element always fits a scalar
		return s
	}
	token := func(v int32) parity.Call {
		t, _ := tensor.Of([]int32{v}, 1)
		return parity.Call{Entry: "decode_step", Args: []tensor.Value{t}}
	}
	return []parity.Case{
		{Name: "steps", Calls: []parity.Call{
			{Entry: "encode", Args: []tensor.Value{mel}},
			{Entry: "prefill", Make: func(before [][]tensor.Value) ([]tensor.Value, error) {
				return []tensor.Value{before[0][0], prompt, scalar(2)}, nil
			}},
			token(843), token(523), token(616),
		}},
		{Name: "a prompt of one token", Calls: []parity.Call{
			{Entry: "encode", Args: []tensor.Value{mel}},
			{Entry: "prefill", Make: func(before [][]tensor.Value) ([]tensor.Value, error) {
				return []tensor.Value{before[0][0], prompt, scalar(1)}, nil
			}},
			token(843),
		}},
		{Name: "transcribe", Calls: []parity.Call{
			{Entry: "transcribe", Args: []tensor.Value{mel, prompt, scalar(2), scalar(50256), none, first, scalar(6), scalar(50361)}},
		}},
	}, nil
}

// CutCases are those for a cut: fewer calls, of every entry point, on one instance of the
// program.
func CutCases(c *contract.Contract) ([]parity.Case, error) {
	all, err := ParityCases(c)
	if err != nil {
		return nil, err
	}
	one := parity.Case{Name: "each"}
	for _, from := range all {
		switch from.Name {
		case "steps":
			one.Calls = append(one.Calls, from.Calls[:3]...) // encoder, prompt, and a token
		case "transcribe":
			call := from.Calls[0]
			call.Args[6], _ = tensor.Of([]int32{2}) // one element always fits a scalar
			one.Calls = append(one.Calls, call)
		}
	}
	return []parity.Case{one}, nil
}

// syntheticMel returns a window with a slow random walk over the range of
// Whisper's features, about -0.5 to 1.5.
func syntheticMel(t tensor.Type) (tensor.Value, error) {
	n, err := t.Shape.Elements()
	if err != nil {
		return tensor.Value{}, err
	}
	r := rand.New(rand.NewPCG(1, 2))
	data := make([]float32, n)
	x := 0.0
	for i := range data {
		x = 0.9*x + 0.2*r.NormFloat64()
		data[i] = float32(math.Max(-0.5, math.Min(1.5, x)))
	}
	return tensor.Of(data, t.Shape.Sizes()...)
}
