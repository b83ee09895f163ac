package passes

import (
	"path"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// CodeWeights is the code of a weight policy that cannot be parsed, or that names
// tensors that the weights do not have.
const CodeWeights errs.Code = "PASS_WEIGHTS"

// The ways in which a program may store a weight, a tensor of floats of rank 2 or
// more.
const (
	StoreAsIs        = "packed"       // as in the weight file: blocks as blocks
	StoreInt8        = "int8"         // as Int8 does
	StoreInt8Dynamic = "int8_dynamic" // as Int8Dynamic does
	StoreBF16        = "bf16"
	StoreF16         = "f16"
	StoreF32         = "f32"
)

// storage is what a way to store weights does.
type storage struct {
	name    string
	to      dtype.DType // the type of elements; the weight's own if Invalid
	rows    bool        // whether rows become integers with a scale
	dynamic bool        // whether products with them multiply integers
}

var storages = []storage{
	{name: StoreAsIs},
	{name: StoreInt8, rows: true},
	{name: StoreInt8Dynamic, rows: true, dynamic: true},
	{name: StoreBF16, to: dtype.BF16},
	{name: StoreF16, to: dtype.F16},
	{name: StoreF32, to: dtype.F32},
}

// Stores returns the ways in which a program may store a weight; the first is the default.
func Stores() []string {
	names := make([]string, len(storages))
	for i, s := range storages {
		names[i] = s.name
	}
	return names
}

// storageOf returns the row of a name; the first for any other.
func storageOf(name string) storage {
	return storages[max(slices.IndexFunc(storages, func(s storage) bool { return s.name == name }), 0)]
}

// WeightPolicy says how a program stores each weight.
type WeightPolicy struct {
	Default string
	Rules   []WeightRule
}

// WeightRule applies to tensors whose names match a pattern of path.Match, in which
// "*" matches any characters except "/".
type WeightRule struct{ Pattern, Store string }

// ParseWeightPolicy parses a policy such as "packed,token_embd.weight=int8,blk.*.ffn_*=bf16":
// at most one default, "packed" if there is none, and patterns, the last of which
// that matches applies. Spaces around an item are ignored.
func ParseWeightPolicy(text string) (WeightPolicy, error) {
	p := WeightPolicy{}
	if strings.TrimSpace(text) == "" {
		return WeightPolicy{Default: StoreAsIs}, nil
	}
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		at := strings.LastIndexByte(item, '=')
		store := item[at+1:]
		if !slices.Contains(Stores(), store) {
			return p, errs.New(CodeWeights, "unknown weight storage %q", store).Hint("use one of %s, or PATTERN=one of them", strings.Join(Stores(), ", "))
		}
		if at < 0 {
			if p.Default != "" {
				return p, errs.New(CodeWeights, "two defaults, %s and %s", p.Default, store).Hint("put a pattern before all but one: blk.*=%s", store)
			}
			p.Default = store
			continue
		}
		if _, err := path.Match(item[:at], ""); err != nil || at == 0 {
			return p, errs.New(CodeWeights, "invalid pattern %q", item[:at]).Hint("write a name, in which * matches any characters and ? one")
		}
		p.Rules = append(p.Rules, WeightRule{item[:at], store})
	}
	if p.Default == "" {
		p.Default = StoreAsIs
	}
	return p, nil
}

// Of returns how the tensor with this name is stored.
func (p WeightPolicy) Of(name string) string {
	for _, r := range slices.Backward(p.Rules) {
		if ok, err := path.Match(r.Pattern, name); ok && err == nil {
			return r.Store
		}
	}
	if p.Default == "" {
		return StoreAsIs
	}
	return p.Default
}

// check returns an error if a pattern matches no tensor, which would be an
// unnoticed typo.
func (p WeightPolicy) check(index *tensor.Index) error {
	for _, r := range p.Rules {
		if !slices.ContainsFunc(index.Tensors, func(s tensor.Spec) bool { ok, err := path.Match(r.Pattern, s.Name); return ok && err == nil }) {
			return errs.New(CodeWeights, "the weights have no tensor that %q matches (%d others)", r.Pattern, len(index.Tensors)).
				Hint("list a file's tensors with: skainet inspect FILE")
		}
	}
	return nil
}
