package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
)

func TestRoom(t *testing.T) {
	require.NoError(t, room(t.TempDir(), 1))
	require.Equal(t, errs.Code("BENCH_SPACE"), errs.CodeOf(room(t.TempDir(), 1<<62)))
}

func TestHolesTakeNoRoom(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hole")
	require.NoError(t, scratch(path, nil))
	require.NoError(t, os.Truncate(path, 1<<30))
	require.Less(t, diskMiB(path), int64(1))
}

func TestPeak(t *testing.T) {
	c, err := timed(context.Background(), "sh", "-c", ":")
	require.NoError(t, err)
	require.Greater(t, c.peakMiB, 0.1)
}
