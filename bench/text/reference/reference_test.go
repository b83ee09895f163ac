package reference

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/lang"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
)

func TestAnswers(t *testing.T) {
	fake := func(lang.Constructor, Files) (backend.Executable, error) { return generatetest.New(t), nil }
	var out, stderr bytes.Buffer
	question := strings.NewReader(`{"prompt":[1,2],"tokens":2}` + "\n")
	require.Zero(t, mainWith(fake, nil, nil, question, &out, &stderr), stderr.String())
	require.Contains(t, out.String(), `{"version":"SKaiNET's CPU backend"}`)
	require.Contains(t, out.String(), "rest_seconds")
}

func TestMissingFiles(t *testing.T) {
	dir := t.TempDir()
	document, err := generatetest.New(t).Document.Marshal()
	require.NoError(t, err)
	c := filepath.Join(dir, "contract")
	require.NoError(t, os.WriteFile(c, document, 0o600))
	for want, args := range map[string][]string{
		"FILE_OPEN":    {"--contract=" + dir},
		"CONTRACT_BAD": {"--contract=" + generatetest.Weights(t)},
		"EXPORT_READ":  {"--contract=" + c, "--index=" + dir},
	} {
		var out, stderr bytes.Buffer
		require.Equal(t, 1, Main(nil, args, strings.NewReader(""), &out, &stderr))
		require.Contains(t, stderr.String(), want)
	}
	var out, stderr bytes.Buffer
	require.Equal(t, 2, Main(nil, []string{"--loud"}, strings.NewReader(""), &out, &stderr))
	require.Contains(t, stderr.String(), "reference: USAGE: unknown flag")
}
