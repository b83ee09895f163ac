package contestant

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestServe(t *testing.T) {
	var out bytes.Buffer
	runs := 0
	err := Serve(strings.NewReader("\n\n"), &out, Ready{Version: "v", Load: 1}, func() (Run, error) {
		runs++
		return Run{Text: "t", CPU: float64(runs)}, nil
	})
	require.NoError(t, err)
	want := `{"version":"v","load_seconds":1}
{"text":"t","cpu_seconds":1,"wall_seconds":0,"parts":{"mel":0,"encode":0}}
{"text":"t","cpu_seconds":2,"wall_seconds":0,"parts":{"mel":0,"encode":0}}
`
	require.Equal(t, want, out.String())

	broken := errors.New("broken")
	err = Serve(strings.NewReader("\n"), io.Discard, Ready{}, func() (Run, error) { return Run{}, broken })
	require.ErrorIs(t, err, broken)
}

func TestServeWithoutReader(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer w.Close()
	require.NoError(t, r.Close())
	err = Serve(strings.NewReader("\n"), w, Ready{}, nil)
	require.Equal(t, CodeProtocol, errs.CodeOf(err))
}
