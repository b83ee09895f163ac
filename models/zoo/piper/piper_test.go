package piper

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const settings = `{"audio": {"sample_rate": 22050}, "espeak": {"voice": "en-us"}, "phoneme_type": "espeak", "num_speakers": 1,
 "inference": {"noise_scale": 0.5, "length_scale": 1.25, "noise_w": 0}, "phoneme_id_map": {"^": [1], "_": [0], "$": [2], "a": [14], "b": [15, 16], "̃": [141]}}`

func voice(t *testing.T) *Voice {
	t.Helper()
	v, err := ParseVoice([]byte(settings))
	require.NoError(t, err)
	return v
}

func TestVoice(t *testing.T) {
	v := voice(t)
	require.Equal(t, 22050, v.Rate)
	require.Equal(t, "en-us", v.Language)
	require.Equal(t, Scales{0.5, 1.25, 0}, v.Scales)
	ids, unknown := v.IDs("ãxbx")
	require.Equal(t, []int64{1, 0, 14, 0, 141, 0, 15, 16, 0, 2}, ids, "a tilde is a phoneme of its own")
	require.Equal(t, "x", unknown)
	for fault, from := range map[string]string{
		"no JSON":       "{",
		"a rate of 0":   `"sample_rate": 22050`,
		"another kind":  `"phoneme_type": "espeak"`,
		"two voices":    `"num_speakers": 1`,
		"no pad":        `"_": [0]`,
		"a wrong scale": `"length_scale": 1.25`,
	} {
		to := map[string]string{"no JSON": "", "a rate of 0": `"sample_rate": 0`, "another kind": `"phoneme_type": "text"`, "two voices": `"num_speakers": 2`, "no pad": `"-": [0]`, "a wrong scale": `"length_scale": 0`}[fault]
		_, err := ParseVoice([]byte(strings.Replace(settings, from, to, 1)))
		require.Equal(t, CodeVoice, errs.CodeOf(err), fault)
	}
	_, err := LoadVoice(filepath.Join(t.TempDir(), "none.json"))
	require.Error(t, err)
}

// Sentences end at marks, unless they stand inside a number or a name.
func TestSentences(t *testing.T) {
	var got []string
	for _, s := range sentences("Hello, \"you\"! It is 10:15; 3.50 at example.com... No\nbreak\n\nA title \n \n(Well.) 你好。再见 -- !") {
		var one []string
		for _, c := range s {
			one = append(one, c.text+"|"+c.mark)
		}
		got = append(got, strings.Join(one, " "))
	}
	want := []string{`Hello|, "you"|!`, "It is 10:15|; 3.50 at example.com|.", "No\nbreak|", "A title|", "(Well|.", "你好|。", "再见 --|!"}
	want[5] = "你好|."
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	require.Empty(t, sentences(" \n\n ... ?! "))
}

// A program in espeak-ng's place: it answers with what it was asked.
func TestPhonemes(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	path := filepath.Join(dir, "espeak")
	script := "#!/bin/sh\n[ \"$6\" = en-us ] || { echo 'no such voice' >&2; exit 1; }\necho \"(en)$(cat | tr a-z A-Z)(de)\"\necho '  tail '\n"
	require.NoError(t, os.WriteFile(path, []byte(script), 0o700))
	e := Espeak{path, "en-us"}
	got, err := e.Phonemes(ctx, "one, two. three")
	require.NoError(t, err)
	require.Equal(t, []string{"ONE tail, TWO tail.", "THREE tail"}, got)
	_, err = Espeak{path, "xx"}.Phonemes(ctx, "one")
	require.Equal(t, CodeEspeak, errs.CodeOf(err))
	require.ErrorContains(t, err, "no such voice")
	for _, name := range []string{filepath.Join(dir, "missing"), "no-such-program-in-any-path"} {
		_, err = Espeak{name, "en-us"}.Phonemes(ctx, "one")
		require.Equal(t, CodeEspeak, errs.CodeOf(err))
		require.ErrorContains(t, err, "apt-get install espeak-ng")
	}
}

// twice is a program of two frames a phoneme, whose sound is its noise.
type twice struct {
	contract *contract.Contract
	frames   int64
	calls    [][]tensor.Value
}

func named(name string, d dtype.DType, s shape.Shape) contract.Named {
	return contract.Named{Name: name, DType: d, Shape: s}
}

func program() *twice {
	p, f := shape.Named("p+4"), shape.Named("frames")
	scales := named("scales", dtype.F32, shape.Of(3))
	return &twice{contract: &contract.Contract{Name: "twice", Entries: []contract.Entry{
		{Name: "before", Args: []contract.Named{named("input", dtype.I64, shape.Shape{shape.N(1), p}), named("input_lengths", dtype.I64, shape.Of(1)), scales, named("z", dtype.F32, shape.Shape{shape.N(1), shape.N(2), p})},
			Results: []contract.Named{named("length", dtype.I64, shape.Shape{}), named("mean", dtype.F32, shape.Shape{p})}},
		{Name: "after", Args: []contract.Named{named("mean", dtype.F32, shape.Shape{p}), named("length", dtype.U8, shape.Shape{f}), scales, named("z", dtype.F32, shape.Shape{shape.N(1), shape.N(1), f})},
			Results: []contract.Named{named("sound", dtype.F32, shape.Shape{f})}},
	}}}
}

func (p *twice) Contract() *contract.Contract { return p.contract }
func (p *twice) Close() error                 { return nil }
func (p *twice) Call(_ context.Context, entry string, args ...tensor.Value) ([]tensor.Value, error) {
	p.calls = append(p.calls, args)
	n := args[0].Type.Shape.Sizes()
	if entry == "after" {
		z, err := tensor.Slice[float32](args[3])
		if err != nil {
			return nil, err
		}
		v, err := tensor.Of(z, int64(len(z)))
		return []tensor.Value{v}, err
	}
	length, err := tensor.Of([]int64{n[1]*2 + p.frames})
	if err != nil {
		return nil, err
	}
	mean, err := tensor.Of(make([]float32, n[1]), n[1])
	return []tensor.Value{length, mean}, err
}

func TestSay(t *testing.T) {
	ctx := context.Background()
	p := program()
	s, err := New(p, voice(t))
	require.NoError(t, err)
	sound, unknown, err := s.Say(ctx, "abz", voice(t).Scales, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	require.Equal(t, "z", unknown)
	require.Len(t, sound, 16, "of 8 phonemes")
	top := float32(0)
	for _, x := range sound {
		top = max(top, x, -x)
	}
	require.InDelta(t, 1, top, 0)
	scales, err := tensor.Slice[float32](p.calls[1][2])
	require.NoError(t, err)
	require.Equal(t, []float32{0.5, 1.25, 0}, scales)
	again, _, err := s.Say(ctx, "abz", voice(t).Scales, rand.New(rand.NewPCG(1, 2)))
	require.NoError(t, err)
	require.Equal(t, sound, again)

	_, _, err = s.Say(ctx, "zz", voice(t).Scales, rand.New(rand.NewPCG(1, 2)))
	require.Equal(t, CodePhonemes, errs.CodeOf(err))
	_, _, err = s.Say(ctx, strings.Repeat("a", maxPhonemes), voice(t).Scales, rand.New(rand.NewPCG(1, 2)))
	require.Equal(t, CodePhonemes, errs.CodeOf(err))
	_, _, err = s.Say(ctx, "a", Scales{Length: 100}, rand.New(rand.NewPCG(1, 2)))
	require.Equal(t, CodeVoice, errs.CodeOf(err))
	p.frames = -1000
	_, _, err = s.Say(ctx, "a", voice(t).Scales, rand.New(rand.NewPCG(1, 2)))
	require.Equal(t, CodeProgram, errs.CodeOf(err))
}

func TestOtherProgramsAreRefused(t *testing.T) {
	for name, change := range map[string]func(c *contract.Contract){
		"one entry point": func(c *contract.Contract) { c.Entries = c.Entries[:1] },
		"no length":       func(c *contract.Contract) { c.Entries[0].Results = c.Entries[0].Results[1:] },
		"a fixed length":  func(c *contract.Contract) { c.Entries[1].Args[1].Shape = shape.Of(4) },
		"two results": func(c *contract.Contract) {
			c.Entries[1].Results = append(c.Entries[1].Results, c.Entries[1].Results[0])
		},
		"no noise": func(c *contract.Contract) { c.Entries[1].Args = c.Entries[1].Args[:3] },
		"a speaker": func(c *contract.Contract) {
			c.Entries[0].Args = append(c.Entries[0].Args, named("sid", dtype.I64, shape.Of(1)))
		},
	} {
		p := program()
		change(p.contract)
		_, err := New(p, voice(t))
		require.Equal(t, CodeProgram, errs.CodeOf(err), name)
	}
}
