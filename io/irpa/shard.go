package irpa

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// maxShards is what the names have digits for.
const maxShards = 99999

// ShardPath returns the name of shard i, from 1 on, of n: "NAME-00001-of-00003.irpa"
// for the path "NAME.irpa".
func ShardPath(path string, i, n int) string {
	ext := filepath.Ext(path)
	return fmt.Sprintf("%s-%05d-of-%05d%s", strings.TrimSuffix(path, ext), i, n, ext)
}

var shardName = regexp.MustCompile(`^(.*)-([0-9]{5})-of-([0-9]{5})(\.[^.]*)?$`)

// Shards returns the paths of all shards of a set, from the path of any of them;
// of a file that is named otherwise it returns the path itself.
func Shards(path string) ([]string, error) {
	m := shardName.FindStringSubmatch(filepath.Base(path))
	if m == nil {
		return []string{path}, nil
	}
	i, _ := strconv.Atoi(m[2]) // five digits
	n, _ := strconv.Atoi(m[3])
	if i < 1 || i > n {
		return nil, errs.New(CodeShard, "the name has shard %d of %d", i, n).In(path).Hint("give the file its old name")
	}
	paths := make([]string, n)
	for i := range paths {
		paths[i] = ShardPath(filepath.Join(filepath.Dir(path), m[1]+m[4]), i+1, n)
	}
	return paths, nil
}

// WriteShards writes items to as few archives as their order allows, none longer
// than maxSize bytes, and returns their paths: ShardPath of path. All are written
// or none.
func WriteShards(path string, items []Item, maxSize int64) ([]string, error) {
	files, err := Outputs(path, items, maxSize)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = f.Path
	}
	if err := atomicfile.WriteAll(files...); err != nil {
		return nil, err
	}
	return paths, nil
}

// Outputs are the archives that WriteShards writes, as outputs that belong
// together.
func Outputs(path string, items []Item, maxSize int64) ([]atomicfile.File, error) {
	groups, err := split(items, min(maxSize, maxTotal))
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	files := make([]atomicfile.File, len(groups))
	for i, group := range groups {
		files[i] = Output(ShardPath(path, i+1, len(groups)), group)
	}
	return files, nil
}

// OutputsOf returns n archives of the items in their order, as even as the order
// allows: the largest is as small as possible. Names are ShardPath of path, which
// may also be that of the first of n. With maxSize above 0 none may be longer.
func OutputsOf(path string, items []Item, n int, maxSize int64) ([]atomicfile.File, error) {
	groups, err := even(items, n)
	if err != nil {
		return nil, errs.WithFile(err, path)
	}
	if m := shardName.FindStringSubmatch(path); m != nil && path == ShardPath(m[1]+m[4], 1, n) {
		path = m[1] + m[4]
	}
	files := make([]atomicfile.File, len(groups))
	for i, group := range groups {
		if size := sizeOf(group); maxSize > 0 && size > maxSize {
			needed, err := split(items, maxSize)
			if err != nil {
				return nil, errs.WithFile(err, path)
			}
			return nil, errs.New(CodeLimit, "shard %d of %d has %d bytes, and at most %d are allowed", i+1, n, size, maxSize).
				In(path).Hint("make at least %d shards", len(needed))
		}
		files[i] = Output(ShardPath(path, i+1, n), group)
	}
	return files, nil
}

// sizeOf is the length of an archive of items.
func sizeOf(items []Item) int64 {
	var x extent
	for _, item := range items {
		x = x.with(item)
	}
	return x.size()
}

// even cuts items into n groups so that the largest is as small as their order
// allows.
func even(items []Item, n int) ([][]Item, error) {
	if n < 1 || n > maxShards || n > max(len(items), 1) {
		return nil, errs.New(CodeLimit, "%d entries cannot be spread over %d archives", len(items), n).
			Hint("give a number from 1 to %d", min(max(len(items), 1), maxShards))
	}
	low, high := int64(0), int64(maxTotal) // in n groups it cannot and can be done
	groups, err := split(items, high)
	if err != nil {
		return nil, err
	}
	if len(groups) > n { // so many entries that one archive does not hold them
		return nil, errs.New(CodeLimit, "%d entries cannot be spread over %d archives", len(items), n).Hint("give a larger number")
	}
	for high-low > fileAlign { // sizes of archives are multiples of it
		middle := low + (high-low)/2/fileAlign*fileAlign
		if middle <= low {
			break
		}
		if g, err := split(items, middle); err == nil && len(g) <= n {
			high, groups = middle, g
		} else {
			low = middle
		}
	}
	for len(groups) < n { // the largest entry decides, and the rest needs no more
		groups = halve(groups)
	}
	return groups, nil
}

// halve cuts the largest group that has two entries where the larger part is
// smallest.
func halve(groups [][]Item) [][]Item {
	at, largest := -1, int64(-1)
	for i, g := range groups {
		if size := sizeOf(g); len(g) > 1 && size > largest {
			at, largest = i, size
		}
	}
	g := groups[at]
	// The first part grows with the cut, the other shrinks: where they cross, or before.
	cut := 1 + sort.Search(len(g)-2, func(i int) bool { return sizeOf(g[:i+1]) >= sizeOf(g[i+1:]) })
	if cut > 1 && sizeOf(g[cut-1:]) <= sizeOf(g[:cut]) {
		cut--
	}
	return slices.Concat(groups[:at], [][]Item{g[:cut], g[cut:]}, groups[at+1:])
}

// split cuts items into the groups that become archives.
func split(items []Item, maxSize int64) ([][]Item, error) {
	names := map[string]bool{}
	var groups [][]Item
	var x extent
	start := 0
	for i, item := range items {
		if names[item.Name] { // within an archive Encode finds it; across archives nothing else does
			return nil, errs.New(CodeDuplicate, "two entries have this name").On(item.Name)
		}
		names[item.Name] = true
		if item.Length < 0 || item.Length > maxTotal {
			return nil, errs.New(CodeLength, "a length of %d bytes", item.Length).On(item.Name)
		}
		if alone := (extent{}).with(item).size(); alone > maxSize {
			return nil, errs.New(CodeLimit, "the entry needs an archive of %d bytes, a shard has at most %d", alone, maxSize).
				On(item.Name).Hint("allow larger shards")
		}
		next := x.with(item)
		if next.size() > maxSize || i-start == MaxEntries {
			groups = append(groups, items[start:i])
			start, next = i, extent{}.with(item)
		}
		x = next
	}
	groups = append(groups, items[start:])
	if len(groups) > maxShards {
		return nil, errs.New(CodeLimit, "%d shards, the limit is %d", len(groups), maxShards).Hint("allow larger shards")
	}
	return groups, nil
}
