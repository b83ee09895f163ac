package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

func TestCharacters(t *testing.T) {
	dir := t.TempDir()
	// The fields of an ONNX file: version, graph, operators and metadata.
	field := func(b []byte, number protowire.Number, value []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), value)
	}
	number := func(b []byte, n protowire.Number, v uint64) []byte {
		return protowire.AppendVarint(protowire.AppendTag(b, n, protowire.VarintType), v)
	}
	file := func(name string, metadata ...string) string {
		b := field(number(nil, 1, 8), 7, field(nil, 2, []byte("g")))
		b = field(b, 8, number(nil, 2, 13))
		if len(metadata) == 2 {
			b = field(b, 14, field(field(nil, 1, []byte(metadata[0])), 2, []byte(metadata[1])))
		}
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		return path
	}
	for _, c := range []struct {
		args   []string
		status int
		out    string
		says   string
	}{
		{[]string{file("a.onnx", "character", "a\r\nü\n\u3000\n")}, 0, "a\nü\n\u3000\n", ""},
		{[]string{file("b.onnx")}, 1, "", "OCR_CHARACTERS: " + filepath.Join(dir, "b.onnx")},
		{[]string{filepath.Join(dir, "none.onnx")}, 1, "", "none.onnx"},
		{nil, 2, "", "usage"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, c.status, run(c.args, &stdout, &stderr), stderr.String())
		require.Equal(t, c.out, stdout.String())
		require.Contains(t, stderr.String(), c.says)
	}
}
