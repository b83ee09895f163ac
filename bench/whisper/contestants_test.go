package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/audio/wav"
	"github.com/skainet-dev/skainet-go/errs"
)

// The first missing part is reported.
func TestLocated(t *testing.T) {
	var failure error
	path := located(&failure)
	path("../first")
	path("../second")
	require.Equal(t, errs.Code("BENCH_RUNFILES"), errs.CodeOf(failure))
	require.ErrorContains(t, failure, "../first")
}

// A target has the models whose programs it has.
func TestTasks(t *testing.T) {
	_, err := tasks(nil)
	require.Equal(t, errs.Code("BENCH_FLAGS"), errs.CodeOf(err))
	defer func() { programV3, baseV3 = "", "" }()
	programV3 = "p"
	names := func(only ...string) (list []string) {
		all, err := tasks(only)
		require.NoError(t, err)
		for _, task := range all {
			list = append(list, task.String())
		}
		return list
	}
	require.Equal(t, []string{"tiny.en 11 s", "tiny.en 60 s"}, names())
	_, err = tasks([]string{"base 11 s"})
	require.Equal(t, errs.Code("BENCH_FLAGS"), errs.CodeOf(err))
	require.ErrorContains(t, err, "tiny.en 11 s, tiny.en 60 s")
	baseV3 = "p"
	require.Equal(t, []string{"base 11 s"}, names("base 11 s"))
}

// A minute has what is said four times, in each window of 30 s twice.
func TestClips(t *testing.T) {
	said := make([]float32, 11*16000)
	for i := range said {
		said[i] = 0.5
	}
	path := filepath.Join(t.TempDir(), "said.wav")
	require.NoError(t, wav.EncodeFile(path, said, 16000))
	c, err := newClips(path)
	require.NoError(t, err)
	require.Equal(t, path, c.paths[1])
	clip, err := wav.DecodeFile(c.paths[4])
	require.NoError(t, err)
	require.Equal(t, 60.0, clip.Seconds())
	for second, want := range map[int]bool{0: true, 10: true, 12: false, 15: true, 25: true, 27: false, 29: false, 30: true, 45: true, 55: true, 59: false} {
		require.Equal(t, want, clip.Samples[second*16000+8000] > 0.4, "second %d", second)
	}
	c.remove()
	require.NoFileExists(t, c.paths[4])
}
