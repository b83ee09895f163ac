package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
)

func TestMeter(t *testing.T) {
	var b bytes.Buffer
	m := newMeter(&b, "packing")
	m.report(5, 10)
	m.close()
	require.Empty(t, b.String(), "quiet where nobody looks")
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer file.Close()
	require.False(t, newMeter(file, "packing").draws)

	m = newMeter(&b, "packing")
	m.draws = true
	m.report(5, 10)
	require.Contains(t, b.String(), "packing")
	require.Contains(t, b.String(), "50%")
	drawn := b.Len()
	m.close()
	require.Greater(t, b.Len(), drawn, "the bar is wiped")
	m = newMeter(&b, "nothing to do")
	m.draws = true
	m.close()
}

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{"4GiB": 4 << 30, "500MB": 500_000_000, "1000": 1000, "1.5 KiB": 1536, "64 mib": 64 << 20} {
		var s command.ByteSize
		require.NoError(t, s.Set(text), text)
		require.EqualValues(t, want, s, text)
	}
	for _, text := range []string{"", "0", "-1", "4XB", "GiB", "16EiB", "1e3"} {
		var s command.ByteSize
		require.Error(t, s.Set(text), text)
		require.Empty(t, s.String())
	}
	s := command.ByteSize(4 << 30)
	require.Equal(t, "4.0 GiB", s.String())
}
