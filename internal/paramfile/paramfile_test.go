package paramfile

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestArguments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "args")
	for text, want := range map[string][]string{
		"":               nil,
		"\n":             nil,
		"a\nb c\n":       {"a", "b c"},
		"a\n\n@other\n":  {"a", "", "@other"},
		"no end of line": {"no end of line"},
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		got, err := Arguments([]string{"@" + file})
		require.NoError(t, err)
		require.Equal(t, want, got, "%q", text)
	}
	for _, plain := range [][]string{nil, {"a"}, {"@a", "b"}, {"a", "@" + file}} {
		got, err := Arguments(plain)
		require.NoError(t, err)
		require.Equal(t, plain, got)
	}
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("\n"), maxArguments), 0o666))
	got, err := Arguments([]string{"@" + file})
	require.NoError(t, err)
	require.Len(t, got, maxArguments)
	require.NoError(t, os.WriteFile(file, bytes.Repeat([]byte("\n"), maxArguments+1), 0o666))
	_, err = Arguments([]string{"@" + file})
	require.Equal(t, CodeRead, errs.CodeOf(err))
	require.ErrorContains(t, err, "65537 lines of arguments")
	_, err = Arguments([]string{"@" + file + ".none"})
	require.Equal(t, CodeRead, errs.CodeOf(err), "%v", err)
}

// A shell, whose quotes these are, reads the same words.
func TestResponse(t *testing.T) {
	words := []string{"--a=b", "--a=b c", `--a="b"`, `--a='b'`, `--a=\`, `\"`, "", "ü"}
	require.Equal(t, "\"--a=b c\"\n", string(Response(words[1:2])))
	out, err := exec.Command("sh", "-c", "printf '%s\\n' "+strings.ReplaceAll(string(Response(words)), "\n", " ")).Output()
	require.NoError(t, err)
	require.Equal(t, strings.Join(words, "\n")+"\n", string(out))
	require.Empty(t, Response(nil))
}
