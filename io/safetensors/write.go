package safetensors

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// IndexSuffix ends the name of an index that WriteSet writes.
const IndexSuffix = ".safetensors.index.json"

// Write writes a single file, which is either whole or absent. A nil metadata
// leaves __metadata__ out; the reference implementation needs none, while
// transformers wants {"format": "pt"}.
func Write(path string, items []Item, metadata map[string]string) error {
	return errs.WithFile(atomicfile.Write(path, func(w io.Writer) error { return Encode(w, items, metadata) }), path)
}

// WriteSet writes an index, whose name must end in .safetensors.index.json, and
// beside it the shards NAME-00001-of-00003.safetensors, and returns the paths of
// the shards. The items fill one shard after the other, in their order, with at
// most limit bytes of tensors each; a tensor above the limit has a shard of its
// own. Every shard has the metadata. All files are complete before the first
// takes its place; shards of an older set with another count stay.
func WriteSet(path string, items []Item, metadata map[string]string, limit int64) ([]string, error) {
	paths, err := writeSet(path, items, metadata, limit)
	return paths, errs.WithFile(err, path)
}

func writeSet(path string, items []Item, metadata map[string]string, limit int64) ([]string, error) {
	stem, ok := strings.CutSuffix(filepath.Base(path), IndexSuffix)
	if !ok || stem == "" {
		return nil, errs.New(CodeOption, "the index must be named %q", filepath.Base(path)).
			Hint("name it NAME%s", IndexSuffix)
	}
	if limit <= 0 {
		return nil, errs.New(CodeOption, "shards of %d bytes", limit).Hint("give a size above 0")
	}
	items, err := checked(items)
	if err != nil {
		return nil, err
	}
	parts := split(items, limit)
	if len(parts) > MaxShards {
		return nil, errs.New(CodeLimit, "%d shards, the limit is %d", len(parts), MaxShards).Hint("give a larger size")
	}
	var files []atomicfile.File
	var paths []string
	where := make(map[string]string, len(items))
	for i, part := range parts {
		name := fmt.Sprintf("%s-%05d-of-%05d.safetensors", stem, i+1, len(parts))
		if err := checkShard(name); err != nil {
			return nil, err
		}
		for _, item := range part {
			where[item.Name] = name
		}
		p := filepath.Join(filepath.Dir(path), name)
		paths = append(paths, p)
		files = append(files, atomicfile.File{Path: p, Write: func(w io.Writer) error {
			return errs.WithFile(Encode(w, part, metadata), p)
		}})
	}
	index, err := encodeIndex(items, where)
	if err != nil {
		return nil, err
	}
	// The index is last: until it is there, no set is.
	if err := atomicfile.WriteAll(append(files, atomicfile.Bytes(path, index))...); err != nil {
		return nil, err
	}
	return paths, nil
}

// split fills shards in order.
func split(items []Item, limit int64) [][]Item {
	var parts [][]Item
	var room int64
	for _, item := range items {
		if len(parts) == 0 || item.Bytes > room {
			parts, room = append(parts, nil), limit
		}
		last := &parts[len(parts)-1]
		*last = append(*last, item)
		room = max(room-item.Bytes, 0)
	}
	return parts
}

// encodeIndex returns the text of an index: the names sorted, one per line.
func encodeIndex(items []Item, where map[string]string) ([]byte, error) {
	items = slices.SortedFunc(slices.Values(items), func(a, b Item) int { return strings.Compare(a.Name, b.Name) })
	var sum int64
	for _, item := range items {
		sum += item.Bytes
	}
	text := append([]byte("{\n  \"metadata\": {\n    \"total_size\": "), strconv.FormatInt(sum, 10)...)
	text = append(text, "\n  },\n  \"weight_map\": {"...)
	for i, item := range items {
		if i > 0 {
			text = append(text, ',')
		}
		text = quote(append(text, "\n    "...), item.Name)
		text = quote(append(text, ": "...), where[item.Name])
	}
	if len(items) > 0 {
		text = append(text, "\n  "...)
	}
	text = append(text, "}\n}\n"...)
	if len(text) > MaxHeader {
		return nil, errs.New(CodeLimit, "the index would have more than %d bytes", MaxHeader)
	}
	return text, nil
}
