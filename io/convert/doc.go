// Package convert writes a weight file in another format, or in the same format
// with other types.
//
// # What is kept
//
// Tensors keep their names, shapes, order (but in safetensors, which has its
// own) and bytes; those that a rule gives another storage are changed by
// io/transform while they stream by. Rules leave integers, bools and opaque
// bytes alone, since no way leads from them to anything else; a rule that names
// nothing but such tensors is an error. Settings go where
// the target has a place for them:
//
//   - GGUF to GGUF: every pair as it is, but for general.file_type where a tensor
//     changed, which it would describe wrongly.
//   - GGUF to safetensors: every value but arrays, as text in __metadata__; the
//     types of those that are not strings are in its key "skainet.gguf", from
//     which a conversion back takes them.
//   - safetensors or CTranslate2 to GGUF: strings, and integers of the format, but
//     for keys that the writer sets and those that take another type.
//   - CTranslate2 to safetensors: text.
//   - CTranslate2 to CTranslate2: settings and other names, unchanged. Scales of
//     quantised weights and floats of rank 0 keep their types, which its runtime
//     asks for. No other format has what such a file needs.
//   - to .irpa: types, shapes and encodings of the tensors, no settings.
//
// The report lists what had no place.
//
// # Errors
//
// Before the first byte is written: CONVERT_FORMAT (no such target, or
// not from this file), CONVERT_BAD_GLOB,
// CONVERT_NO_MATCH (a rule or a selection that no tensor fits),
// CONVERT_NO_CHANGE (a rule that fits only tensors that no rule changes),
// CONVERT_NO_PLACE (the target cannot hold a tensor as it would be stored),
// CONVERT_OPTION;
// PACK_TYPE_MISMATCH and PACK_BAD_ROW of io/transform, and the errors of the
// target's writer about names and sizes. Later, with no output left:
// PACK_OVERFLOW, QUANT_BAD_VALUE, and what reading and writing say.
//
// # Determinism
//
// The output depends on the file, the format and the options, not on the number
// of workers.
package convert

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/ctranslate2"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Codes of this package.
const (
	CodeFormat  errs.Code = "CONVERT_FORMAT"   // smallest input: --format onnx
	CodeGlob    errs.Code = "CONVERT_BAD_GLOB" // smallest input: --tensors [
	CodeNoMatch errs.Code = "CONVERT_NO_MATCH" // smallest input: --tensors x for a file without x
	CodeNoPlace errs.Code = "CONVERT_NO_PLACE" // smallest input: a bool tensor to GGUF
	CodeOption  errs.Code = "CONVERT_OPTION"   // smallest input: --max-shard-size 1 for a CTranslate2 model
	// CodeNoChange is a rule that fits integers, bools or opaque bytes alone.
	CodeNoChange errs.Code = "CONVERT_NO_CHANGE"
)

// Options configures Convert; the zero value copies everything.
type Options struct {
	// Select keeps the tensors that match one of these globs; all if empty.
	Select []string
	// Exclude drops the tensors that match one of these globs.
	Exclude []string
	// Rules change the storage of tensors; of those that match, the last one wins. One
	// whose glob is a pattern leaves tensors alone that cannot be stored in its
	// blocks: vectors, and rows that are not whole blocks.
	Rules []Rule
	// MaxShardSize splits the output into several files of at most so many bytes
	// (of tensors, but for .irpa), as each format does; 0 makes one file. A tensor
	// above it has a file of its own, but in .irpa it is an error.
	MaxShardSize int64
	// Workers is how many chunks are converted in parallel; less than 1 means
	// one per core.
	Workers int
	// AllowOverflow lets finite values become infinite; they are counted.
	AllowOverflow bool
	// BeyondGGML writes a GGUF file even if ggml refuses it, for a tensor's name of more
	// than 63 bytes or an array of arrays.
	BeyondGGML bool
	// Progress is called when each tensor is started, and at the end with an
	// empty name: bytes of tensors written and in all.
	Progress func(done, total int64, name string)
}

// Rule changes the storage of the tensors that match Glob. In a glob * matches
// any text without a slash, ** between slashes for any, ? for one character,
// [ab] and {ab,cd} for one of several: blk.*.attn_q.weight, encoder/**/weight.
type Rule struct {
	Glob string
	To   transform.Storage
}

// ParseRule reads "TYPE", for all tensors, or "GLOB=TYPE", where TYPE is what
// transform.ParseStorage takes.
func ParseRule(text string) (Rule, error) {
	glob, name, ok := cutLast(text, "=")
	if !ok {
		glob, name = everything, text
	}
	to, err := transform.ParseStorage(name)
	if err != nil {
		return Rule{}, err
	}
	return Rule{glob, to}, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// Report lists what was written.
type Report struct {
	Files   []string `json:"files"`
	Tensors []Tensor `json:"tensors"`
	// Dropped are the settings and other names that had no place.
	Dropped []string `json:"dropped,omitempty"`
	// Lacks are settings that programs for the format ask for and nothing gave.
	Lacks []string `json:"lacks,omitempty"`
	// Stale are files next to the output that are named like parts of it but are
	// not: leftovers of an earlier run.
	Stale []string `json:"stale,omitempty"`
}

// Tensor is a row of a report.
type Tensor struct {
	Name      string            `json:"name"`
	From      transform.Storage `json:"from"`
	To        transform.Storage `json:"to"`
	Transform transform.Kind    `json:"transform"`
	Exact     bool              `json:"exact"`
	Overflow  int64             `json:"overflow,omitempty"`
	Bytes     int64             `json:"bytes"`
}

// target is a format that can be written.
type target struct {
	format string
	suffix string // of the names of its files; "" where they have no common one
	write  func(j *job, out string) ([]string, error)
	keeps  func(s tensor.Spec) bool // tensors that no rule changes, beside integers
}

func none(tensor.Spec) bool { return false }

var targets = []target{
	{gguf.Format, ".gguf", writeGGUF, none},
	{safetensors.Format, ".safetensors", writeSafetensors, none},
	{irpa.Format, ".irpa", writeArchive, none},
	{ctranslate2.Format, "", writeCTranslate2, ct2Keeps},
}

// Formats lists the formats that can be written.
func Formats() []string {
	var names []string
	for _, t := range targets {
		names = append(names, t.format)
	}
	return names
}

// FormatFor returns the format that the name of an output asks for.
func FormatFor(path string) (string, error) {
	name := strings.TrimSuffix(filepath.Base(path), ".index.json")
	for _, t := range targets {
		if t.suffix != "" && strings.HasSuffix(name, t.suffix) {
			return t.format, nil
		}
	}
	return "", errs.New(CodeFormat, "the file name has no extension of a format that can be written").In(path).
		Hint("end it in .gguf, .safetensors or .irpa, or name the format: %s", strings.Join(Formats(), ", "))
}

func find(format string) (target, error) {
	i := slices.IndexFunc(targets, func(t target) bool { return t.format == format })
	if i < 0 {
		return target{}, errs.New(CodeFormat, "no format that can be written is named %q", format).
			Hint("use one of %s", strings.Join(Formats(), ", "))
	}
	return targets[i], nil
}
