package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// A test has no parts of a program next to it, so every run ends with an
// error: //models/whisper/e2e tests successful ones.
func TestRefusals(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		p := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(p, []byte(content), 0o600))
		return p
	}
	silence := file("silence.wav", "RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x08\x00\x00\x00"+strings.Repeat("\x00", 8))
	notes := file("notes.txt", "These are notes.\n")
	none := filepath.Join(dir, "none.wav")
	for name, tt := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"no clip":      {nil, 2, "accepts 1 arg(s), received 0"},
		"two clips":    {[]string{silence, silence}, 2, "accepts 1 arg(s), received 2"},
		"unknown flag": {[]string{"--loud", silence}, 2, "unknown flag: --loud"},
		"bad number":   {[]string{"--workers=many", silence}, 2, "--workers"},
		"missing":      {[]string{none}, 1, "WAV_READ: " + none},
		"no WAV":       {[]string{notes}, 1, "WAV_NOT_RIFF: " + notes + ": byte 0"},
		"no program":   {[]string{"--device=vulkan", silence}, 1, "LAUNCH_DEVICE"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, tt.status, command.Run(context.Background(), newCommand(), tt.args, &stdout, &stderr), stderr.String())
			require.Empty(t, stdout.String())
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), stderr.String())
			require.True(t, strings.HasPrefix(stderr.String(), "transcribe: "), stderr.String())
			require.Contains(t, stderr.String(), tt.want)
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, command.Run(context.Background(), newCommand(), []string{"--help"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "transcribe [flags] CLIP.wav")
	require.Empty(t, stderr.String())
}

// The bar is drawn only on a terminal: in a log it would be noise.
func TestBarIsForTerminals(t *testing.T) {
	var log bytes.Buffer
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer file.Close()
	for _, bar := range []interface {
		Set64(int64) error
		Exit() error
	}{newBar(&log, 60), newBar(file, 60)} {
		require.NoError(t, bar.Set64(30))
		require.NoError(t, bar.Set64(60))
		require.NoError(t, bar.Exit())
	}
	require.Empty(t, log.String())
	st, err := file.Stat()
	require.NoError(t, err)
	require.Zero(t, st.Size())
}

// The codes for missing programs, which scripts may rely on.
func TestCodes(t *testing.T) {
	defer func() { parts = program.Parts{} }()
	for _, tt := range []struct {
		arch string
		args []string
		code errs.Code
	}{
		{"another", nil, "TRANSCRIBE_CPU"},
		{"another", []string{"--device=vulkan://0"}, "TRANSCRIBE_RUNFILES"}, // a machine whose CPU runs none of our programs may have a device
		{runtime.GOARCH, []string{"--device=local-sync"}, "TRANSCRIBE_RUNFILES"},
		{runtime.GOARCH, []string{"--device=gpu9"}, "LAUNCH_DEVICE"},
	} {
		parts.Programs = []program.Compiled{
			{Target: "cpu_x86_64_v3", Device: "local-task", Arch: tt.arch, File: "_main/none.vmfb"},
			{Target: "vulkan", Device: "vulkan", File: "_main/none.vmfb"},
		}
		var o program.Options
		cmd := &cobra.Command{}
		o.Flags(cmd)
		require.NoError(t, cmd.ParseFlags(tt.args))
		_, err := open(o)
		require.Equal(t, tt.code, errs.CodeOf(err), "%v: %v", tt, err)
	}
	_, _, err := decoding(options{})
	require.Equal(t, errs.Code("TRANSCRIBE_RUNFILES"), errs.CodeOf(err))
	require.ErrorContains(t, err, "tokenizer")
}
