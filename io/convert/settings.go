package convert

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
)

const (
	// typesKey is the key of __metadata__ that holds the types of GGUF values that
	// are not strings, as a JSON object of keys and types.
	typesKey = "skainet.gguf"
	// fileTypeKey is the key of GGUF that says in one number how most tensors are
	// stored.
	fileTypeKey = "general.file_type"
	// architectureKey is the one that the GGUF specification requires of models.
	architectureKey = "general.architecture"
)

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// pairs returns the settings as GGUF has them.
func (j *job) pairs() ([]gguf.Pair, error) {
	if f := j.w.GGUF(); f != nil {
		pairs := f.Pairs()
		if j.changed() {
			pairs = slices.DeleteFunc(pairs, func(p gguf.Pair) bool {
				if p.Key == fileTypeKey {
					j.drop(p.Key)
				}
				return p.Key == fileTypeKey
			})
		}
		return pairs, nil
	}
	types, err := j.types()
	if err != nil {
		return nil, err
	}
	var pairs []gguf.Pair
	for _, k := range sorted(j.index.Metadata) {
		if k == typesKey || k == fileTypeKey && j.changed() {
			continue
		}
		v, err := typed(types[k], j.index.Metadata[k])
		if err != nil {
			return nil, errs.Wrap(CodeOption, err, "the value %q is not a %s, the type that %s gives", j.index.Metadata[k], types[k], typesKey).
				In(j.w.Path()).On(k)
		}
		pairs = j.addPair(pairs, k, v)
	}
	for _, k := range sorted(j.index.Scalars) {
		pairs = j.addPair(pairs, k, j.index.Scalars[k])
	}
	j.dropAliases()
	return pairs, nil
}

// addPair adds a setting of another format, or drops one that GGUF has no place
// for: a key that the writer sets, or one that takes another type.
func (j *job) addPair(pairs []gguf.Pair, key string, value any) []gguf.Pair {
	p := gguf.Pair{Key: key, Value: value}
	if gguf.CheckPair(p) != nil {
		j.drop(key)
		return pairs
	}
	return append(pairs, p)
}

// types reads what strings wrote, if it is there.
func (j *job) types() (map[string]string, error) {
	text, ok := j.index.Metadata[typesKey]
	if !ok {
		return nil, nil
	}
	var types map[string]string
	if err := json.Unmarshal([]byte(text), &types); err != nil {
		return nil, errs.Wrap(CodeOption, err, "the metadata is malformed").In(j.w.Path()).On(typesKey)
	}
	return types, nil
}

// typed returns a Go value of a GGUF type from its text.
func typed(typ, text string) (any, error) {
	signed := func(bits int) (int64, error) { return strconv.ParseInt(text, 10, bits) }
	unsigned := func(bits int) (uint64, error) { return strconv.ParseUint(text, 10, bits) }
	switch typ {
	case gguf.U8.String():
		n, err := unsigned(8)
		return uint8(n), err
	case gguf.I8.String():
		n, err := signed(8)
		return int8(n), err
	case gguf.U16.String():
		n, err := unsigned(16)
		return uint16(n), err
	case gguf.I16.String():
		n, err := signed(16)
		return int16(n), err
	case gguf.U32.String():
		n, err := unsigned(32)
		return uint32(n), err
	case gguf.I32.String():
		n, err := signed(32)
		return int32(n), err
	case gguf.U64.String():
		return unsigned(64)
	case gguf.I64.String():
		return signed(64)
	case gguf.F32.String():
		f, err := strconv.ParseFloat(text, 32)
		return float32(f), err
	case gguf.F64.String():
		return strconv.ParseFloat(text, 64)
	case gguf.Bool.String():
		return strconv.ParseBool(text)
	}
	return text, nil
}

// strings returns the settings as safetensors has them; nil where there are none.
func (j *job) strings() (map[string]string, error) {
	m := map[string]string{}
	if f := j.w.GGUF(); f != nil {
		types := map[string]string{}
		for _, p := range f.Pairs() {
			v := p.Value.(gguf.Value)
			if v.Type() == gguf.ArrayType || v.Key() == fileTypeKey && j.changed() || v.Key() == typesKey {
				j.drop(v.Key())
				continue
			}
			var err error
			if v.Type() == gguf.String {
				m[v.Key()], err = v.Text()
			} else {
				types[v.Key()] = v.Type().String()
				m[v.Key()], err = v.Summary()
			}
			if err != nil {
				return nil, err
			}
		}
		if len(types) > 0 {
			text, err := json.Marshal(types) // with sorted keys
			if err != nil {
				return nil, err
			}
			m[typesKey] = string(text)
		}
	} else {
		maps.Copy(m, j.index.Metadata)
		for k, v := range j.index.Scalars {
			m[k] = strconv.FormatInt(v, 10)
		}
		j.dropAliases()
	}
	if len(m) == 0 {
		return nil, nil
	}
	return m, nil
}
