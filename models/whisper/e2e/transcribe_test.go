//go:build integration

package e2e

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/resample"
	"github.com/skainet-dev/skainet-go/audio/wav"
)

func TestTranscripts(t *testing.T) {
	require.Equal(t, sentence, flax(t).Text)
	for name, tt := range map[string]struct {
		program, want string
		args          []string
	}{
		"tiny.en":           {"TRANSCRIBE", sentence, nil},
		"tiny.en, one core": {"TRANSCRIBE", sentence, []string{"--device=local-sync"}},
		"tiny.en, language": {"TRANSCRIBE", sentence, []string{"--language=en", "--workers=2"}},
		// Flax and whisper.cpp return this text for base.
		"base": {"TRANSCRIBE_BASE", strings.Replace(sentence, "Americans ask", "Americans, ask", 1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, tt.program, nil, append(tt.args, path(t, "CLIP"))...)
			require.Equal(t, ran{0, tt.want + "\n", ""}, r)
		})
	}
}

// bazel run starts the program in another folder and passes the user's in a variable.
func TestClipRelativeToTheUsersFolder(t *testing.T) {
	dir, file := filepath.Split(path(t, "CLIP"))
	r := start(t, "TRANSCRIBE", []string{"BUILD_WORKING_DIRECTORY=" + dir, "BUILD_WORKSPACE_DIRECTORY=" + dir}, file)
	require.Equal(t, ran{0, sentence + "\n", ""}, r)
}

// The clip three times with pauses, 67 s, in a format that microphones record:
// three windows, cut in the pauses.
func TestLongClipOfAnotherForm(t *testing.T) {
	clip, err := wav.DecodeFile(path(t, "CLIP"))
	require.NoError(t, err)
	speech, err := resample.To(clip.Samples, clip.Rate, 44100)
	require.NoError(t, err)
	pause := func(seconds int) []float32 { return make([]float32, seconds*44100) }
	var all []float32
	for _, part := range [][]float32{speech, pause(14), speech, pause(20), speech} {
		all = append(all, part...)
	}
	file := writeWAV(t, all, 44100, 2)

	r := start(t, "TRANSCRIBE", nil, file)
	require.Equal(t, 0, r.status, "%s", r.stderr)
	require.Empty(t, r.stderr)
	require.Equal(t, strings.Repeat(words(sentence)+" ", 3), words(r.stdout)+" ")

	r = start(t, "TRANSCRIBE", nil, "--json", file)
	require.Equal(t, 0, r.status, "%s", r.stderr)
	require.Empty(t, r.stderr)
	var got transcript
	d := json.NewDecoder(strings.NewReader(r.stdout))
	d.DisallowUnknownFields()
	require.NoError(t, d.Decode(&got))
	require.False(t, d.More(), "one document")
	require.Equal(t, "en", *got.Language)
	require.InDelta(t, 67, *got.Duration, 0.01)
	require.Equal(t, strings.Repeat(words(sentence)+" ", 3), words(*got.Text)+" ")
	require.Len(t, got.Segments, 3)
	ends := []float64{0}
	for i, s := range got.Segments {
		require.Equal(t, ends[i], *s.Start)
		ends = append(ends, *s.End)
		require.Equal(t, words(sentence), words(*s.Text))
		require.InDelta(t, 24, len(s.Tokens), 2, "24 tokens in the reference; a comma more or less")
		require.Less(t, *s.LogProb, 0.0)
		require.Greater(t, *s.LogProb, -0.5, "clear speech")
		require.Less(t, *s.Silence, 0.3, "somebody speaks")
	}
	require.True(t, ends[1] > 11 && ends[1] < 25, "the first pause: %v", ends)
	require.True(t, ends[2] > 36 && ends[2] < 56, "the second pause: %v", ends)
	require.InDelta(t, 67, ends[3], 0.01)
}

// words drops what a pause before the speech may change: punctuation and
// capitals.
func words(text string) string {
	keep := func(r rune) rune {
		if strings.ContainsRune(".,;:!?", r) {
			return -1
		}
		return r
	}
	return strings.Join(strings.Fields(strings.ToLower(strings.Map(keep, text))), " ")
}

func TestSilentClip(t *testing.T) {
	file := writeWAV(t, make([]float32, 5*8000), 8000, 1)
	require.Equal(t, ran{0, "\n", ""}, start(t, "TRANSCRIBE", nil, file))
	r := start(t, "TRANSCRIBE", nil, "--json", file)
	require.Equal(t, 0, r.status)
	require.JSONEq(t, `{"language": "", "duration": 5, "text": "", "segments": []}`, r.stdout)
}

// Windows in which nobody speaks have no text: Whisper alone makes words up for them.
func TestNobodySpeaks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, tt := range map[string]struct {
		program string
		sample  func(i int) float64
		seconds int
	}{
		"one sample of one step": {"TRANSCRIBE", func(i int) float64 {
			if i == 16000 {
				return 1.0 / 32768
			}
			return 0
		}, 5},
		"clicks": {"TRANSCRIBE", func(i int) float64 {
			if i%8000 == 0 {
				return 0.9
			}
			return 0
		}, 5},
		"hum":              {"TRANSCRIBE", func(i int) float64 { return 0.1 * math.Sin(2*math.Pi*50*float64(i)/16000) }, 5},
		"tone":             {"TRANSCRIBE", func(i int) float64 { return 0.5 * math.Sin(2*math.Pi*1000*float64(i)/16000) }, 5},
		"noise":            {"TRANSCRIBE", func(int) float64 { return 0.1 * r.NormFloat64() }, 5},
		"offset":           {"TRANSCRIBE", func(int) float64 { return 0.1 }, 5},
		"base, noise":      {"TRANSCRIBE_BASE", func(int) float64 { return 0.01 * r.NormFloat64() }, 5},
		"base, hum":        {"TRANSCRIBE_BASE", func(i int) float64 { return 0.1 * math.Sin(2*math.Pi*50*float64(i)/16000) }, 5},
		"base, long noise": {"TRANSCRIBE_BASE", func(int) float64 { return 0.1 * r.NormFloat64() }, 28},
		"long offset":      {"TRANSCRIBE", func(int) float64 { return 0.1 }, 28},
	} {
		t.Run(name, func(t *testing.T) {
			samples := make([]float32, tt.seconds*16000)
			for i := range samples {
				samples[i] = float32(tt.sample(i))
			}
			r := start(t, tt.program, nil, "--json", writeWAV(t, samples, 16000, 1))
			require.Equal(t, 0, r.status, "%s", r.stderr)
			var got transcript
			require.NoError(t, json.Unmarshal([]byte(r.stdout), &got))
			require.Empty(t, *got.Text)
			require.Len(t, got.Segments, 1)
			require.Empty(t, *got.Segments[0].Text)
			require.Empty(t, got.Segments[0].Tokens)
			require.Greater(t, *got.Segments[0].Silence, 0.2)
		})
	}
}

// Short pieces of speech keep their words.
func TestShortSpeech(t *testing.T) {
	clip, err := os.ReadFile(path(t, "CLIP"))
	require.NoError(t, err)
	speech, err := wav.Decode(bytes.NewReader(clip))
	require.NoError(t, err)
	for _, tt := range []struct {
		start, length float64
		word          string
	}{
		{0.3, 0.2, "and"}, {0.3, 0.5, "and"}, {0.6, 0.5, "so"}, {3.4, 1.2, "ask"}, {5.4, 0.8, "country"}, {8.6, 0.3, "wa"}, {8.6, 0.5, "what"},
	} {
		at := int(tt.start * float64(speech.Rate))
		piece := speech.Samples[at : at+int(tt.length*float64(speech.Rate))]
		r := start(t, "TRANSCRIBE", nil, writeWAV(t, piece, speech.Rate, 1))
		require.Equal(t, 0, r.status, "%s", r.stderr)
		require.Contains(t, strings.ToLower(r.stdout), tt.word, "%g s from %g", tt.length, tt.start)
	}
}

// The average of channels of opposite phase is silent, which the program says.
func TestChannelsThatCancel(t *testing.T) {
	clip, err := os.ReadFile(path(t, "CLIP"))
	require.NoError(t, err)
	speech, err := wav.Decode(bytes.NewReader(clip))
	require.NoError(t, err)
	var data []byte
	for _, v := range speech.Samples[:speech.Rate*2] {
		s := int16(v * 32767)
		data = binary.LittleEndian.AppendUint16(data, uint16(s))
		data = binary.LittleEndian.AppendUint16(data, uint16(-s))
	}
	var b bytes.Buffer
	b.WriteString("RIFF\x00\x00\x00\x00WAVEfmt ")
	for _, v := range []any{uint32(16), uint16(1), uint16(2), uint32(speech.Rate), uint32(4 * speech.Rate), uint16(4), uint16(16)} {
		require.NoError(t, binary.Write(&b, binary.LittleEndian, v))
	}
	b.WriteString("data")
	require.NoError(t, binary.Write(&b, binary.LittleEndian, uint32(2_000_000_000)))
	b.Write(data)
	file := filepath.Join(t.TempDir(), "clip.wav")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	r := start(t, "TRANSCRIBE", nil, file)
	require.Equal(t, 0, r.status, r.stderr)
	require.Equal(t, "\n", r.stdout)
	require.Contains(t, r.stderr, "the header was never finished")
	require.Contains(t, r.stderr, "the channels cancel each other out")
}

func TestUsage(t *testing.T) {
	r := start(t, "TRANSCRIBE", nil, "--help")
	require.Equal(t, 0, r.status)
	for _, flag := range []string{"--device", "--threads", "--language", "--translate", "--json"} {
		require.Contains(t, r.stdout, flag)
	}
	for name, tt := range map[string]struct {
		args []string
		want string
	}{
		"no clip":         {nil, "accepts 1 arg(s), received 0"},
		"two clips":       {[]string{"a.wav", "b.wav"}, "accepts 1 arg(s), received 2"},
		"unknown flag":    {[]string{"--loud", "a.wav"}, "unknown flag: --loud"},
		"workers no sum":  {[]string{"--workers=many", "a.wav"}, "--workers"},
		"threads no sum":  {[]string{"--threads=many", "a.wav"}, "--threads"},
		"device no value": {[]string{"--device"}, "--device"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, start(t, "TRANSCRIBE", nil, tt.args...), 2, tt.want) })
	}
}

func TestRefusedClipsAndDevices(t *testing.T) {
	clip := path(t, "CLIP")
	whole, err := os.ReadFile(clip)
	require.NoError(t, err)
	dir := t.TempDir()
	file := func(name string, b []byte) string {
		p := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(p, b, 0o600))
		return p
	}
	text, cut, empty := file("notes.txt", []byte("These are notes.\n")), file("cut.wav", whole[:30]), file("empty.wav", nil)
	none := filepath.Join(dir, "none.wav")
	for name, tt := range map[string]struct {
		args []string
		env  []string
		want []string
	}{
		"missing":          {[]string{none}, nil, []string{"WAV_READ", none}},
		"a folder":         {[]string{dir}, nil, []string{"WAV_READ", dir}},
		"text":             {[]string{text}, nil, []string{"WAV_NOT_RIFF", text, "byte 0"}},
		"empty":            {[]string{empty}, nil, []string{"WAV_NOT_RIFF", empty, "byte 0"}},
		"cut off":          {[]string{cut}, nil, []string{"WAV_TRUNCATED", cut, "byte "}},
		"unknown device":   {[]string{"--device=gpu9", clip}, nil, []string{"LAUNCH_DEVICE", "gpu9", "cpu_x86_64_v3", "vulkan"}},
		"no Vulkan driver": {[]string{"--device=vulkan", clip}, []string{"VK_DRIVER_FILES=" + none, "VK_ICD_FILENAMES=" + none}, []string{"IREE_NO_DEVICE", "vulkan"}},
		"foreign language": {[]string{"--language=de", clip}, nil, []string{"WHISPER_LANGUAGE", "English only"}},
		"translation":      {[]string{"--translate", clip}, nil, []string{"WHISPER_LANGUAGE", "English only"}},
		"unknown language": {[]string{"--language=xx", clip}, []string{"BASE=1"}, []string{"TOKENIZER_WHISPER", `"xx"`}},
	} {
		t.Run(name, func(t *testing.T) {
			program := "TRANSCRIBE"
			if strings.Join(tt.env, "") == "BASE=1" {
				program = "TRANSCRIBE_BASE"
			}
			refused(t, start(t, program, tt.env, tt.args...), 1, tt.want...)
		})
	}
}
