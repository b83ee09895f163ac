package wav

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

// A header that declares too many frames is refused before they are read.
func TestTooManyFramesDeclared(t *testing.T) {
	bytesOf := func(frames u32) []byte {
		return le(riff(frames+36), "fmt ", u32(16), u16(1), u16(1), u32(16000), u32(16000), u16(1), u16(8), "data", frames)
	}
	_, err := Decode(bytes.NewReader(bytesOf(MaxFrames + 1)))
	require.Equal(t, CodeTooLong, errs.CodeOf(err))
	require.ErrorContains(t, err, "byte 44")
	_, err = Decode(bytes.NewReader(bytesOf(MaxFrames)))
	require.Equal(t, CodeTruncated, errs.CodeOf(err), "as many as are allowed, none in the file")
}
