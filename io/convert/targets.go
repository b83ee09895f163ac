package convert

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// writeGGUF writes a model with the byte order of a PC; one that comes from GGUF
// keeps the alignment.
func writeGGUF(j *job, out string) ([]string, error) {
	for _, p := range j.outputs {
		if s := p.t.To; !inGGUF(s) {
			do := "give it another type, such as --dtype f32 or --encoding Q8_0"
			if !changes(s) {
				do = leaveOut(s)
			}
			return nil, j.noPlace(s, "GGUF", do)
		}
	}
	o := gguf.Options{PartBytes: j.o.MaxShardSize, BeyondGGML: j.o.BeyondGGML}
	if f := j.w.GGUF(); f != nil {
		o.Alignment = f.Alignment()
	}
	pairs, err := j.pairs()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(pairs, func(p gguf.Pair) bool { return p.Key == architectureKey }) {
		j.report.Lacks = append(j.report.Lacks, architectureKey)
	}
	items := make([]gguf.Item, len(j.outputs))
	for i, p := range j.outputs {
		items[i] = gguf.Item{Spec: p.t.To, Open: j.open(p)}
	}
	paths, err := gguf.Write(out, pairs, items, o)
	var e *errs.Error
	if errors.As(err, &e) && e.Code == gguf.CodeGGML {
		e.Hint("llama.cpp and other programs with ggml would refuse the file: rename it in the source, or leave a tensor out with --exclude; --beyond-ggml writes it all the same")
	}
	return paths, err
}

// leaveOut is what to do about a tensor for which there is no other type.
func leaveOut(s tensor.Spec) string {
	return "leave it out: --exclude " + quoted(globOf(s.Name))
}

// quoted is text as a shell takes it.
func quoted(text string) string { return strconv.Quote(text) }

// globOf returns the glob that fits one name alone.
func globOf(name string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`).Replace(name)
}

// inGGUF reports whether GGUF has a type for the tensor. Opaque bytes may be those
// of a GGUF file; the writer knows.
func inGGUF(s tensor.Spec) bool {
	if !s.Encoding.IsDense() {
		b, ok := s.Encoding.Block()
		return s.Encoding.IsOpaque() || ok && b.GGML != quant.NoGGML
	}
	switch s.DType {
	case dtype.F16, dtype.BF16, dtype.F32, dtype.F64, dtype.I8, dtype.I16, dtype.I32, dtype.I64:
		return true
	}
	return false
}

// writeSafetensors writes a single file, or an index and its shards, for which
// the name of the output stands: m.safetensors.index.json for m.safetensors.
func writeSafetensors(j *job, out string) ([]string, error) {
	items := make([]safetensors.Item, len(j.outputs))
	for i, p := range j.outputs {
		s := p.t.To
		if !s.Encoding.IsDense() {
			return nil, j.noPlace(s, "safetensors", "unpack it with a dense type, such as --dtype f16")
		}
		if s.DType == dtype.I4 || s.DType == dtype.U4 {
			return nil, j.noPlace(s, "safetensors", leaveOut(s))
		}
		items[i] = safetensors.Item{Spec: s, Data: j.watched(p)}
	}
	metadata, err := j.strings()
	if err != nil {
		return nil, err
	}
	if j.o.MaxShardSize == 0 && !strings.HasSuffix(out, safetensors.IndexSuffix) {
		return []string{out}, safetensors.Write(out, items, metadata)
	}
	limit := j.o.MaxShardSize
	if limit == 0 {
		limit = 1 << 62
	}
	index := strings.TrimSuffix(strings.TrimSuffix(out, safetensors.IndexSuffix), ".safetensors") + safetensors.IndexSuffix
	paths, err := safetensors.WriteSet(index, items, metadata, limit)
	return append([]string{index}, paths...), err
}

// writeArchive writes an archive with the types of its entries, or shards.
func writeArchive(j *job, out string) ([]string, error) {
	var items []irpa.Item
	for _, p := range j.outputs {
		s := p.t.To
		if s.Shape.Rank() > irpa.MaxRank {
			return nil, j.noPlace(s, "an archive's metadata", leaveOut(s))
		}
		metadata, err := irpa.Describe(s)
		if err != nil {
			return nil, err
		}
		item := irpa.Item{Name: s.Name, Length: s.Bytes, Metadata: metadata, Open: j.open(p)}
		if pattern := j.w.Splat(s.Name); pattern != nil && p.t.Kind == transform.Copy {
			item.Pattern, item.Open = pattern, nil
		}
		items = append(items, item)
	}
	j.report.Dropped = append(j.report.Dropped, j.w.Extras()...)
	if j.o.MaxShardSize > 0 {
		return irpa.WriteShards(out, items, j.o.MaxShardSize)
	}
	return []string{out}, irpa.Write(out, items)
}
