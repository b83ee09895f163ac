package embedding

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestShow(t *testing.T) {
	vectors := [][]float32{{1, 0}, {0.6, 0.8}, {0, 1}}
	texts := []string{"a", strings.Repeat("b", 50), "c\n"}
	var out bytes.Buffer
	require.NoError(t, show(&out, false, texts, vectors))
	require.Equal(t, "0.6000  \"a\"  \""+strings.Repeat("b", 40)+"...\"\n0.0000  \"a\"  \"c\\n\"\n0.8000  \""+strings.Repeat("b", 40)+"...\"  \"c\\n\"\n", out.String())

	out.Reset()
	require.NoError(t, show(&out, false, texts[:1], vectors[:1]))
	require.Equal(t, "1 0\n", out.String())

	out.Reset()
	require.NoError(t, show(&out, true, texts[:2], vectors[:2]))
	var r report
	require.NoError(t, json.Unmarshal(out.Bytes(), &r))
	require.Equal(t, vectors[:2], r.Embeddings)
	require.InDelta(t, 0.6, r.Similarities[0][1], 1e-7)
	require.InDelta(t, 1, r.Similarities[1][1], 1e-7)

	require.ErrorContains(t, show(broken{}, false, texts, vectors), "FILE_WRITE")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args   []string
		status int
		says   string
	}{
		{nil, 2, "USAGE"},
		{[]string{"--no-such-flag", "x"}, 2, "USAGE"},
		{[]string{"--tokenizer", "no/such.json", "x"}, 1, "TOKENIZER_READ"},
	} {
		var out, err bytes.Buffer
		require.Equal(t, tt.status, command.Run(context.Background(), NewProgramCommand(&program.Parts{}), tt.args, &out, &err))
		require.Contains(t, err.String(), tt.says)
		require.Empty(t, out.String())
	}
}
