package progress

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMeter(t *testing.T) {
	var b bytes.Buffer
	m := NewMeter(&b, "packing")
	m.Report(5, 10)
	m.Close()
	require.Empty(t, b.String(), "quiet where nobody looks")
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer file.Close()
	require.False(t, NewMeter(file, "packing").draws)

	m = NewMeter(&b, "packing")
	m.draws = true
	m.Report(5, 10)
	require.Contains(t, b.String(), "packing")
	require.Contains(t, b.String(), "50%")
	drawn := b.Len()
	m.Close()
	require.Greater(t, b.Len(), drawn, "the bar is wiped")
	m = NewMeter(&b, "nothing to do")
	m.draws = true
	m.Close()
}

// In a log a program that is compiled is a line, what it is compiled and run by another, and
// an archive nothing.
func TestOn(t *testing.T) {
	var b bytes.Buffer
	p := On(&b)
	p.Using("vmvx", "/bin/iree-compile", "/lib/libireert.so")
	p.Using("vmvx", "/bin/iree-compile", "/lib/libireert.so")
	p.Using("xla_cpu", "/lib/plugin.so", "/lib/plugin.so")
	p.Compiling("model", "vmvx")()
	p.Packing(0, 10)
	p.Packing(10, 10)
	require.Equal(t, "skainet: vmvx, compiled by /bin/iree-compile, run by /lib/libireert.so\n"+
		"skainet: xla_cpu, compiled and run by /lib/plugin.so\nskainet: compiling model for vmvx, which may take minutes, also for a small file\n", b.String())
}

func TestClock(t *testing.T) {
	var b bytes.Buffer
	m := NewMeter(&b, "compiling")
	m.draws = true
	done := m.clock()
	done()
	require.Contains(t, b.String(), "compiling")
}
