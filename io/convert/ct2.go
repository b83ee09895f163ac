package convert

import (
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
)

// ct2Keeps reports whether a tensor keeps its type in a CTranslate2 file whatever a
// rule says, since its runtime asks for that type: a setting, and the scale of a
// quantised weight.
func ct2Keeps(s tensor.Spec) bool {
	return s.Shape.Rank() == 0 || strings.HasSuffix(s.Name, "_scale") || strings.HasSuffix(s.Name, "_zero")
}

// writeCTranslate2 writes a CTranslate2 file with other types. Its runtime wants
// names, settings and their types as its own converters write them, which no
// other format keeps.
func writeCTranslate2(j *job, out string) ([]string, error) {
	f := j.w.CTranslate2()
	if f == nil {
		return nil, errs.New(CodeFormat, "a file of format %s lacks what CTranslate2 needs besides tensors: the name of its spec, and settings with their types", j.w.Format()).
			In(j.w.Path()).Hint("convert the model with CTranslate2's own converters, or write another format: --format")
	}
	if j.o.MaxShardSize > 0 {
		return nil, errs.New(CodeOption, "a CTranslate2 model is one file").In(j.w.Path()).Hint("leave out --max-shard-size")
	}
	written := map[string]output{}
	for _, p := range j.outputs {
		if s := p.t.To; !s.Encoding.IsDense() || !slices.Contains(ctranslate2.Types(), s.DType) {
			return nil, j.noPlace(s, "CTranslate2", "give it another type, such as --dtype "+quoted(globOf(s.Name)+"="+dtype.F16.String()))
		}
		written[p.t.To.Name] = p
	}
	header := f.Header()
	header.Aliases = nil
	for _, a := range f.Header().Aliases {
		target, isTensor := j.index.Aliases[a.Name]
		if _, ok := written[target]; isTensor && !ok {
			j.drop(a.Name + " (another name of " + target + ")")
			continue
		}
		header.Aliases = append(header.Aliases, a)
	}
	var items []ctranslate2.Item
	for _, item := range f.Items() {
		if p, ok := written[item.Name]; ok {
			item = ctranslate2.Item{Spec: p.t.To, Open: j.open(p)}
		} else if _, setting := j.index.Scalars[item.Name]; !setting {
			continue
		}
		items = append(items, item)
	}
	return []string{out}, ctranslate2.WriteFile(out, header, items)
}
