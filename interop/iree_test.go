//go:build integration

package interop

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
)

// row is a line of iree-dump-parameters: where an entry's bytes are, and how
// many it has. A splat has none in the file: Start is -1.
type row struct {
	Name          string
	Start, Length int64
}

var line = regexp.MustCompile("^ *([0-9]+|-) \\| +([0-9]+|-) \\| +([0-9]+) \\| `(.*)`$")

// dump returns what IREE finds in a parameter file.
func dump(t testing.TB, path string) []row {
	t.Helper()
	out := string(output(t, runfile(t, "DUMP"), "--parameters=model="+path))
	var rows []row
	for text := range strings.Lines(out) {
		m := line.FindStringSubmatch(strings.TrimSuffix(text, "\n"))
		if m == nil {
			continue
		}
		r := row{Name: m[4], Start: -1, Length: integer(t, m[3])}
		if m[1] != "-" {
			r.Start = integer(t, m[1])
			require.Equal(t, r.Length, integer(t, m[2])-r.Start, text)
		}
		rows = append(rows, r)
	}
	if want := regexp.MustCompile(`\(([0-9]+) entries`).FindStringSubmatch(out); want != nil {
		require.Len(t, rows, int(integer(t, want[1])), "every line is understood: %s", out)
	}
	return rows
}

func integer(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

// elements are the types in which the tool takes values, each with the bytes of
// a value.
var elements = []struct {
	name string
	size int
	bits func(v int) []byte
}{
	{"i8", 1, func(v int) []byte { return []byte{byte(v)} }},
	{"i16", 2, func(v int) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(v)) }},
	{"i32", 4, func(v int) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(v)) }},
	{"i64", 8, func(v int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(v)) }},
	{"f32", 4, func(v int) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v))) }},
	{"f64", 8, func(v int) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(v))) }},
}

// made is an archive as a list of flags for iree-create-parameters and as items.
// The tool writes all splats first. Data that it fills are bytes or zeros: values
// of more bytes it refuses.
func made(r *rand.Rand) (flags []string, items []irpa.Item) {
	var data []irpa.Item
	for i := range r.IntN(12) {
		name := fmt.Sprintf("%s.%d", strings.Repeat("blk/é", r.IntN(9)), i)
		e := elements[r.IntN(len(elements))]
		rows, columns := 1+r.IntN(5), 1+r.IntN(70)
		v := r.IntN(200) - 100
		shape := fmt.Sprintf("%s=%dx%dx%s", name, rows, columns, e.name)
		n := rows * columns * e.size
		switch r.IntN(3) {
		case 0:
			flags = append(flags, fmt.Sprintf("--splat=%s=%d", shape, v))
			items = append(items, irpa.Item{Name: name, Length: int64(n), Pattern: e.bits(v)})
		case 1:
			flags = append(flags, fmt.Sprintf("--data=%s=%dxi8=%d", name, n, v))
			data = append(data, irpa.Bytes(name, bytes.Repeat([]byte{byte(v)}, n)))
		case 2:
			flags = append(flags, "--data="+shape)
			data = append(data, irpa.Bytes(name, make([]byte, n)))
		}
	}
	return flags, append(items, data...)
}

// TestCreate has iree-create-parameters and irpa.Write make the same archives.
func TestCreate(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			flags, items := made(rand.New(rand.NewPCG(seed, 4)))
			dir := t.TempDir()
			theirs, ours := filepath.Join(dir, "iree.irpa"), filepath.Join(dir, "ours.irpa")
			output(t, runfile(t, "CREATE"), append(flags, "--quiet", "--output="+theirs)...)
			require.NoError(t, irpa.Write(ours, items))
			require.True(t, bytes.Equal(read(t, theirs), read(t, ours)), "other bytes for %q", flags)
			samePlaces(t, ours)
		})
	}
}

// TestConvert has iree-convert-parameters read archives of ours and write them anew.
func TestConvert(t *testing.T) {
	for seed := range uint64(30) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			_, items := made(rand.New(rand.NewPCG(seed, 5)))
			dir := t.TempDir()
			theirs, ours := filepath.Join(dir, "iree.irpa"), filepath.Join(dir, "ours.irpa")
			require.NoError(t, irpa.Write(ours, items))
			output(t, runfile(t, "CONVERT"), "--quiet", "--parameters="+ours, "--output="+theirs)
			require.True(t, bytes.Equal(read(t, ours), read(t, theirs)), "other bytes for %d items", len(items))
		})
	}
}

// samePlaces compares what our reader and IREE's find in an archive.
func samePlaces(t testing.TB, path string) {
	t.Helper()
	f, err := irpa.Open(path)
	require.NoError(t, err)
	defer f.Close()
	var want []row
	for _, e := range f.Entries() {
		r := row{Name: e.Name, Start: -1, Length: e.Length}
		if e.Type == irpa.Data && e.Length > 0 { // the tool gives the place of nothing as 0
			r.Start = e.Offset
		} else if e.Type == irpa.Data {
			r.Start = 0
		}
		want = append(want, r)
	}
	if diff := cmp.Diff(want, dump(t, path)); diff != "" {
		t.Error(diff)
	}
}
