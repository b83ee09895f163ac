package contestant

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/generate"
)

func serve(t *testing.T, in io.Reader, out io.Writer) (*generatetest.Program, error) {
	t.Helper()
	p := generatetest.New(t)
	s, err := generate.NewSession(p, generate.Options{})
	require.NoError(t, err)
	return p, Serve(context.Background(), in, out, Ready{Version: "v"}, s)
}

func TestServe(t *testing.T) {
	var out bytes.Buffer
	question := `{"prompt":[1,2],"tokens":3}` + "\n"
	p, err := serve(t, strings.NewReader(question+question), &out)
	require.NoError(t, err)
	lines := bufio.NewScanner(&out)
	require.True(t, lines.Scan())
	require.Equal(t, `{"version":"v"}`, lines.Text())
	for range 2 {
		var a Answer
		require.True(t, lines.Scan())
		require.NoError(t, json.Unmarshal(lines.Bytes(), &a))
		require.True(t, a.First > 0 && a.Rest > 0)
	}
	require.False(t, lines.Scan())
	once := []string{"prefill", "decode", "decode"}
	require.Equal(t, append(once, once...), p.Calls, "nothing is kept from the question before")
}

func TestFaults(t *testing.T) {
	_, err := serve(t, strings.NewReader("{\n"), io.Discard)
	require.Equal(t, CodeProtocol, errs.CodeOf(err))
	_, err = serve(t, iotest.ErrReader(errors.New("gone")), io.Discard)
	require.Equal(t, CodeProtocol, errs.CodeOf(err))
	_, err = serve(t, strings.NewReader(""), broken{})
	require.Equal(t, CodeProtocol, errs.CodeOf(err))
	_, err = serve(t, strings.NewReader(`{"prompt":[],"tokens":1}`), io.Discard)
	require.Equal(t, generate.CodePrompt, errs.CodeOf(err))
	_, err = serve(t, strings.NewReader(`{"prompt":[-1],"tokens":1}`), io.Discard)
	require.Equal(t, generate.CodeToken, errs.CodeOf(err))
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }
