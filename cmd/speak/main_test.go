package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/zoo/piper"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

const settings = `{"audio": {"sample_rate": 22050}, "espeak": {"voice": "en-us"}, "phoneme_id_map": {"^": [1], "_": [0], "$": [2], "a": [14]}}`

func TestScales(t *testing.T) {
	v := &piper.Voice{Scales: piper.Scales{Noise: 0.5, Length: 1.5, Width: 0.8}}
	require.Equal(t, v.Scales, options{speed: 1, noiseScale: -1, noiseLen: -1}.scales(v))
	require.Equal(t, piper.Scales{Length: 0.75}, options{speed: 2}.scales(v))
}

func TestLines(t *testing.T) {
	got, err := options{phonemes: true}.sentences(context.Background(), nil, " a b \n\n c")
	require.NoError(t, err)
	require.Equal(t, []string{"a b", "c"}, got)
}

// A test has no program next to it: //models/zoo/e2e tests successful runs.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	voice := filepath.Join(dir, "voice.json")
	require.NoError(t, os.WriteFile(voice, []byte(settings), 0o600))
	out := filepath.Join(dir, "out.wav")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"hello"}, "output"},
		{[]string{"-o", out}, "arg"},
		{[]string{"-o", out, "--speed=0", "hello"}, "SPEAK_OPTION"},
		{[]string{"-o", out, "--pause=-1", "hello"}, "SPEAK_OPTION"},
		{[]string{"-o", out, "hello"}, "LAUNCH_RUNFILES"},
		{[]string{"-o", out, "--voice", voice, "--espeak", filepath.Join(dir, "none"), "hello"}, "PIPER_ESPEAK"},
		{[]string{"-o", out, "--voice", voice, "--phonemes", "\n"}, "nothing to say"},
		{[]string{"-o", out, "--voice", voice, "--phonemes", "a"}, "LAUNCH_"},
		{[]string{"-o", out, "--voice", out, "--phonemes", "a"}, "out.wav"},
	} {
		var stderr bytes.Buffer
		require.NotZero(t, command.Run(context.Background(), newCommand(), c.args, &bytes.Buffer{}, &stderr), c.args)
		require.Contains(t, stderr.String(), c.says, c.args)
	}
	require.NoFileExists(t, out)
}
