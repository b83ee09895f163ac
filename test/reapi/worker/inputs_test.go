package worker

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/skainet-dev/skainet-go/errs"
)

// However an action changes an input, it is told, and nobody gets the blob.
func TestChangedInputs(t *testing.T) {
	const stay = "; chmod 555 in/a; touch -d 2000-01-01T00:00:00Z in/a"
	for name, script := range map[string]string{
		"moved away":       "ln in/a out; mv in/a in/b; chmod +w out; printf bbbb > out",
		"moved and gone":   "ln in/a x; mv in/a in/b; chmod +w x; printf bbbb > x; rm x in/b",
		"its folder moved": "mv in other; chmod +w other/a; printf bbbb > other/a",
		"put back":         "chmod +w in/a; printf bbbb > in/a" + stay,
		"mode":             "chmod 000 in/a",
		"time":             "touch in/a",
		"and failed":       "chmod +w in/a; printf bbbb > in/a" + stay + "; exit 3",
		"the second alone": "chmod 000 in/b",
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, Options{}, false)
			files := map[string]string{"a": "aaaa", "b": "other", "c": "aaaa"}
			_, err := b.run(b.action(t, files, shell(script, "out")))
			require.Equal(t, CodeInput, errs.CodeOf(err), "%v", err)
			r, err := b.run(b.action(t, files, shell("cat in/a in/b in/c"))) // which are sent again
			require.NoError(t, err)
			require.Equal(t, "aaaaotheraaaa", b.text(t, r.StdoutDigest))
		})
	}
	// Links to an input harm nobody, and neither does an action beside it.
	b := newBench(t, Options{}, true)
	a := b.action(t, map[string]string{"a": "aaaa"}, shell("ln in/a out; mv in/a in/b; sleep 0.1", "out"))
	other := make(chan error, 1)
	go func() {
		_, err := b.run(a)
		other <- err
	}()
	r, err := b.run(a)
	require.NoError(t, err)
	require.NoError(t, <-other)
	require.Equal(t, "aaaa", b.text(t, r.OutputFiles[0].Digest))
}

// An action that is stopped has its inputs looked at too.
func TestChangedInputsOfStopped(t *testing.T) {
	b := newBench(t, Options{}, false)
	d := b.put(t, "aaaa")
	a := b.action(t, map[string]string{"a": "aaaa"}, shell("chmod +w in/a; printf bbbb > in/a; chmod 555 in/a; touch -d 2000-01-01T00:00:00Z in/a; sleep 60"))
	a.Timeout = durationpb.New(500 * time.Millisecond)
	_, err := b.run(a)
	require.Equal(t, CodeTimeout, errs.CodeOf(err), "%v", err)
	require.False(t, b.store.Has(d))
}

// What an action leaves running in the open ends with it.
func TestLeftRunning(t *testing.T) {
	b := newBench(t, Options{}, false)
	beat := filepath.Join(t.TempDir(), "beat")
	_, err := b.run(b.action(t, nil, shell("(while :; do echo >> "+beat+"; sleep 0.01; done) >/dev/null 2>&1 & sleep 0.1")))
	require.NoError(t, err)
	size := func() int64 {
		info, err := os.Stat(beat)
		require.NoError(t, err)
		return info.Size()
	}
	require.Eventually(t, func() bool {
		before := size()
		time.Sleep(100 * time.Millisecond)
		return size() == before
	}, 20*time.Second, time.Millisecond)
}

// A client's own deadline is not the action's.
func TestClientGone(t *testing.T) {
	b := newBench(t, Options{}, false)
	a := b.action(t, nil, shell("sleep 60"))
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := b.Run(ctx, a, false)
	require.Equal(t, CodeGone, errs.CodeOf(err), "%v", err)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.NotContains(t, err.Error(), "2h0m0s")
	ctx, cancel = context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err = b.Run(ctx, a, false)
	require.Equal(t, CodeGone, errs.CodeOf(err), "%v", err)
	require.ErrorIs(t, err, context.Canceled)
}
