// Package shards goes by the names of files that are parts of a set: it finds those
// that an earlier run left beside an output (shards of a set of another size, the single
// file where a set is now, or the other way round) and those that a set lacks. A reader
// that is given an old one would read old weights, and a tool cannot know that nothing
// else needs them, so they are named and not removed.
//
// # Errors
//
// This package never fails: a folder that cannot be read is treated as empty.
//
// # Determinism
//
// The lists depend only on the names in the folder, or the given names.
package shards

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// indexSuffix is what the index of a set of safetensors files appends to the name
// of a single file.
const indexSuffix = ".index.json"

var numbered = regexp.MustCompile(`^(.*)-([0-9]{5})-of-([0-9]{5})(\.[^.]*)?$`)

// Stale returns the paths of files that are called like written, which are the
// files of one output, but for the numbers of shards, and are none of them:
// NAME.EXT, NAME-00001-of-00003.EXT and NAME.EXT.index.json, sorted.
func Stale(written ...string) []string {
	own := map[string]bool{}
	outputs := map[string]bool{} // what the output would be called in one file
	folder := ""
	for _, path := range written {
		folder = filepath.Dir(path)
		own[filepath.Base(path)] = true
		outputs[whole(filepath.Base(path))] = true
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(written) == 0 {
		return nil
	}
	var stale []string
	for _, e := range entries {
		if e.Type().IsRegular() && !own[e.Name()] && outputs[whole(e.Name())] {
			stale = append(stale, filepath.Join(folder, e.Name()))
		}
	}
	slices.Sort(stale)
	return stale
}

// Of returns those of files that are called like shards of the output, in its folder.
func Of(output string, files ...string) []string {
	var own []string
	for _, path := range files {
		if numbered.MatchString(filepath.Base(path)) && whole(filepath.Base(path)) == whole(filepath.Base(output)) && atomicfile.Same(filepath.Dir(path), filepath.Dir(output)) {
			own = append(own, path)
		}
	}
	return own
}

// whole returns the name of the single file that a shard or an index stands for.
func whole(name string) string {
	name = strings.TrimSuffix(name, indexSuffix)
	if m := numbered.FindStringSubmatch(name); m != nil {
		return m[1] + m[4]
	}
	return name
}

// Missing returns the paths that are missing from the sets to which paths belong,
// sorted: for NAME-00001-of-00003.EXT alone the other two.
func Missing(paths ...string) []string {
	var missing []string
	seen := map[string]bool{}
	for _, path := range paths {
		folder, name := filepath.Split(path)
		m := numbered.FindStringSubmatch(name)
		if m == nil || seen[whole(path)+"/"+m[3]] {
			continue
		}
		seen[whole(path)+"/"+m[3]] = true
		count, _ := strconv.Atoi(m[3]) // five digits
		for i := range count {
			part := folder + fmt.Sprintf("%s-%05d-of-%s%s", m[1], i+1, m[3], m[4])
			if !slices.Contains(paths, part) {
				missing = append(missing, part)
			}
		}
	}
	slices.Sort(missing)
	return missing
}
