package fromonnx

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skainet-dev/skainet-go/io/onnx/schema"
)

// schemas.txt has what the standard says of each operator: see testdata/gen_schemas.py.
//
//go:embed schemas.txt
var schemasText string

// signature is what a version of an operator takes, by its schema.
type signature struct {
	since      int64
	inputs     []parameter
	min, max   int // number of inputs
	outputs    int // the greatest number of them
	attributes []attributeOf
}

// parameter is an input of an operator.
type parameter struct {
	name     string
	optional bool     // whether it may be left out
	variadic bool     // whether it stands for any number of inputs
	types    []string // of its elements; nil for any, and for what is no tensor
}

// attributeOf is an attribute that an operator has.
type attributeOf struct {
	name     string
	required bool
	kind     schema.AttributeProto_AttributeType
}

// signatures has the versions of each operator, the oldest first.
var signatures = sync.OnceValue(func() map[string][]signature {
	all, err := readSignatures(schemasText)
	if err != nil {
		panic(err) // the file is part of the program, and a test reads it
	}
	return all
})

func readSignatures(text string) (map[string][]signature, error) {
	all, sets := map[string][]signature{}, map[string][]string{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		switch len(f) {
		case 2:
			sets[f[0]] = strings.Split(f[1], ",")
		case 6:
			s, err := readSignature(f[1:], sets)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", f[0], err)
			}
			all[f[0]] = append(all[f[0]], s)
		default:
			return nil, fmt.Errorf("%d fields: %q", len(f), line)
		}
	}
	for _, versions := range all {
		widened(versions)
	}
	return all, nil
}

func readSignature(f []string, sets map[string][]string) (s signature, err error) {
	if s.since, err = strconv.ParseInt(f[0], 10, 64); err != nil {
		return s, err
	}
	if _, err := fmt.Sscanf(f[1], "%d..%d", &s.min, &s.max); err != nil {
		return s, err
	}
	var fewest int
	if _, err := fmt.Sscanf(f[2], "%d..%d", &fewest, &s.outputs); err != nil {
		return s, err
	}
	for _, text := range listOf(f[3]) {
		name, set, typed := strings.Cut(text, ":")
		p := parameter{name: strings.TrimRight(name, "?*"), optional: strings.HasSuffix(name, "?"), variadic: strings.HasSuffix(name, "*"), types: sets[set]}
		if typed && p.types == nil {
			return s, fmt.Errorf("no set %s", set)
		}
		s.inputs = append(s.inputs, p)
	}
	for _, text := range listOf(f[4]) {
		name, kind, _ := strings.Cut(text, ":")
		k, known := schema.AttributeProto_AttributeType_value[kind]
		if !known {
			return s, fmt.Errorf("no type of attributes %s", kind)
		}
		s.attributes = append(s.attributes, attributeOf{strings.TrimSuffix(name, "!"), strings.HasSuffix(name, "!"), schema.AttributeProto_AttributeType(k)})
	}
	return s, nil
}

// listOf splits a list, in which "-" stands for nothing.
func listOf(text string) []string {
	if text == "-" {
		return nil
	}
	return strings.Split(text, ",")
}

// signatureOf returns what an operator takes in a version of its domain: the newest that is
// not newer, or the first where a file uses an operator before its time. Version 0 is
// that of a domain that the file does not import: the newest holds.
func signatureOf(name string, version int64) *signature {
	list := signatures()[name]
	if len(list) == 0 {
		return nil
	}
	if version == 0 {
		return &list[len(list)-1]
	}
	at, found := slices.BinarySearchFunc(list, version, func(s signature, v int64) int { return int(s.since - v) })
	if !found {
		at--
	}
	return &list[max(at, 0)]
}

// widened lets inputs have the element types of all versions: rules have no others, and a file
// that says too old a version is still clear.
func widened(versions []signature) {
	for k := len(versions) - 1; k >= 0; k-- {
		for i := range versions[k].inputs {
			p := &versions[k].inputs[i]
			for _, other := range versions {
				if i >= len(other.inputs) || other.inputs[i].name != p.name || p.types == nil {
					continue
				}
				if other.inputs[i].types == nil {
					p.types = nil
					continue
				}
				p.types = slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.types, other.inputs[i].types))))
			}
		}
	}
}

// parameter returns that of input i.
func (s *signature) parameter(i int) (parameter, bool) {
	if i < len(s.inputs) {
		return s.inputs[i], true
	}
	if last := len(s.inputs) - 1; last >= 0 && s.inputs[last].variadic {
		return s.inputs[last], true
	}
	return parameter{}, false
}
