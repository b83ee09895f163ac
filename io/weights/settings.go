package weights

import (
	"maps"
	"slices"
)

// Setting is a pair of a file's metadata. A list, such as the tokens of a
// vocabulary, is not decoded before it is asked for.
type Setting struct {
	Key  string
	Type string // string, u32, f32, bool, ...; of a list "list of string"
	// Count is the number of elements of a list, -1 of a single value.
	Count int64
	// First returns at most n elements of a list, or the single value.
	First func(n int64) ([]any, error)
}

// HasTypedSettings reports whether the settings have types; the scalars of the
// index are then among them.
func (f *File) HasTypedSettings() bool {
	_, ok := f.source.(interface{ settings() []Setting })
	return ok
}

// Extras lists what the file has besides its tensors: settings by their keys, and
// aliases as "NAME (another name of TENSOR)". Keys that only describe the file
// itself, such as its alignment, are left out.
func (f *File) Extras() []string {
	var list []string
	if g := f.GGUF(); g != nil {
		for _, p := range g.Pairs() {
			list = append(list, p.Key)
		}
		return list
	}
	x := f.index()
	if x == nil {
		return nil
	}
	list = append(list, slices.Sorted(maps.Keys(x.Metadata))...)
	list = append(list, slices.Sorted(maps.Keys(x.Scalars))...)
	for _, name := range slices.Sorted(maps.Keys(x.Aliases)) {
		list = append(list, name+" (another name of "+x.Aliases[name]+")")
	}
	return list
}

// Settings lists the file's metadata in its own order, or by key where the
// format has no order.
func (f *File) Settings() []Setting {
	if s, ok := f.source.(interface{ settings() []Setting }); ok {
		return s.settings()
	}
	x := f.index()
	if x == nil {
		return nil
	}
	var list []Setting
	for _, k := range slices.Sorted(maps.Keys(x.Metadata)) {
		list = append(list, Setting{Key: k, Type: "string", Count: -1, First: func(int64) ([]any, error) {
			return []any{x.Metadata[k]}, nil
		}})
	}
	return list
}
