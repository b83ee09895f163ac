//go:build integration && linux

package e2e

import (
	"context"
	"math/rand/v2"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/models/zoo/piper"
)

// TestMemoryIsKept: the memory of a sentence, some 85 MB, is that of the next one, in which
// the system gives hardly a page. It sounds the same.
func TestMemoryIsKept(t *testing.T) {
	voice, err := piper.LoadVoice(path(t, "VOICE"))
	require.NoError(t, err)
	var sentence struct{ Phonemes string }
	read(t, "SENTENCE", &sentence)
	c, err := contract.ReadFile(path(t, "CONTRACT"))
	require.NoError(t, err)
	x, err := iree.Open(iree.Options{
		Program: path(t, "PROGRAM"), Contract: c, Library: path(t, "LIBRARY"), Device: "local-sync",
		Archives: map[string][]string{"model": {path(t, "ARCHIVE")}},
	})
	require.NoError(t, err)
	defer x.Close()
	speaker, err := piper.New(x, voice)
	require.NoError(t, err)
	say := func() ([]float32, int64) {
		var before, after syscall.Rusage
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &before))
		samples, _, err := speaker.Say(context.Background(), sentence.Phonemes, piper.Scales{Length: 1}, rand.New(rand.NewPCG(1, 0)))
		require.NoError(t, err)
		require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &after))
		return samples, after.Minflt - before.Minflt
	}
	first, _ := say()
	require.NotEmpty(t, first)
	for range 3 {
		samples, faults := say()
		require.Equal(t, first, samples)
		require.Less(t, faults, int64(4000), "of some 21000 pages") // 4 KiB each
	}
}
