package bert

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

// tokensOf is a program of another library: the vector of a token is its id, its type
// and its mask.
type tokensOf struct {
	entry contract.Entry
	short bool // returns the vector of a single token
}

func (p *tokensOf) Contract() *contract.Contract {
	return &contract.Contract{Entries: []contract.Entry{p.entry}, Parameters: []contract.Parameter{
		{Key: "embeddings.position_embeddings.weight_scale", Shape: shape.Of(1)},
		{Key: "bert." + positionKey + "_quantized", Shape: shape.Of(16, 12)},
	}}
}
func (p *tokensOf) Close() error { return nil }
func (p *tokensOf) Call(_ context.Context, _ string, args ...tensor.Value) ([]tensor.Value, error) {
	ids, err := tensor.Slice[int64](args[1])
	if err != nil {
		return nil, err
	}
	var out []float32
	if p.short {
		ids = ids[:1]
	}
	for _, id := range ids {
		out = append(out, float32(id), 1)
	}
	s := args[1].Type.Shape
	v, err := tensor.Of(out, s[0].Size, int64(len(ids))/s[0].Size, 2)
	return []tensor.Value{v}, err
}

func dynamic(names ...string) contract.Entry {
	e := contract.Entry{Name: "main", Results: []contract.Named{{Name: "last_hidden_state", DType: dtype.F32}}}
	for _, n := range names {
		e.Args = append(e.Args, contract.Named{Name: n, DType: dtype.I64, Shape: shape.Shape{shape.Named("b"), shape.Named("s")}})
	}
	return e
}

func TestPoolingOfAnotherLibrarysProgram(t *testing.T) {
	x := &tokensOf{entry: dynamic("token_type_ids", "input_ids", "attention_mask")}
	e, err := NewEmbedder(x, words(t), 0)
	require.NoError(t, err)
	require.Equal(t, 16, e.Positions())
	texts := []string{"a", "abc def"}
	direction := func(x, y float64) []float32 {
		l := math.Hypot(x, y)
		return []float32{float32(x / l), float32(y / l)}
	}
	for _, p := range []Pooling{Mean, CLS} {
		for _, prompt := range []string{"", "gh "} {
			e.Pooling, e.Prompt = p, prompt
			got, err := e.Embed(context.Background(), texts...)
			require.NoError(t, err)
			for i, text := range texts {
				ids, err := e.tokens.Encode(prompt+text, true)
				require.NoError(t, err)
				sum := 0.
				for _, id := range ids {
					sum += float64(id)
				}
				want := direction(sum/float64(len(ids)), 1)
				if p == CLS {
					want = direction(float64(ids[0]), 1)
				}
				require.InDeltaSlice(t, want, got[i], 1e-6, "%s %q %q", p, prompt, text)
			}
		}
	}
	x.short = true
	_, err = e.Embed(context.Background(), "a")
	require.Equal(t, CodeProgram, errs.CodeOf(err))
	for _, names := range [][]string{nil, {"input_ids"}, {"input_ids", "attention_mask", "pixels"}, {"input_ids", "input_ids", "attention_mask"}} {
		_, err := NewEmbedder(&tokensOf{entry: dynamic(names...)}, words(t), 0)
		require.Equal(t, CodeProgram, errs.CodeOf(err), names)
	}
}

func TestSettingsOfSentenceTransformers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	write := func(text string) { require.NoError(t, os.WriteFile(path, []byte(text), 0o600)) }
	for text, want := range map[string]Pooling{
		`{"pooling_mode_cls_token": true}`: CLS, `{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}`: Mean,
		`{}`: "", `{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}`: "", `[]`: "",
	} {
		write(text)
		got, err := LoadPooling(path)
		require.Equal(t, want, got, text)
		if want == "" {
			require.Equal(t, CodeSettings, errs.CodeOf(err), text)
			require.ErrorContains(t, err, path)
		}
	}
	write(`{"prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": "query"}`)
	p, err := LoadPrompts(path)
	require.NoError(t, err)
	for name, want := range map[string]string{"": "query: ", "passage": "passage: ", "none": ""} {
		got, err := p.Text(name)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	_, err = p.Text("answer")
	require.Equal(t, CodeSettings, errs.CodeOf(err))
	require.ErrorContains(t, err, "none, passage, query")
	for _, text := range []string{`{"default_prompt_name": "query"}`, `{"prompts": []}`} {
		write(text)
		_, err = LoadPrompts(path)
		require.Equal(t, CodeSettings, errs.CodeOf(err), text)
	}
	write(`{"prompts": {}, "default_prompt_name": null}`)
	p, err = LoadPrompts(path)
	require.NoError(t, err)
	text, err := p.Text("")
	require.NoError(t, err)
	require.Empty(t, text)
}
