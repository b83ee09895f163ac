package weights

import (
	"iter"
	"strconv"

	"github.com/skainet-dev/skainet-go/io/gguf"
)

// pairs is a GGUF file, whose metadata has types.
type pairs struct{ *gguf.File }

func openGGUF(path string) (pairs, error) {
	f, err := gguf.Open(path)
	return pairs{f}, err
}

func (p pairs) settings() []Setting {
	var list []Setting
	for _, v := range p.Values() {
		s := Setting{Key: v.Key(), Type: v.Type().String(), Count: -1, First: func(int64) ([]any, error) {
			x, err := single(v)
			return []any{x}, err
		}}
		if a, err := v.Array(); err == nil {
			s.Type = "list of " + a.Type().String()
			s.Count = a.Len()
			s.First = func(n int64) ([]any, error) { return elements(a, n) }
		}
		list = append(list, s)
	}
	return list
}

// single returns a value that is not an array.
func single(v gguf.Value) (any, error) {
	switch v.Type() {
	case gguf.String:
		return v.Text()
	case gguf.Bool:
		return v.Bool()
	case gguf.F32:
		x, err := v.Float()
		return float32(x), err
	case gguf.F64:
		return v.Float()
	case gguf.U64: // may be above the largest int64
		text, err := v.Summary()
		if err != nil {
			return nil, err
		}
		return strconv.ParseUint(text, 10, 64)
	}
	return v.Int()
}

// elements returns at most n elements of an array.
func elements(a gguf.Array, n int64) ([]any, error) {
	switch a.Type() {
	case gguf.String:
		return first(a.Strings(), n)
	case gguf.Bool:
		return first(a.Bools(), n)
	case gguf.F32:
		return first(a.Float32s(), n)
	case gguf.F64:
		return first(a.Floats(), n)
	case gguf.ArrayType:
		list, err := first(a.Arrays(), n)
		for i := range list {
			if list[i], err = elements(list[i].(gguf.Array), n); err != nil {
				return nil, err
			}
		}
		return list, err
	case gguf.U64: // may be above the largest int64
		return first(a.Uints(), n)
	}
	return first(a.Ints(), n)
}

func first[T any](walk iter.Seq2[T, error], n int64) ([]any, error) {
	var list []any
	for v, err := range walk {
		if err != nil {
			return nil, err
		}
		if int64(len(list)) == n {
			break
		}
		list = append(list, v)
	}
	return list, nil
}
