package irpa

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// letters returns n data of 3000 bytes, each of its own letter.
func letters(t *testing.T, n int) []Item {
	var items []Item
	for i := range n {
		item := described(t, spec(fmt.Sprint("w", i), dtype.I8, quant.Dense, 3000, 3000))
		b := make([]byte, 3000)
		for j := range b {
			b[j] = 'a' + byte(i)
		}
		item.Open = Bytes("", b).Open
		items = append(items, item)
	}
	return items
}

func TestShards(t *testing.T) {
	tests := []struct {
		items   int
		maxSize int64
		want    []int // entries of each archive
	}{
		{0, 4096, []int{0}},
		{1, 4096, []int{1}},
		{4, 1 << 40, []int{4}},
		{4, 4096, []int{1, 1, 1, 1}},
		{5, 8192, []int{2, 2, 1}},
		{5, 16384, []int{5}},
		{5, 12288, []int{3, 2}},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.items, " in ", tt.maxSize), func(t *testing.T) {
			dir := t.TempDir()
			items := letters(t, tt.items)
			paths, err := WriteShards(filepath.Join(dir, "m.v1.irpa"), items, tt.maxSize)
			require.NoError(t, err)
			require.Len(t, paths, len(tt.want))
			for i, path := range paths {
				require.Equal(t, filepath.Join(dir, fmt.Sprintf("m.v1-%05d-of-%05d.irpa", i+1, len(paths))), path)
				st, err := os.Stat(path)
				require.NoError(t, err)
				require.LessOrEqual(t, st.Size(), tt.maxSize)
				f, err := Open(path)
				require.NoError(t, err)
				require.Len(t, f.Entries(), tt.want[i], "each is an archive of its own")
				require.NoError(t, f.Close())
			}
			s, err := OpenSet(paths[len(paths)-1])
			require.NoError(t, err)
			require.Len(t, s.Files(), len(paths))
			require.Len(t, s.Entries(), tt.items)
			require.Len(t, s.Index().Tensors, tt.items)
			require.Equal(t, paths[0], s.Path())
			require.Zero(t, s.Size()%fileAlign)
			for i, item := range items {
				b, err := s.Tensor(item.Name)
				require.NoError(t, err)
				got, err := b.Bytes()
				require.NoError(t, err)
				require.Len(t, got, 3000)
				require.Equal(t, 'a'+byte(i), got[2999])
				require.NoError(t, b.Close())
				path, at, err := s.Place(item.Name)
				require.NoError(t, err)
				require.Contains(t, paths, path)
				require.Zero(t, at%dataAlign)
			}
			_, err = s.Tensor("none")
			require.Equal(t, CodeMissing, errs.CodeOf(err))
			require.NoError(t, s.Close())
		})
	}
}

// The number of archives is as asked, and the largest is as small as the order
// allows: compared with every way to cut them.
func TestShardsOf(t *testing.T) {
	const kB = 1 << 10
	for _, lengths := range [][]int64{
		{1 * kB}, {9 * kB, 9 * kB, 9 * kB}, {90 * kB, kB, kB, kB}, {kB, kB, kB, 90 * kB}, {kB, 90 * kB, kB, 30 * kB, 30 * kB, 2 * kB},
		{0, 0, 0, 0}, {5 * kB, 60 * kB, 5 * kB, 60 * kB, 5 * kB, 5 * kB, 40 * kB},
	} {
		var items []Item
		for i, n := range lengths {
			items = append(items, Bytes(fmt.Sprint("w", i), make([]byte, n)))
		}
		for n := 1; n <= len(items); n++ {
			files, err := OutputsOf("d/m.irpa", items, n, 0)
			require.NoError(t, err)
			require.Len(t, files, n)
			require.Equal(t, ShardPath("d/m.irpa", n, n), files[n-1].Path)
			again, err := OutputsOf(ShardPath("d/m.irpa", 1, n), items, n, 0)
			require.NoError(t, err)
			require.Equal(t, files[n-1].Path, again[n-1].Path, "by the name of the first")

			groups, err := even(items, n)
			require.NoError(t, err)
			var all []Item
			largest := int64(0)
			for _, g := range groups {
				require.NotEmpty(t, g)
				largest = max(largest, sizeOf(g))
				all = append(all, g...)
			}
			require.Len(t, all, len(items))
			for i := range items {
				require.Equal(t, items[i].Name, all[i].Name)
			}
			require.Equal(t, least(items, n), largest, "%v in %d", lengths, n)

			_, err = OutputsOf("d/m.irpa", items, n, largest)
			require.NoError(t, err)
			_, err = OutputsOf("d/m.irpa", items, n, largest-1)
			require.Equal(t, CodeLimit, errs.CodeOf(err))
		}
	}
	_, err := OutputsOf("m.irpa", letters(t, 4), 2, 4096)
	require.ErrorContains(t, err, "shard 1 of 2 has 8192 bytes, and at most 4096 are allowed")
	require.ErrorContains(t, err, "make at least 4 shards")

	for _, n := range []int{-1, 0, 4, maxShards + 1} {
		_, err := OutputsOf("m.irpa", letters(t, 3), n, 0)
		require.Equal(t, CodeLimit, errs.CodeOf(err), "%d", n)
		require.ErrorContains(t, err, "from 1 to 3")
	}
	one, err := OutputsOf("m.irpa", nil, 1, 0)
	require.NoError(t, err)
	require.Len(t, one, 1)
	_, err = OutputsOf("m.irpa", append(letters(t, 2), letters(t, 1)...), 2, 0)
	require.Equal(t, CodeDuplicate, errs.CodeOf(err))
}

// least tries every way to cut items into n groups.
func least(items []Item, n int) int64 {
	if n == 1 {
		return sizeOf(items)
	}
	best := int64(maxTotal)
	for cut := 1; cut <= len(items)-n+1; cut++ {
		best = min(best, max(sizeOf(items[:cut]), least(items[cut:], n-1)))
	}
	return best
}

// Many entries of which one decides are cut in little time.
func TestShardsOfMany(t *testing.T) {
	items := []Item{Bytes("large", make([]byte, 1<<24))}
	for i := range 20000 {
		items = append(items, Bytes(fmt.Sprint(i), nil))
	}
	groups, err := even(items, 256)
	require.NoError(t, err)
	require.Len(t, groups, 256)
	require.Len(t, groups[0], 1)
}

func TestShardsRefuse(t *testing.T) {
	dir := t.TempDir()
	items := letters(t, 3)
	for name, tt := range map[string]struct {
		items []Item
		max   int64
		code  errs.Code
	}{
		"an entry larger than a shard": {items, 4095, CodeLimit},
		"one name in two shards":       {append(items[:2:2], items[0]), 4096, CodeDuplicate},
		"a negative length":            {[]Item{{Name: "a", Length: -1}}, 4096, CodeLength},
		"no source":                    {append(items[:2:2], Item{Name: "a", Length: 5}), 4096, CodeLength},
	} {
		_, err := WriteShards(filepath.Join(dir, "m.irpa"), tt.items, tt.max)
		require.Equal(t, tt.code, errs.CodeOf(err), name)
		require.ErrorContains(t, err, "m", "the file is named")
		left, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, left, "all are written or none")
	}
	many := make([]Item, maxShards+1)
	for i := range many {
		many[i] = Item{Name: fmt.Sprint(i), Length: 2048}
	}
	_, err := split(many, 4096)
	require.Equal(t, CodeLimit, errs.CodeOf(err))
}

func TestOpenSetRefuses(t *testing.T) {
	dir := t.TempDir()
	paths, err := WriteShards(filepath.Join(dir, "m.irpa"), letters(t, 3), 4096)
	require.NoError(t, err)
	one, err := os.ReadFile(paths[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(paths[2], one, 0o644))
	_, err = OpenSet(paths[1])
	require.Equal(t, CodeDuplicate, errs.CodeOf(err))
	require.ErrorContains(t, err, paths[2])
	require.NoError(t, os.Remove(paths[2]))
	_, err = OpenSet(paths[1])
	require.Equal(t, regular.CodeOpen, errs.CodeOf(err))
	require.ErrorContains(t, err, paths[2])
	for _, name := range []string{"m-00000-of-00002.irpa", "m-00003-of-00002.irpa"} {
		_, err = OpenSet(filepath.Join(dir, name))
		require.Equal(t, CodeShard, errs.CodeOf(err))
	}
	plain := filepath.Join(dir, "plain.irpa")
	require.NoError(t, os.WriteFile(plain, one, 0o644))
	s, err := OpenSet(plain)
	require.NoError(t, err)
	require.Len(t, s.Files(), 1)
	require.NoError(t, s.Close())
}
