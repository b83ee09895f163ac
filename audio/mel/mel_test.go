package mel

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func load(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

// signal is noise and a triangle tone in integers, as in testdata/gen_mel.py.
func signal(n int) []float32 {
	s, x := 12345, make([]float32, n)
	for i := range x {
		s = (s*1103515245 + 12345) & 0x7FFFFFFF
		noise, saw := (s>>16)%2001-1000, i%16-8
		tri := max(saw, -saw)*2000 - 8000
		v := floorDiv(noise*(i/4000%5), 4) + floorDiv(tri*(i/7000%3), 2)
		x[i] = float32(v) / 32768
	}
	return x
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// logmel.json is transformers' WhisperFeatureExtractor, rounded to 1e-6: see
// testdata/gen_mel.py. Both sides end in float32 of values up to 4 in size after a
// log10, so 1e-5 covers rounding and nothing else: a wrong window, padding or filter shows from 1e-3 on.
func TestLogMelAgreesWithTransformers(t *testing.T) {
	var cases []struct {
		Mels, Samples int
		Frames        []int
		Columns       [][]float64
	}
	load(t, "logmel.json", &cases)
	require.Len(t, cases, 4)
	for _, c := range cases {
		t.Run(fmt.Sprintf("%dx%d", c.Mels, c.Samples), func(t *testing.T) {
			e, err := New(Config{Mels: c.Mels})
			require.NoError(t, err)
			got, err := e.LogMel(signal(c.Samples))
			require.NoError(t, err)
			require.Len(t, got, c.Mels*3000)
			worst := 0.0
			for i, f := range c.Frames {
				require.Len(t, c.Columns[i], c.Mels)
				for m, want := range c.Columns[i] {
					worst = max(worst, math.Abs(float64(got[m*Frames+f])-want))
				}
			}
			t.Logf("max abs difference %.2g", worst)
			require.Less(t, worst, 1e-5)
		})
	}
}

// filters.json holds rows of openai-whisper's own mel_filters.npz, in float32.
func TestFiltersAgreeWithOpenAIWhisper(t *testing.T) {
	var rows []struct {
		Mels, Row, First int
		Weights          []float64
	}
	load(t, "filters.json", &rows)
	require.Len(t, rows, 10)
	for _, r := range rows {
		got := slaney(r.Mels)[r.Row]
		require.Equal(t, r.First, got.first, "row %d of %d", r.Row, r.Mels)
		require.Len(t, got.weights, len(r.Weights))
		for i, w := range r.Weights {
			require.InEpsilon(t, w, got.weights[i], 1e-4, "row %d of %d", r.Row, r.Mels) // small edge weights are differences of float32-sized numbers
			require.InDelta(t, w, got.weights[i], 2e-8)                                  // weights reach 0.026
		}
	}
}

func TestFiltersLeaveNoBinEmpty(t *testing.T) {
	for _, n := range []int{80, 128} {
		for m, f := range slaney(n) {
			require.NotEmpty(t, f.weights, "row %d of %d", m, n)
			require.LessOrEqual(t, f.first+len(f.weights), freqs)
		}
	}
}

// Silence is the floor everywhere: log10(1e-10) = -10, scaled to -1.5.
func TestLogMelOfSilence(t *testing.T) {
	e, err := New(Config{Mels: 80})
	require.NoError(t, err)
	for _, n := range []int{0, 1, WindowSamples} {
		got, err := e.LogMel(make([]float32, n))
		require.NoError(t, err)
		for _, v := range got {
			require.Equal(t, float32(-1.5), v)
		}
	}
}

// A 1 kHz tone must be loudest in the bin whose triangle peaks nearest to 1 kHz.
func TestLogMelOfATone(t *testing.T) {
	x := make([]float32, SampleRate)
	for i := range x {
		x[i] = float32(0.5 * math.Sin(2*math.Pi*1000*float64(i)/SampleRate))
	}
	for _, mels := range []int{80, 128} {
		e, err := New(Config{Mels: mels})
		require.NoError(t, err)
		got, err := e.LogMel(x)
		require.NoError(t, err)
		near, loud := 0, 0
		for m := range mels {
			hz := func(m int) float64 { return toHz(toMel(8000) * float64(m+1) / float64(mels+1)) }
			if math.Abs(hz(m)-1000) < math.Abs(hz(near)-1000) {
				near = m
			}
			if got[m*Frames+50] > got[loud*Frames+50] {
				loud = m
			}
		}
		require.InDelta(t, near, loud, 1)
	}
}

func TestLogMelIsSafeForGoroutines(t *testing.T) {
	e, err := New(Config{Mels: 80})
	require.NoError(t, err)
	want, err := e.LogMel(signal(37000))
	require.NoError(t, err)
	var wg sync.WaitGroup
	got := make([][]float32, 4)
	for i := range got {
		wg.Go(func() { got[i], _ = e.LogMel(signal(37000)) })
	}
	wg.Wait()
	for _, g := range got {
		require.Equal(t, want, g)
	}
}

func TestErrors(t *testing.T) {
	for _, mels := range []int{-1, 0, 64, 129} {
		_, err := New(Config{Mels: mels})
		require.Equal(t, CodeBins, errs.CodeOf(err))
	}
	e, err := New(Config{Mels: 80})
	require.NoError(t, err)
	_, err = e.LogMel(make([]float32, 31*SampleRate))
	require.Equal(t, CodeTooLong, errs.CodeOf(err))
	for _, v := range []float64{math.NaN(), math.Inf(-1)} {
		_, err = e.LogMel([]float32{0, float32(v)})
		require.Equal(t, CodeNotFinite, errs.CodeOf(err))
		require.ErrorContains(t, err, "sample 1")
	}
}

// Samples far over full scale must not overflow to infinities.
func TestLogMelOfHugeSamplesIsFinite(t *testing.T) {
	e, err := New(Config{Mels: 80})
	require.NoError(t, err)
	got, err := e.LogMel([]float32{math.MaxFloat32, -math.MaxFloat32, math.MaxFloat32})
	require.NoError(t, err)
	for _, v := range got {
		require.False(t, math.IsNaN(float64(v)) || math.IsInf(float64(v), 0), v)
	}
}

func BenchmarkLogMel(b *testing.B) {
	for _, c := range []struct{ mels, seconds int }{{80, 30}, {128, 30}, {80, 11}} {
		b.Run(fmt.Sprintf("%d bins, %d s", c.mels, c.seconds), func(b *testing.B) {
			e, err := New(Config{Mels: c.mels})
			require.NoError(b, err)
			x := signal(c.seconds * SampleRate)
			for b.Loop() {
				if _, err := e.LogMel(x); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
