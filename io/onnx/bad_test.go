package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/onnx"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/badfiles/badtest"
)

func TestBadFiles(t *testing.T) {
	parse := func(b []byte) error {
		_, err := onnx.ParseModel(b)
		return err
	}
	require.NoError(t, parse(badfiles.ONNXGood())) // makes the tables of the schema
	badtest.Run(t, badfiles.ONNX(), badtest.Readers{
		Parse: parse,
		Open: func(path string) error {
			f, err := onnx.Open(path)
			if err == nil {
				err = f.Close()
			}
			return err
		},
		Verify: onnx.Verify,
	})
}

// Every beginning of a model is refused: the graph is its last field.
func TestPrefixes(t *testing.T) {
	good := badfiles.ONNXGood()
	for cut := range good {
		_, err := onnx.ParseModel(good[:cut:cut])
		require.Contains(t, []errs.Code{onnx.CodeTruncated, onnx.CodeNoGraph}, errs.CodeOf(err), cut)
	}
}
