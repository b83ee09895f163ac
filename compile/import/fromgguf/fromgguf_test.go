package fromgguf_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/open"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor/quant"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/families"
	"github.com/skainet-dev/skainet-go/test/families/familytest"
)

// Every family's logits and vectors are llama.cpp's.
func TestAgainstLlamaCPP(t *testing.T) {
	recorded, err := families.Recorded()
	require.NoError(t, err)
	decoders := append(families.All(), families.More()...)
	require.Len(t, recorded.Cases, len(decoders)+len(families.Encoders()))
	for _, f := range decoders {
		t.Run(f.Name, func(t *testing.T) { familytest.Decoder(t, f, open.Options{Backend: open.CPU}) })
	}
	for _, f := range families.Encoders() {
		t.Run(f.Name, func(t *testing.T) { familytest.Encoder(t, f, open.Options{Backend: open.CPU}) })
	}
}

// A file of bitnet.cpp has the logits of the same numbers in f32.
func TestI2S(t *testing.T) {
	f := families.BitNet()
	data, err := f.Encode()
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	familytest.Same(t, f, hex.EncodeToString(sum[:]), open.Options{Backend: open.CPU})
	file, err := gguf.Open(writeFile(t, data))
	require.NoError(t, err)
	defer file.Close()
	s, err := file.Index().Lookup("blk.0.attn_q.weight")
	require.NoError(t, err)
	require.Equal(t, quant.I2S, s.Encoding)
	require.EqualValues(t, 128*128/4+32, s.Bytes)

	// In the files of ggml the number is a type that it has removed.
	_, err = gguf.Open(writeFile(t, bytes.ReplaceAll(data, []byte("bitnet"), []byte("llama2"))))
	require.Equal(t, gguf.CodeRemovedType, errs.CodeOf(err))
}

func writeFile(t *testing.T, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.gguf")
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}
