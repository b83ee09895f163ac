package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
)

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
