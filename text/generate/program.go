package generate

import (
	"context"
	"encoding/binary"
	"slices"
	"unsafe"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// program is an executable with the entry points that a session needs.
type program struct {
	backend.Executable
	context    int            // R
	vocabulary int            // V
	onward     bool           // prefill and generate begin at 0 or where the last call ended
	last       []tensor.Value // results of the last call that gave logits
}

// signatures of the entry points: argument and result types with 0 for a size that
// the program defines, which is R or V where there is one name for it below.
type signature struct {
	entry         string
	args, results []tensor.Type
}

var (
	scalarI32 = tensor.TypeOf(dtype.I32)
	scalarF32 = tensor.TypeOf(dtype.F32)
	anyI32    = tensor.Type{DType: dtype.I32, Shape: shape.Of(shape.Dynamic)}
)

func row(vocabulary int64) tensor.Type { return tensor.TypeOf(dtype.F32, 1, vocabulary) }

// maxSize is far above the context and the vocabulary of any model. Sizes of a
// contract allocate memory here before the program returns as much.
const maxSize = 1 << 24

// resume is the name of start, as lang/nn/causal has it, in a program that cannot go back.
const resume = "resume"

// bind checks the program's signatures.
func bind(x backend.Executable) (*program, error) {
	c := x.Contract()
	generate, err := c.Entry("generate")
	if err != nil {
		return nil, noProgram(err)
	}
	prefill, err := c.Entry("prefill")
	if err != nil {
		return nil, noProgram(err)
	}
	if len(generate.Results) == 0 || generate.Results[0].Shape.Rank() != 1 || len(prefill.Results) == 0 || prefill.Results[0].Shape.Rank() != 2 {
		return nil, errs.New(CodeProgram, "generate returns no list of tokens, or prefill no logits").On(c.Name)
	}
	r, v := generate.Results[0].Shape[0].Size, prefill.Results[0].Shape[1].Size
	if r < 1 || v < 1 || r > maxSize || v > maxSize {
		return nil, errs.New(CodeProgram, "a context of %d tokens and a vocabulary of %d", r, v).On(c.Name)
	}
	for _, s := range []signature{
		{"prefill", []tensor.Type{anyI32, scalarI32}, []tensor.Type{row(v)}},
		{"decode", []tensor.Type{tensor.TypeOf(dtype.I32, 1)}, []tensor.Type{row(v)}},
		{"generate", []tensor.Type{
			anyI32, scalarI32, scalarI32, scalarF32, scalarI32, scalarF32, scalarF32, scalarF32, tensor.TypeOf(dtype.I32, 2), anyI32,
		}, []tensor.Type{tensor.TypeOf(dtype.I32, r), scalarI32}},
	} {
		if err := s.check(c); err != nil {
			return nil, err
		}
	}
	return &program{Executable: x, context: int(r), vocabulary: int(v), onward: prefill.Args[1].Name == resume}, nil
}

func noProgram(err error) error {
	return errs.Wrap(CodeProgram, err, "the program is not a text generator").Hint("use a program of lang/nn/causal")
}

func (s signature) check(c *contract.Contract) error {
	e, err := c.Entry(s.entry)
	if err != nil {
		return noProgram(err)
	}
	same := func(named []contract.Named, want []tensor.Type) bool {
		if len(named) != len(want) {
			return false
		}
		for i, n := range named {
			t := n.Type()
			if t.DType != want[i].DType || t.Shape.Rank() != want[i].Shape.Rank() {
				return false
			}
			for j, d := range want[i].Shape {
				if t.Shape[j].Size != d.Size {
					return false
				}
			}
		}
		return true
	}
	if !same(e.Args, s.args) || !same(e.Results, s.results) {
		return errs.New(CodeProgram, "the entry point has another signature than this version's").On(c.Name + "." + s.entry).
			Hint("export and compile the model again with this version")
	}
	return nil
}

// prefill returns the logits after tokens, which stand at start; valid until the next call.
func (p *program) prefill(ctx context.Context, tokens []int32, start int) ([]float32, error) {
	return p.row(p.call(ctx, "prefill", list(tokens), scalar(int32(start))))
}

// decode returns the logits after one more token; valid until the next call.
func (p *program) decode(ctx context.Context, token int32) ([]float32, error) {
	return p.row(p.call(ctx, "decode", list([]int32{token})))
}

// call runs an entry point that returns logits, into the memory of the previous call
// if the backend supports it.
func (p *program) call(ctx context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	x, ok := p.Executable.(backend.CallerAllocated)
	if !ok {
		return p.Call(ctx, entry, args...)
	}
	out, err := x.CallInto(ctx, entry, p.last, args...)
	if err == nil {
		p.last = out
	}
	return out, err
}

func (p *program) row(out []tensor.Value, err error) ([]float32, error) {
	if err != nil {
		return nil, err
	}
	b := out[0].Bytes
	if first := unsafe.Pointer(unsafe.SliceData(b)); littleEndian && uintptr(first)%4 == 0 && len(b) == 4*p.vocabulary {
		return unsafe.Slice((*float32)(first), p.vocabulary), nil // a copy of 1 MB less
	}
	row := make([]float32, p.vocabulary)
	return row, tensor.Float32s(dtype.F32, row, b)
}

// littleEndian reports whether memory holds numbers as tensors do.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// whole prefills tokens at start and generates up to limit tokens in one call. It
// returns them without the stop token, and that token, or -1 if there was none. With
// GENERATE_LOGITS it returns the tokens before the fault.
func (p *program) whole(ctx context.Context, tokens []int32, start, limit int, s Sampling, stop []int32) (chosen []int32, ended int32, err error) {
	seed := list([]int32{int32(s.Seed), int32(s.Seed >> 32)})
	// What the program chooses where it cannot. It counts the last 64 of more.
	stop = append(slices.Clone(stop), noToken)
	out, err := p.Call(ctx, "generate", list(tokens), scalar(int32(start)), scalar(int32(limit)),
		scalar(s.Temperature), scalar(int32(s.TopK)), scalar(s.topP()), scalar(s.MinP), scalar(s.penalty()), seed, list(stop))
	if err != nil {
		return nil, -1, err
	}
	if chosen, err = tensor.Slice[int32](out[0]); err != nil {
		return nil, -1, err
	}
	count, err := tensor.Slice[int32](out[1])
	if err != nil {
		return nil, -1, err
	}
	n := int(count[0])
	if n < 0 || n > limit || n > len(chosen) {
		return nil, -1, errs.New(CodeProgram, "the program returned %d tokens, more than %d", n, limit).On("generate")
	}
	for _, t := range chosen[:n] {
		if t < 0 || int(t) >= p.vocabulary {
			return nil, -1, errs.New(CodeProgram, "the program returned the token %d, the vocabulary has %d", t, p.vocabulary).On("generate")
		}
	}
	switch ended = noToken; {
	case n == limit:
	case !slices.Contains(stop, chosen[n]): // only a stop token ends it before, and stands after those that count
		return nil, -1, errs.New(CodeProgram, "the program stopped at token %d, which is not a stop token", chosen[n]).On("generate")
	case chosen[n] == noToken:
		err = noChoice(p.vocabulary)
	default:
		ended = chosen[n]
	}
	return chosen[:n], ended, err
}

// noToken is what a program returns for no token.
const noToken = -1

func scalar[T tensor.Element](v T) tensor.Value {
	s, _ := tensor.Of([]T{v}) // one element always fits a scalar
	return s
}

func list(v []int32) tensor.Value {
	l, _ := tensor.Of(v, int64(len(v))) // elements always fit their number
	return l
}
