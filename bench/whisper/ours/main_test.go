package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// silence is a clip of four samples at 8 or 16 kHz.
func silence(t *testing.T, kHz byte) string {
	header := "RIFF\x2c\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00"
	rates := map[byte]string{8: "\x40\x1f\x00\x00\x80\x3e\x00\x00", 16: "\x80\x3e\x00\x00\x00\x7d\x00\x00"}
	path := filepath.Join(t.TempDir(), "silence.wav")
	data := header + rates[kHz] + "\x02\x00\x10\x00data\x08\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	require.NoError(t, os.WriteFile(path, []byte(data), 0o644))
	return path
}

func TestWhatIsNotMeasured(t *testing.T) {
	err := serve(context.Background(), files{clip: silence(t, 8)})
	require.Equal(t, errs.Code("BENCH_CLIP"), errs.CodeOf(err))
	require.ErrorContains(t, err, "8000")
	err = serve(context.Background(), files{clip: silence(t, 16), library: "libireert.absent"})
	require.Equal(t, errs.Code("BENCH_RUNTIME"), errs.CodeOf(err))
	err = serve(context.Background(), files{clip: silence(t, 16), contract: "none"})
	require.Equal(t, errs.Code("FILE_OPEN"), errs.CodeOf(err))
}
