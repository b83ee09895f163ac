package contestant

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestServe(t *testing.T) {
	var out strings.Builder
	in := `{"do":"open","path":"a"}` + "\n" + `{"do":"unpack","path":"b","type":"Q4_K","elements":256}` + "\n"
	err := Serve(strings.NewReader(in), &out, Ready{Version: "1"}, func(q Request) (Answer, error) {
		return Answer{Seconds: 0.5, Tensors: int(q.Elements), Sum: q.Do + q.Path + q.Type}, nil
	})
	require.NoError(t, err)
	require.Equal(t, `{"version":"1"}
{"seconds":0.5,"tensors":0,"sum":"opena"}
{"seconds":0.5,"tensors":256,"sum":"unpackbQ4_K"}
`, out.String())
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestServeFaults(t *testing.T) {
	nothing := func(Request) (Answer, error) { return Answer{}, nil }
	err := Serve(strings.NewReader("no JSON"), &strings.Builder{}, Ready{}, nothing)
	require.Equal(t, CodeProtocol, errs.CodeOf(err))
	err = Serve(strings.NewReader(""), full{}, Ready{}, nothing)
	require.Equal(t, CodeProtocol, errs.CodeOf(err))
	cannot := errors.New("cannot")
	err = Serve(strings.NewReader("{}"), &strings.Builder{}, Ready{}, func(Request) (Answer, error) { return Answer{}, cannot })
	require.Equal(t, cannot, err)
}
