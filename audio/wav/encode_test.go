package wav

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func TestEncodeIsReadAgain(t *testing.T) {
	for _, n := range []int{0, 1, 40000} {
		samples := make([]float32, n)
		for i := range samples {
			samples[i] = float32(int16(i*7919)) / 32768
		}
		path := filepath.Join(t.TempDir(), "a.wav")
		require.NoError(t, EncodeFile(path, samples, 22050))
		clip, err := DecodeFile(path)
		require.NoError(t, err)
		require.Equal(t, 22050, clip.Rate)
		require.Equal(t, "s16", clip.Encoding)
		require.Empty(t, clip.Notes)
		require.Len(t, clip.Samples, n)
		require.Equal(t, samples, append([]float32{}, clip.Samples...))
	}
}

// The samples that the decoder's own test data have, byte for byte.
func TestEncodeBytes(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, Encode(&b, []float32{0.5, -2, 2, float32(math.NaN())}, 16000))
	require.Equal(t, "RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x08\x00\x00\x00"+
		"\x00\x40\x00\x80\xff\x7f\x00\x00", b.String())
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestEncodeRefuses(t *testing.T) {
	for _, rate := range []int{0, -1, MaxRate + 1} {
		path := filepath.Join(t.TempDir(), "a.wav")
		err := EncodeFile(path, nil, rate)
		require.Equal(t, CodeEncode, errs.CodeOf(err))
		require.ErrorContains(t, err, path)
		_, err = os.Stat(path)
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	for _, n := range []int{0, 1 << 17} {
		require.Equal(t, atomicfile.CodeWrite, errs.CodeOf(Encode(full{}, make([]float32, n), 8000)))
	}
}
