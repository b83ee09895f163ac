package safetensors

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/errs"
)

// weightMap is a checked index, without its shards.
type weightMap struct {
	metadata map[string]string // strings, numbers and bools of "metadata" as text
	tensors  []placed          // in the order of the text
	shards   []string          // sorted

	total   int64 // total_size; -1 when there is none
	totalAt int64
}

// placed is an entry of the map: a tensor and its shard.
type placed struct {
	name, shard string
	field       int64 // of the shard's name, for errors
}

// SniffIndex reports whether a file that begins with head is an index: a JSON
// object that begins with "weight_map", or with "metadata" and has one of the
// names "weight_map" and "total_size" in head. 4096 bytes of head are enough for
// most files; FindIndex looks further.
func SniffIndex(head []byte) bool {
	if !isIndex(head) {
		return false
	}
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("{"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	switch {
	case !ok:
		return false
	case bytes.HasPrefix(rest, []byte(`"weight_map"`)):
		return true
	}
	return bytes.HasPrefix(rest, []byte(`"metadata"`)) &&
		(bytes.Contains(rest, []byte(`"weight_map"`)) || bytes.Contains(rest, []byte(`"total_size"`)))
}

// MaxLook is how many bytes FindIndex reads.
const MaxLook = 16 << 20

// FindIndex reports whether the text of r is an index, whatever comes first
// in it: a JSON object with a member "weight_map" that is an object, or
// with a member "metadata" that has a "total_size", in its first MaxLook bytes.
func FindIndex(r io.Reader) bool {
	d := jsontext.NewDecoder(io.LimitReader(r, MaxLook), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return hasMember(d, func(name string) bool {
		return name == "weight_map" && d.PeekKind() == '{' ||
			name == "metadata" && hasMember(d, func(name string) bool { return name == "total_size" })
	})
}

// hasMember reads an object until found reports that the member just read is the
// one looked for. found may read the member's value, if it reads all of it.
func hasMember(d *jsontext.Decoder, found func(name string) bool) bool {
	if d.PeekKind() != '{' {
		return false
	}
	_, _ = d.ReadToken() // the brace
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false
		}
		at := d.InputOffset()
		if found(name.String()) {
			return true
		}
		if d.InputOffset() == at && d.SkipValue() != nil {
			return false
		}
	}
	// To after the object; where there is an error, the decoder keeps it.
	_, _ = d.ReadToken()
	return false
}

// parseIndex reads the index b.
func parseIndex(b []byte, faults *errs.Faults) (*weightMap, error) {
	if len(b) > MaxHeader {
		err := fail(CodeLimit, 0, "an index of %d bytes, the limit is %d", len(b), MaxHeader)
		faults.Add(err)
		return nil, err
	}
	x := &weightMap{metadata: map[string]string{}, total: -1}
	r := newReader(b, 0, faults)
	start, have := r.at(), false
	_, err := r.object("the index", CodeDuplicateKey, func(name string, at int64, twice bool) error {
		r.node = name
		defer func() { r.node = "" }()
		switch {
		case twice:
			return r.skip()
		case name == "metadata":
			return x.readMetadata(r)
		case name == "weight_map":
			have = true
			return x.readMap(r)
		}
		if err := r.add(fail(CodeUnknownField, at, "an index has no field %q", clip(name)).
			Hint("an index has metadata and weight_map")); err != nil {
			return err
		}
		return r.skip()
	})
	if err != nil {
		return nil, err
	}
	end := r.d.InputOffset()
	if rest := bytes.TrimLeft(b[end:], " \t\r\n"); len(rest) > 0 {
		if err := r.add(fail(CodeJSON, int64(len(b)-len(rest)), "%q follows the JSON text", rest[:min(len(rest), 8)])); err != nil {
			return nil, err
		}
	}
	if !have {
		if err := r.add(fail(CodeMissingField, start, "the field weight_map is missing")); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// readMetadata reads the member metadata, an object of any values, of which
// strings, numbers and bools are kept.
func (x *weightMap) readMetadata(r *reader) error {
	_, err := r.object("the metadata", CodeDuplicateKey, func(name string, _ int64, twice bool) error {
		at := r.at()
		switch kind := r.d.PeekKind(); {
		case twice:
			return r.skip()
		case name == "total_size":
			n, ok, err := r.size("total_size")
			if ok {
				x.total, x.totalAt = n, at
				x.metadata[name] = string(r.text[at:r.d.InputOffset()])
			}
			return err
		case kind == '"':
			s, ok, err := r.str("a value of the metadata")
			if ok {
				x.metadata[name] = s
			}
			return err
		case kind == '0', kind == 't', kind == 'f':
			raw, err := r.d.ReadValue()
			if err != nil {
				return r.syntax(err)
			}
			x.metadata[name] = string(raw)
			return nil
		}
		return r.skip()
	})
	return err
}

// readMap reads the member weight_map.
func (x *weightMap) readMap(r *reader) error {
	shards := map[string]string{} // each name once, however often the map has it
	_, err := r.object("the map", CodeDuplicateName, func(name string, at int64, twice bool) error {
		r.node = name
		if len(x.tensors) == MaxTensors {
			err := fail(CodeLimit, at, "more than %d tensors, which is the limit", MaxTensors)
			r.add(err)
			return err
		}
		if err := checkName(name); err != nil {
			if err := r.add(err.At(at)); err != nil {
				return err
			}
		}
		field := r.at()
		shard, ok, err := r.str("a shard's name")
		if !ok || twice {
			return err
		}
		if err := checkShard(shard); err != nil {
			return r.add(err.At(field))
		}
		if _, ok := shards[shard]; !ok {
			if len(x.shards) == MaxShards {
				err := fail(CodeLimit, field, "more than %d shards, which is the limit", MaxShards)
				r.add(err)
				return err
			}
			shards[shard] = shard
			x.shards = append(x.shards, shard)
		}
		x.tensors = append(x.tensors, placed{name, shards[shard], field})
		return nil
	})
	slices.Sort(x.shards)
	return err
}

// checkShard returns an error if a shard's name is not that of a file next to the
// index on every system.
func checkShard(name string) *errs.Error {
	bad := func(why string) *errs.Error {
		return errs.New(CodeShard, "the shard %q %s", clip(name), why).Hint("a shard is in the folder of the index, under a plain name")
	}
	switch {
	case name == "" || name == "." || name == "..":
		return bad("is not a valid file name")
	case len(name) > MaxName:
		return bad("has a name that is too long")
	case strings.ContainsAny(name, `/\:`):
		return bad("has a separator in its name")
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' }):
		return bad("has a control character in its name")
	case !filepath.IsLocal(name):
		return bad("is not local")
	}
	return nil
}
