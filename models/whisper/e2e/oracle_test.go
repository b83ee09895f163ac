//go:build integration

package e2e

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/cpu"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/compile/export"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/lang"
	"github.com/skainet-dev/skainet-go/models/whisper"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

const endOfText, startOfTranscript, noSpeech = 50256, 50257, 50361

// The compiled program, step by step and in one call, on every CPU device.
func TestCompiledProgramAgainstFlax(t *testing.T) {
	g := flax(t)
	programs := []string{"PROGRAM_CPU"}
	needs, err := iree.Needs(path(t, "PROGRAM_CPU_V4"))
	require.NoError(t, err)
	if processor.Here().Check(needs) == nil {
		programs = append(programs, "PROGRAM_CPU_V4")
	}
	for i, device := range []string{"local-sync", "local-task"} {
		program := programs[i%len(programs)]
		t.Run(program+" on "+device, func(t *testing.T) {
			o := options(t, program)
			o.Library, o.Device, o.Workers = path(t, "LIBRARY"), device, 2
			x, err := iree.Open(o)
			require.NoError(t, err)
			defer func() { require.NoError(t, x.Close()) }()

			m := window(t, o.Contract)
			encoded := one(t, x, "encode", m)
			checkEncoder(t, g, encoded)
			logits := one(t, x, "prefill", encoded, prompt(t, g.Prompt), of(t, []int32{int32(len(g.Prompt))}))
			checkLogits(t, g, logits)
			for i, want := range append(g.IDs, endOfText) {
				got := largest(slice[float32](t, logits))
				require.Equal(t, want, got, "token %d", i)
				if got != endOfText {
					logits = one(t, x, "decode_step", of(t, []int32{got}, 1))
				}
			}

			none := of(t, make([]float32, 51864), 51864)
			out, err := x.Call(ctx, "transcribe", m, prompt(t, g.Prompt), of(t, []int32{int32(len(g.Prompt))}),
				of(t, []int32{endOfText}), none, none, of(t, []int32{whisper.MaxTokens}), of(t, []int32{noSpeech}))
			require.NoError(t, err)
			n := slice[int32](t, out[1])[0]
			require.Equal(t, g.IDs, slice[int32](t, out[0])[:n])
			p := float64(slice[float32](t, out[2])[0])
			require.Less(t, p, 0.0)
			require.Greater(t, p/float64(n+1), math.Log(0.5), "clear speech: each token has a probability above 0.5")

			// That nobody speaks is what the model says right after the first token.
			require.Equal(t, int32(startOfTranscript), g.Prompt[0])
			logits = one(t, x, "prefill", encoded, prompt(t, g.Prompt[:1]), of(t, []int32{1}))
			sum := 0.0
			for _, v := range slice[float32](t, logits) {
				sum += math.Exp(float64(v - slice[float32](t, logits)[noSpeech]))
			}
			silent := float64(slice[float32](t, out[3])[0])
			require.InDelta(t, 1/sum, silent, 1e-4)
			require.InDelta(t, 0.0293, silent, 0.002, "CTranslate2 4.8.5 returns 0.02930 as no_speech_prob")
		})
	}
}

// Programs are compared with the CPU backend; this test compares the
// CPU backend. It reads the weight file itself, not the archive.
func TestReferenceAgainstFlax(t *testing.T) {
	g := flax(t)
	index, err := export.ReadIndex(path(t, "INDEX"))
	require.NoError(t, err)
	graph, err := lang.Capture("whisper", index, whisper.Model)
	require.NoError(t, err)
	c := options(t, "PROGRAM_CPU").Contract
	file, err := weights.Open(path(t, "WEIGHTS"))
	require.NoError(t, err)
	defer file.Close()
	x, err := cpu.Load(graph, c, func(_, key string) (tensor.Value, error) {
		s, err := index.Lookup(key)
		if err != nil {
			return tensor.Value{}, err
		}
		b, err := file.Tensor(s.Name)
		if err != nil {
			return tensor.Value{}, err
		}
		data, err := b.Bytes()
		return tensor.Value{Type: s.Type(), Bytes: data}, err
	})
	require.NoError(t, err)
	defer x.Close()
	encoded := one(t, x, "encode", window(t, c))
	checkEncoder(t, g, encoded)
	logits := one(t, x, "prefill", encoded, prompt(t, g.Prompt), of(t, []int32{int32(len(g.Prompt))}))
	checkLogits(t, g, logits)
	require.Equal(t, g.IDs[1], largest(slice[float32](t, one(t, x, "decode_step", of(t, g.IDs[:1], 1)))))
}

// Our tokenizer decodes the golden's ids to its text, with both vocabulary files that
// come with the weights.
func TestGoldenText(t *testing.T) {
	g := flax(t)
	for _, variable := range []string{"VOCABULARY", "TOKENIZER"} {
		tok, err := tokenizer.Load(path(t, variable))
		require.NoError(t, err)
		text, err := tok.Text(g.IDs, false)
		require.NoError(t, err)
		require.Equal(t, " "+g.Text, text)
	}
}
