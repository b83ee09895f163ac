package irpa

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func f32(v float32) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)) }

// The goldens are IREE's own output; testdata/golden/README.md has the commands.
func TestByteEqualToIREE(t *testing.T) {
	type test struct {
		golden string
		items  []Item
	}
	tests := []test{
		{"data.irpa", safetensors(t, "testdata/golden/data.safetensors")},
		{"empty.irpa", nil},
		{"splat.irpa", []Item{
			{Name: "s1", Length: 5, Pattern: []byte{7}},
			{Name: "s2", Length: 48, Pattern: f32(1.5)},
			{Name: "s3", Length: 8, Pattern: []byte{0, 0xc0}},
		}},
		{"mixed.irpa", []Item{
			{Name: "s1", Length: 5, Pattern: []byte{7}},
			{Name: "s2", Length: 48, Pattern: f32(1.5)},
			{Name: "s8", Length: 16, Pattern: []byte{0, 0, 0, 0, 0, 0, 0xd0, 0x3f}},
			Bytes("d1", bytes.Repeat([]byte{9}, 15)),
			Bytes("d2", make([]byte, 16)),
		}},
	}
	source := safetensors(t, "testdata/golden/data.safetensors")
	zeros := slices.Clone(source)
	for i := range zeros {
		zeros[i].Open, zeros[i].Pattern = nil, []byte{0}
	}
	changed := []Item{{Name: source[0].Name, Length: 10, Pattern: []byte{0xca, 0xfe}}}
	for _, item := range source[1:] {
		switch item.Name {
		case "w":
			continue
		case "tail":
			item.Name = "end"
		}
		changed = append(changed, item)
	}
	tests = append(tests, test{"lengths.irpa", lengths()}, test{"strip.irpa", zeros}, test{"changed.irpa", changed})
	for _, tt := range tests {
		t.Run(tt.golden, func(t *testing.T) {
			golden := filepath.Join("testdata/golden", tt.golden)
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			path := filepath.Join(t.TempDir(), "out.irpa")
			require.NoError(t, Write(path, tt.items))
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			f, err := Open(golden)
			require.NoError(t, err)
			defer f.Close()
			require.Len(t, f.Entries(), len(tt.items))
		})
	}
}

// lengths are splats of every width and data around the alignment of 64 bytes.
func lengths() []Item {
	splat := func(name string, n int64, pattern ...byte) Item { return Item{Name: name, Length: n, Pattern: pattern} }
	fill := func(name string, n int, b byte) Item { return Bytes(name, bytes.Repeat([]byte{b}, n)) }
	return []Item{
		splat("a", 1, 1), splat("b", 6, 0xfe, 0xff), splat("c", 16, 0x40, 0xe2, 1, 0),
		splat("d", 24, 0xfb, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), splat("e", 10, 0, 0x38), splat("f", 28, f32(1.25)...),
		splat("g", 16, 0, 0, 0, 0, 0, 0, 0x0c, 0xc0), splat("h", 4, 0x80, 0x3f), splat("z", 36, 0, 0, 0, 0), splat("n", 0, f32(1)...),
		fill("d0", 0, 0), fill("d1", 1, 7), fill("d63", 63, 0xff), fill("d64", 64, 3), fill("d65", 65, 4), fill("d127", 127, 0),
		fill("z0", 0, 0), fill("z5", 40, 0),
	}
}

// safetensors returns the tensors of a small file in the order of their data,
// which is the order in which IREE's tool writes them.
func safetensors(t *testing.T, path string) []Item {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	start := 8 + binary.LittleEndian.Uint64(b)
	d := json.NewDecoder(bytes.NewReader(b[8:start]))
	_, err = d.Token()
	require.NoError(t, err)
	var items []Item
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		var v struct {
			At [2]uint64 `json:"data_offsets"`
		}
		require.NoError(t, d.Decode(&v))
		items = append(items, Bytes(name.(string), b[start+v.At[0]:start+v.At[1]]))
	}
	require.Len(t, items, 5)
	return items
}

func TestWriterRefuses(t *testing.T) {
	boom := errors.New("boom")
	source := func(n int64, data string, err error) Item {
		return Item{Name: "w", Length: n, Open: func() (io.Reader, error) { return strings.NewReader(data), err }}
	}
	tests := []struct {
		name  string
		items []Item
		code  errs.Code
	}{
		{"empty name", []Item{Bytes("", nil)}, CodeName},
		{"name not UTF-8", []Item{Bytes("\xff", nil)}, CodeName},
		{"NUL in name", []Item{Bytes("a\x00", nil)}, CodeName},
		{"long name", []Item{Bytes(strings.Repeat("a", MaxName+1), nil)}, CodeLimit},
		{"same name", []Item{Bytes("a", nil), Bytes("a", nil)}, CodeDuplicate},
		{"negative", []Item{{Name: "a", Length: -1}}, CodeLength},
		{"no source", []Item{{Name: "a", Length: 1}}, CodeLength},
		{"sum too large", []Item{source(maxTotal, "", nil), {Name: "v", Length: maxTotal, Open: source(1, "", nil).Open}}, CodeLimit},
		{"pattern of 3", []Item{{Name: "a", Length: 6, Pattern: make([]byte, 3)}}, CodeSplat},
		{"pattern of 0", []Item{{Name: "a", Length: 0, Pattern: []byte{}}}, CodeSplat},
		{"pattern does not tile", []Item{{Name: "a", Length: 6, Pattern: make([]byte, 4)}}, CodeSplat},
		{"external and data", []Item{{Name: "a", Path: "b", Open: source(1, "", nil).Open}}, CodeEntry},
		{"external and splat", []Item{{Name: "a", Path: "b", Pattern: []byte{1}}}, CodeEntry},
		{"external above the folder", []Item{{Name: "a", Path: "x/../../b"}}, CodeExternal},
		{"external absolute", []Item{{Name: "a", Path: "/b"}}, CodeExternal},
		{"external NUL", []Item{{Name: "a", Path: "b\x00"}}, CodeName},
		{"external offset", []Item{{Name: "a", Path: "b", Offset: -1}}, CodeLength},
		{"source short", []Item{source(3, "ab", nil)}, CodeLength},
		{"source long", []Item{source(1, "ab", nil)}, CodeLength},
		{"source fails", []Item{source(1, "", boom)}, atomicfile.CodeWrite},
		{"too many", make([]Item, MaxEntries+1), CodeLimit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			err := Write(filepath.Join(dir, "out.irpa"), tt.items)
			require.Error(t, err)
			require.Equal(t, tt.code, errs.CodeOf(err))
			if tt.code == atomicfile.CodeWrite {
				require.ErrorIs(t, err, boom)
			}
			left, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestEncodeGivesTheErrorOfTheWriter(t *testing.T) {
	r, w := io.Pipe()
	require.NoError(t, r.Close())
	require.ErrorIs(t, Encode(w, []Item{Bytes("a", []byte("1"))}), io.ErrClosedPipe)
}
