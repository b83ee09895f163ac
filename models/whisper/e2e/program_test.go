//go:build integration

package e2e

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const sentence = "And so my fellow Americans ask not what your country can do for you, ask what you can do for your country."

// ran is the outcome of a program.
type ran struct {
	status         int
	stdout, stderr string
}

// start runs one of our programs as a user would. env is appended to the test's own environment.
func start(t testing.TB, program string, env []string, args ...string) ran {
	t.Helper()
	cmd := exec.Command(path(t, program), args...)
	cmd.Env = append(os.Environ(), env...)
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String(), errOut.String()}
}

// refused asserts that a program ended with one coded error and printed
// nothing else.
func refused(t testing.TB, r ran, status int, text ...string) {
	t.Helper()
	require.Equal(t, status, r.status, "%s", r.stderr)
	require.Empty(t, r.stdout)
	require.Equal(t, 1, strings.Count(r.stderr, "\n"), "one line: %s", r.stderr)
	for _, s := range text {
		require.Contains(t, r.stderr, s)
	}
}

// writeWAV writes 24-bit frames with the samples in every channel.
func writeWAV(t testing.TB, samples []float32, rate, channels int) string {
	t.Helper()
	var data bytes.Buffer
	for _, s := range samples {
		v := int32(max(-1, min(s, 1)) * (1<<23 - 1))
		for range channels {
			data.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16)})
		}
	}
	var b bytes.Buffer
	put := func(v any) { require.NoError(t, binary.Write(&b, binary.LittleEndian, v)) }
	b.WriteString("RIFF")
	put(uint32(36 + data.Len()))
	b.WriteString("WAVEfmt ")
	put(uint32(16))
	put([]uint16{1, uint16(channels)})
	put([]uint32{uint32(rate), uint32(rate * channels * 3)})
	put([]uint16{uint16(channels * 3), 24})
	b.WriteString("data")
	put(uint32(data.Len()))
	b.Write(data.Bytes())
	file := filepath.Join(t.TempDir(), "clip.wav")
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file
}

// transcript is the document as users read it: every field must be present.
type transcript struct {
	Language *string  `json:"language"`
	Duration *float64 `json:"duration"`
	Text     *string  `json:"text"`
	Segments []struct {
		Start   *float64 `json:"start"`
		End     *float64 `json:"end"`
		Text    *string  `json:"text"`
		Tokens  []int32  `json:"tokens"`
		LogProb *float64 `json:"avg_logprob"`
		Silence *float64 `json:"no_speech_prob"`
	} `json:"segments"`
}
