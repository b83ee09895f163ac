package drill

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
)

// spawn is an object of Bazel's execution log: one action that ran or came from
// a cache. Actions that were up to date are not in it.
type spawn struct {
	Args      []string   `json:"commandArgs"`
	Variables []variable `json:"environmentVariables"`
	Inputs    []file     `json:"inputs"`
	Listed    []string   `json:"listedOutputs"`
	Outputs   []file     `json:"actualOutputs"`
	Mnemonic  string     `json:"mnemonic"`
	Target    string     `json:"targetLabel"`
	Runner    string     `json:"runner"`
	CacheHit  bool       `json:"cacheHit"`
}

type variable struct{ Name, Value string }

type file struct {
	Path   string `json:"path"`
	Digest struct {
		Hash     string `json:"hash"`
		Function string `json:"hashFunctionName"`
	} `json:"digest"`
	Symlink string `json:"symlinkTargetPath"`
}

// content identifies a file's content.
func (f file) content() string {
	if f.Symlink != "" {
		return "-> " + f.Symlink
	}
	return f.Digest.Hash
}

func (s *spawn) name() string { return s.Mnemonic + " of " + s.Target }

// key is the same for the same action of two builds.
func (s *spawn) key() string {
	out := ""
	if len(s.Listed) > 0 {
		out = slices.Min(s.Listed)
	}
	return strings.Join([]string{s.Target, s.Mnemonic, out}, "\x00")
}

// readSpawns reads a log, a sequence of objects.
func readSpawns(r io.Reader) ([]spawn, error) {
	d := json.NewDecoder(r)
	var all []spawn
	for {
		var s spawn
		err := d.Decode(&s)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, errs.Wrap(CodeLog, err, "not an execution log of Bazel").At(d.InputOffset())
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return nil, errs.New(CodeLog, "no action is in the log: nothing was built")
	}
	return all, nil
}

func (b *build) byKey() map[string]*spawn {
	m := map[string]*spawn{}
	for i := range b.spawns {
		m[b.spawns[i].key()] = &b.spawns[i]
	}
	return m
}

// hits counts the actions of next that came from a cache that b filled, and reports
// how each of the others differs.
func (b *build) hits(next *build) (int, []string) {
	mine, good := b.byKey(), 0
	var faults []string
	for i := range next.spawns {
		s := &next.spawns[i]
		if s.CacheHit {
			good++
			continue
		}
		before := mine[s.key()]
		if before == nil {
			faults = append(faults, s.name()+" was not taken from the cache; the first build had no such action")
			continue
		}
		faults = append(faults, fmt.Sprintf("%s was not taken from the cache: %s", s.name(), difference(before, s)))
	}
	theirs := next.byKey()
	for key, s := range mine {
		if theirs[key] == nil {
			faults = append(faults, s.name()+" is not in the second build")
		}
	}
	slices.Sort(faults)
	return good, faults
}

// difference reports how two runs of an action differ in the parts of their cache key.
func difference(a, b *spawn) string {
	if !slices.Equal(a.Args, b.Args) {
		for i := range min(len(a.Args), len(b.Args)) {
			if a.Args[i] != b.Args[i] {
				return fmt.Sprintf("argument %d is %q and then %q", i, a.Args[i], b.Args[i])
			}
		}
		return fmt.Sprintf("it has %d arguments and then %d", len(a.Args), len(b.Args))
	}
	variables := func(s *spawn) map[string]string {
		m := map[string]string{}
		for _, v := range s.Variables {
			m[v.Name] = v.Value
		}
		return m
	}
	inputs := func(s *spawn) map[string]string {
		m := map[string]string{}
		for _, f := range s.Inputs {
			m[f.Path] = f.content()
		}
		return m
	}
	if d := differing(variables(a), variables(b)); d != "" {
		return "environment variable " + d
	}
	if d := differing(inputs(a), inputs(b)); d != "" {
		return "input " + d
	}
	if !slices.Equal(a.Listed, b.Listed) {
		return "its outputs have other names"
	}
	return "arguments, environment and inputs are the same; a tag may keep it out of the cache, or its result was not stored"
}

// differing returns the first key by name with two values.
func differing(a, b map[string]string) string {
	keys := maps.Clone(a)
	maps.Copy(keys, b)
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		x, inA := a[k]
		y, inB := b[k]
		switch {
		case !inA:
			return k + " came in"
		case !inB:
			return k + " is gone"
		case x != y:
			return fmt.Sprintf("%s is %s and then %s", k, x, y)
		}
	}
	return ""
}

type made struct{ hash, spawn string }

// outputs returns all files that actions made, by path. What tests print has times
// in it and is left out.
func (b *build) outputs() map[string]made {
	m := map[string]made{}
	for i := range b.spawns {
		s := &b.spawns[i]
		if s.Mnemonic == "TestRunner" {
			continue
		}
		for _, f := range s.Outputs {
			if f.Symlink == "" {
				m[f.Path] = made{f.Digest.Hash, s.name()}
			}
		}
	}
	return m
}

// sameOutputs compares the files of two builds and says which differ.
func (b *build) sameOutputs(next *build) (int, []string) {
	mine, theirs := b.outputs(), next.outputs()
	var faults []string
	count := 0
	for path, m := range mine {
		t, ok := theirs[path]
		switch {
		case !ok:
			faults = append(faults, fmt.Sprintf("%s of %s was not made again", path, m.spawn))
		case m.hash != t.hash:
			faults = append(faults, fmt.Sprintf("%s of %s is %s and then %s", path, m.spawn, m.hash, t.hash))
		default:
			count++
		}
	}
	for path, t := range theirs {
		if _, ok := mine[path]; !ok {
			faults = append(faults, fmt.Sprintf("%s of %s is new", path, t.spawn))
		}
	}
	slices.Sort(faults)
	return count, faults
}
