package bert

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// Pooling is how one vector is made of those of a text's tokens.
type Pooling string

// The poolings. Both are normalised to length 1.
const (
	Mean Pooling = "mean" // of all tokens
	CLS  Pooling = "cls"  // the first token's
)

// ParsePooling returns the pooling of a name, and whether it is one.
func ParsePooling(name string) (Pooling, bool) {
	p := Pooling(name)
	return p, p == Mean || p == CLS
}

// input is what an argument of a program is.
type input struct {
	kind  string // ids, mask or types
	dtype dtype.DType
}

// bind finds the entry point and what its arguments are.
func (e *Embedder) bind(c *contract.Contract) error {
	entry := &contract.Entry{}
	if len(c.Entries) == 1 {
		entry = &c.Entries[0]
	}
	if own, err := c.Entry("embed"); err == nil {
		entry = own
		if len(entry.Args) != 2 || len(entry.Results) != 1 {
			return errs.New(CodeProgram, "embed has %d arguments and %d results, want 2 and 1", len(entry.Args), len(entry.Results))
		}
		e.entry, e.inputs = entry.Name, []input{{"ids", entry.Args[0].DType}, {"mask", entry.Args[1].DType}}
		return nil
	}
	e.entry = entry.Name
	for _, a := range entry.Args {
		kind := ""
		for name, k := range map[string]string{"input_ids": "ids", "attention_mask": "mask", "token_type_ids": "types"} {
			if strings.Contains(a.Name, name) {
				kind = k
			}
		}
		if kind == "" || a.DType != dtype.I32 && a.DType != dtype.I64 || slices.ContainsFunc(e.inputs, func(i input) bool { return i.kind == kind }) {
			return errs.New(CodeProgram, "the argument %q of %s is none of a BERT", a.Name, entry.Name)
		}
		e.inputs = append(e.inputs, input{kind, a.DType})
	}
	for _, kind := range []string{"ids", "mask"} {
		if !slices.ContainsFunc(e.inputs, func(i input) bool { return i.kind == kind }) || len(entry.Results) == 0 {
			return errs.New(CodeProgram, "the program has no entry point embed, and none of a BERT").
				Hint("give the program of an embedder, with arguments input_ids and attention_mask")
		}
	}
	return nil
}

// arguments returns the rows of a batch, filled up to the longest, and their mask.
func (e *Embedder) arguments(rows [][]int32, longest int) (args []tensor.Value, mask []int32, err error) {
	all := map[string][]int32{"types": make([]int32, longest*len(rows))}
	for _, row := range rows {
		for i := range longest {
			id, real := e.pad, int32(0)
			if i < len(row) {
				id, real = row[i], 1
			}
			all["ids"], all["mask"] = append(all["ids"], id), append(all["mask"], real)
		}
	}
	for _, in := range e.inputs {
		v, err := integers(in.dtype, all[in.kind], int64(len(rows)), int64(longest))
		if err != nil {
			return nil, nil, err
		}
		args = append(args, v)
	}
	return args, all["mask"], nil
}

func integers(d dtype.DType, list []int32, sizes ...int64) (tensor.Value, error) {
	if d != dtype.I64 {
		return tensor.Of(list, sizes...)
	}
	wide := make([]int64, len(list))
	for i, v := range list {
		wide[i] = int64(v)
	}
	return tensor.Of(wide, sizes...)
}

// pool makes one vector of length 1 a text of the vectors of all tokens.
func (p Pooling) pool(all []float32, mask []int32, texts int) ([]float32, error) {
	width := len(all) / len(mask)
	if width == 0 || width*len(mask) != len(all) {
		return nil, errs.New(CodeProgram, "the program returned %d numbers for %d tokens", len(all), len(mask))
	}
	longest := len(mask) / texts
	out := make([]float32, 0, texts*width)
	sum := make([]float64, width)
	for t := range texts {
		clear(sum)
		for i := range longest {
			if at := t*longest + i; mask[at] != 0 && (p != CLS || i == 0) {
				for k, v := range all[at*width : (at+1)*width] {
					sum[k] += float64(v)
				}
			}
		}
		length := 0.
		for _, v := range sum {
			length += v * v
		}
		length = max(math.Sqrt(length), 1e-12)
		for _, v := range sum {
			out = append(out, float32(v/length))
		}
	}
	return out, nil
}

// LoadPooling returns how a model pools, from the config.json of sentence-transformers'
// folder 1_Pooling.
func LoadPooling(path string) (Pooling, error) {
	var s struct {
		CLS  bool `json:"pooling_mode_cls_token"`
		Mean bool `json:"pooling_mode_mean_tokens"`
	}
	if err := readSettings(path, &s, "the config.json of a folder 1_Pooling"); err != nil {
		return "", err
	}
	switch {
	case s.CLS && !s.Mean:
		return CLS, nil
	case s.Mean && !s.CLS:
		return Mean, nil
	}
	return "", errs.New(CodeSettings, "neither of the poolings by mean and by [CLS], or both").In(path)
}

// Prompts are the texts that a model wants in front of others, by the names of their
// purposes, such as "query".
type Prompts struct {
	Texts   map[string]string `json:"prompts"`
	Default string            `json:"default_prompt_name"` // a name, or ""
}

// LoadPrompts reads a config_sentence_transformers.json.
func LoadPrompts(path string) (Prompts, error) {
	var p Prompts
	if err := readSettings(path, &p, "a config_sentence_transformers.json"); err != nil {
		return p, err
	}
	if _, ok := p.Texts[p.Default]; p.Default != "" && !ok {
		return p, errs.New(CodeSettings, "no prompt has the default's name %q", p.Default).In(path).On("default_prompt_name")
	}
	return p, nil
}

// Text returns the prompt for a purpose, by default the model's own; "none" is no prompt.
func (p Prompts) Text(name string) (string, error) {
	switch name {
	case "none":
		return "", nil
	case "":
		return p.Texts[p.Default], nil
	}
	text, ok := p.Texts[name]
	if !ok {
		names := []string{"none"}
		for n := range p.Texts {
			names = append(names, n)
		}
		slices.Sort(names)
		return "", errs.New(CodeSettings, "the model has no prompt %q", name).Hint("it has %s", strings.Join(names, ", "))
	}
	return text, nil
}

func readSettings(path string, to any, what string) error {
	data, err := regular.Read(path, maxSettings)
	if err != nil {
		return errs.Wrap(CodeSettings, err, "cannot read the settings").In(path)
	}
	if err := json.Unmarshal(data, to); err != nil {
		return errs.Wrap(CodeSettings, err, "not %s", what).In(path).Hint("use the one that came with the weights")
	}
	return nil
}
