package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/onnx"
)

func TestSniff(t *testing.T) {
	for head, want := range map[string]bool{
		"\x08\x07\x12\x07pytorch\x1a\x051.9.0:\x80\x80\x04\x0a\x01": true, // the graph goes on
		"\x08\x0e\x3a\x00\x42\x02\x10\x12":                          true,
		"\x08\x09\x42\x02\x10\x12\x3a\x00":                          true,
		"\x08\x09\x3a\x81":                                          true, // cut short
		"\x08\x07":                                                  false,
		"\x08\x00\x3a\x00":                                          false,
		"\x08\xff\xff\x7f\x3a\x00":                                  false, // no such version
		"\x08\x07\x10\x07":                                          false, // the producer is no number
		"\x08\x07\x5a\x00":                                          false, // no field of a model
		"\x0a\x07\x12\x00":                                          false,
		"\x08\x07\x12\x00\x00\x00\x00\x00{\"w\":":                   false, // the length of a safetensors header
		"\x08\x00\x00\x00\x0a\x00TestSpec\x00":                      false, // the version of a CTranslate2 file
		"":                                                          false,
	} {
		require.Equal(t, want, onnx.Sniff([]byte(head)), "%q", head)
	}
}
