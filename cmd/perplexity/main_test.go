package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/generate"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

// A test has no parts of a program next to it, so each run ends with an error.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := func(content string) string {
		path := filepath.Join(dir, "text")
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	tokens := "--tokenizer=" + generatetest.Weights(t)
	for name, tt := range map[string]struct {
		args   []string
		status int
		want   string
	}{
		"no file":      {nil, 2, "accepts 1 arg(s), received 0"},
		"unknown flag": {[]string{"--loud", "f"}, 2, "unknown flag"},
		"missing":      {[]string{filepath.Join(dir, "none")}, 1, "FILE_OPEN"},
		"no tokenizer": {[]string{file("ab")}, 1, "LAUNCH_RUNFILES"},
		"no program":   {[]string{tokens, file("ab")}, 1, "LAUNCH_DEVICE"},
	} {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, tt.status, command.Run(context.Background(), newCommand(), tt.args, &stdout, &stderr), stderr.String())
			require.Empty(t, stdout.String())
			require.True(t, strings.HasPrefix(stderr.String(), "perplexity: "), stderr.String())
			require.Contains(t, stderr.String(), tt.want)
		})
	}
	var stdout, stderr bytes.Buffer
	require.Equal(t, 1, command.Run(context.Background(), newCommand(), []string{tokens, file("a\xff")}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "TOKENIZER_UTF8: "+filepath.Join(dir, "text")+": byte 1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.Equal(t, 130, command.Run(ctx, newCommand(), []string{file("ab")}, &stdout, &stderr))
	require.Zero(t, command.Run(context.Background(), newCommand(), []string{"--help"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "perplexity [flags] FILE")
}

func TestScore(t *testing.T) {
	tokens := []int32{1, 2, 3}
	var stderr bytes.Buffer
	require.Equal(t, int32(-1), windows(3, tokenizer.Specials{BOS: 26}, 3, &stderr).BOS)
	w := windows(3, tokenizer.Specials{BOS: 26, AddBOS: true}, 3, &stderr)
	require.Equal(t, generate.Windows{Size: 3, BOS: 26}, generate.Windows{Size: w.Size, BOS: w.BOS})
	p, err := generate.Measure(context.Background(), generatetest.New(t), tokens, w)
	require.NoError(t, err)
	require.Equal(t, "2 of 3 tokens\n3 of 3 tokens\n", stderr.String())
	for _, asJSON := range []bool{false, true} {
		var stdout bytes.Buffer
		require.NoError(t, score(context.Background(), asJSON, generatetest.New(t), tokens, w, &stdout))
		want := fmt.Sprintf("3 tokens, %.4f nats per token, perplexity %.3f\n", p.Nats, p.Perplexity)
		if asJSON {
			b, err := json.Marshal(p)
			require.NoError(t, err)
			want = string(b) + "\n"
		}
		require.Equal(t, want, stdout.String())
	}
	err = score(context.Background(), false, generatetest.New(t), tokens, w, broken{})
	require.Equal(t, errs.Code("FILE_WRITE"), errs.CodeOf(err))
	err = score(context.Background(), false, generatetest.New(t), tokens, generate.Windows{}, io.Discard)
	require.Equal(t, generate.CodeOptions, errs.CodeOf(err))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
