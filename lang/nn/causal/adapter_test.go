package causal_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/lang/nn/causal"
	"github.com/skainet-dev/skainet-go/tensor"
)

// The oracle is NumPy in float64 with the adapters merged into the weights:
// testdata/gen_causal.py made the file.
//
//go:embed testdata/adapters.json
var adaptersJSON []byte

type adapters struct {
	Rank   int64
	Layers []string
	Scales map[string]float32
	Cases  map[string]map[string][][]float32 // by model and adapter
}

func readAdapters(t *testing.T) adapters {
	t.Helper()
	var a adapters
	require.NoError(t, json.Unmarshal(adaptersJSON, &a))
	require.Len(t, a.Cases, 2)
	return a
}

// params gives the weights of a model, and those of an adapter by its name; "" is one of
// zeros.
func params(x *tensor.Index, types map[string]tensor.Type, adapter string, scale float32) cpu.Params {
	return func(scope, key string) (tensor.Value, error) {
		if scope != causal.AdapterScope {
			s, err := x.Lookup(key)
			if err != nil {
				return tensor.Value{}, err
			}
			return weight(s)
		}
		typ := types[key]
		n, err := typ.Shape.Elements()
		if err != nil {
			return tensor.Value{}, err
		}
		data := make([]float32, n)
		switch {
		case adapter == "":
		case n == 1:
			data[0] = scale
		default:
			data = numbers(adapter+"/"+key, n)
		}
		return tensor.Of(data, typ.Shape.Sizes()...)
	}
}

// adapted is a model with room for an adapter, with the one of zeros.
func adapted(t *testing.T, c causal.Config, a adapters) (backend.Executable, func(adapter string) cpu.Params) {
	t.Helper()
	c.Adapter = causal.Adapter{Rank: a.Rank, Layers: a.Layers}
	x := indexOf(c)
	g, err := lang.Capture("small", x, func(m *lang.Module) { causal.Model(m, c) })
	require.NoError(t, err)
	m, err := iree.Emit(g, iree.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"adapter", "model"}, m.Contract.Scopes())
	require.Contains(t, string(m.Text), `#flow.parameter.named<"adapter"::"base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight">`)
	types := map[string]tensor.Type{}
	for _, p := range m.Contract.Parameters {
		types[p.Key] = tensor.Type{DType: p.DType, Shape: p.Shape}
	}
	of := func(adapter string) cpu.Params { return params(x, types, adapter, a.Scales[adapter]) }
	e, err := cpu.Load(g, m.Contract, of(""))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e, of
}

// Logits with an adapter are those of the weights that it was merged into, by every way
// to feed a text; sessions of one program do not disturb each other.
func TestAdaptersAgainstNumPy(t *testing.T) {
	a := readAdapters(t)
	ids, cases := goldens(t)
	for model, want := range a.Cases {
		t.Run(model, func(t *testing.T) {
			c := cases[model].config()
			base, give := adapted(t, c, a)
			sessions := map[string]backend.Executable{}
			for name := range a.Scales {
				s, err := base.(cpu.Shared).Session([]string{causal.AdapterScope}, give(name), nil)
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				sessions[name] = s
			}
			for i := range ids { // in turns
				for name, s := range sessions {
					got := prefill(t, s, ids[i:i+1], i)
					requireLogits(t, want[name][i], got)
					require.Greater(t, math.Abs(float64(want[name][i][0]-cases[model].Logits[i][0])), 10*tolerance, "the adapter changes the model")
				}
				requireLogits(t, cases[model].Logits[i], prefill(t, base, ids[i:i+1], i))
			}
			for name, s := range sessions {
				got := slice[float32](t, call(t, s, "logits", of(t, ids, int64(len(ids))))[0])
				for i := range ids {
					requireLogits(t, want[name][i], got[i*int(c.VocabSize):(i+1)*int(c.VocabSize)])
				}
			}
		})
	}
}

// An adapter of zeros gives the model's own numbers, to the bit.
func TestAdapterOfZerosIsTheModel(t *testing.T) {
	a := readAdapters(t)
	ids, cases := goldens(t)
	for model := range a.Cases {
		c := cases[model].config()
		base, _ := adapted(t, c, a)
		require.Equal(t, prefill(t, load(t, c), ids, 0), prefill(t, base, ids, 0), model)
	}
}

func TestBadAdapters(t *testing.T) {
	_, cases := goldens(t)
	for name, tt := range map[string]struct {
		a    causal.Adapter
		says string
	}{
		"no rank":   {causal.Adapter{Layers: []string{"attn_q"}}, "rank 0"},
		"no layers": {causal.Adapter{Rank: 8}, "0 layers"},
		"unknown":   {causal.Adapter{Rank: 8, Layers: []string{"q_proj"}}, `"q_proj"`},
		"twice":     {causal.Adapter{Rank: 8, Layers: []string{"attn_q", "attn_q"}}, "twice"},
	} {
		t.Run(name, func(t *testing.T) {
			c := cases["llama"].config()
			c.Adapter = tt.a
			_, err := lang.Capture("small", indexOf(c), func(m *lang.Module) { causal.Model(m, c) })
			require.Equal(t, causal.CodeAdapter, errs.CodeOf(err))
			require.ErrorContains(t, err, tt.says)
		})
	}
}
