package gguf

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/errs"
)

// pair reads a key and its value.
func (p *parser) pair(i int) error {
	at := p.at
	raw, err := p.str(fmt.Sprintf("key %d", i), MaxKey)
	if err != nil {
		return err
	}
	if err := text(raw, fmt.Sprintf("key %d", i), CodeKey); err != nil {
		if err := p.fault(err.At(at)); err != nil {
			return err
		}
	}
	key := string(raw)
	_, twice := p.byKey[key]
	if twice {
		if err := p.fault(fail(CodeDuplicateKey, at, "another pair has this key").On(key)); err != nil {
			return err
		}
	}
	at = p.at
	n, err := p.u32("the type of a value")
	if err != nil {
		return on(err, key)
	}
	t := Type(n)
	if !t.valid() {
		return fail(CodeType, at, "value type %d, types 0 to %d are known", n, len(types)-1).On(key)
	}
	v := Value{key: key, typ: t, field: at, big: p.cursor.big, src: p.src}
	p.node = key
	if err := p.value(&v); err != nil {
		return on(err, key)
	}
	p.node = ""
	if !twice {
		p.byKey[key] = len(p.values)
		p.values = append(p.values, v)
	}
	return nil
}

// value reads what follows the type.
func (p *parser) value(v *Value) error {
	v.at = p.at
	switch v.typ {
	case String:
		s, err := p.str("a string", MaxString)
		if err != nil {
			return err
		}
		if !utf8.Valid(s) {
			if err := p.fault(fail(CodeValue, v.at+8, "a string that is not UTF-8: %q", short(s))); err != nil {
				return err
			}
		}
		if v.key == keyArchitecture {
			p.architecture = string(s)
		}
		v.at += 8
	case ArrayType:
		var err error
		if v.elem, v.n, err = p.array(1); err != nil {
			return err
		}
		v.at += 12
	default:
		if err := p.need(v.typ.size(), "a value of type "+v.typ.String()); err != nil {
			return err
		}
		v.bits = p.bits(p.at, v.typ.size())
		p.at += v.typ.size()
		if v.typ == Bool && v.bits > 1 {
			if err := p.fault(fail(CodeValue, v.at, "a bool of %d, want 0 or 1", v.bits)); err != nil {
				return err
			}
		}
	}
	v.size = p.at - v.at
	return nil
}

// kind is what a known key must hold.
type kind struct {
	typ, elem Type
}

// known are the keys whose type llama.cpp requires, as gguf-py writes them; any
// other type is an error of the file's writer.
var known = map[string]kind{
	keyAlignment:    {typ: U32},
	keySplitNo:      {typ: U16},
	keySplitCount:   {typ: U16},
	keySplitTensors: {typ: I32},

	keyArchitecture:                {typ: String},
	"general.file_type":            {typ: U32},
	"general.name":                 {typ: String},
	"general.quantization_version": {typ: U32},
	"general.type":                 {typ: String},

	"tokenizer.chat_template":                 {typ: String},
	"tokenizer.ggml.add_bos_token":            {typ: Bool},
	"tokenizer.ggml.add_eos_token":            {typ: Bool},
	"tokenizer.ggml.add_space_prefix":         {typ: Bool},
	"tokenizer.ggml.bos_token_id":             {typ: U32},
	"tokenizer.ggml.eos_token_id":             {typ: U32},
	"tokenizer.ggml.merges":                   {typ: ArrayType, elem: String},
	"tokenizer.ggml.model":                    {typ: String},
	"tokenizer.ggml.padding_token_id":         {typ: U32},
	"tokenizer.ggml.pre":                      {typ: String},
	"tokenizer.ggml.scores":                   {typ: ArrayType, elem: F32},
	"tokenizer.ggml.token_type":               {typ: ArrayType, elem: I32},
	keyTokens:                                 {typ: ArrayType, elem: String},
	"tokenizer.ggml.unknown_token_id":         {typ: U32},
	"tokenizer.ggml.seperator_token_id":       {typ: U32}, // spelled so in the format
	"tokenizer.ggml.remove_extra_whitespaces": {typ: Bool},
}

const (
	keyArchitecture = "general.architecture"
	keyTokens       = "tokenizer.ggml.tokens"
)

// known checks the keys of the table, and reports whether the alignment is usable.
func (p *parser) known() (placed bool, err error) {
	placed = true
	for _, v := range p.values {
		k, ok := known[v.key]
		if !ok || v.typ == k.typ && (v.typ != ArrayType || v.elem == k.elem) {
			continue
		}
		placed = placed && v.key != keyAlignment
		want := k.typ.String()
		if k.typ == ArrayType {
			want += " of " + k.elem.String()
		}
		if err := p.fault(fail(CodeWrongType, v.field, "the value is %s, this key takes %s", v.kind(), want).On(v.key)); err != nil {
			return false, err
		}
	}
	if tokens, ok := p.get(keyTokens); ok && tokens.typ == ArrayType {
		for _, key := range []string{"tokenizer.ggml.scores", "tokenizer.ggml.token_type"} {
			if v, ok := p.get(key); ok && v.typ == ArrayType && v.n != tokens.n {
				if err := p.fault(fail(CodeValue, v.field, "%d elements for %d tokens", v.n, tokens.n).On(key)); err != nil {
					return false, err
				}
			}
		}
	}
	if v, ok := p.get(keyAlignment); ok && placed {
		p.alignment = int64(v.bits)
		if a := p.alignment; a < MinAlignment || a > MaxAlignment || a&(a-1) != 0 {
			placed = false
			if err := p.fault(fail(CodeAlignment, v.at, "an alignment of %d, want a power of two from %d to %d", a, MinAlignment, MaxAlignment)); err != nil {
				return false, err
			}
		}
	}
	return placed, p.split()
}

// split checks the numbers of a part of a split model by themselves.
func (p *parser) split() error {
	no, ok := p.get(keySplitNo)
	count, counted := p.get(keySplitCount)
	switch {
	case ok != counted:
		v, missing := no, keySplitCount
		if counted {
			v, missing = count, keySplitNo
		}
		return p.fault(fail(CodeSplit, v.field, "the part has no %s", missing).On(v.key))
	case !ok || no.typ != U16 || count.typ != U16:
		return nil // not split, or of a wrong type and found above
	case count.bits == 0:
		return p.fault(fail(CodeSplit, count.at, "a model of no parts").On(count.key))
	case no.bits >= count.bits:
		return p.fault(fail(CodeSplit, no.at, "part %d, counted from 0, of %d", no.bits, count.bits).On(no.key))
	}
	return nil
}

// on names the key or tensor where the error names none.
func on(err error, node string) error {
	var e *errs.Error
	if errors.As(err, &e) && e.Node == "" {
		e.Node = node
	}
	return err
}
