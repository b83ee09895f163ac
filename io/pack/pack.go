// Package pack makes parameter archives: that of a program from a weight file
// and the constants of its model, or that of a whole weight file; and it checks
// an archive against a program.
//
// # What a contract asks for
//
// A parameter's type and encoding in the contract are what the program reads:
// if the weight file stores the same, its bytes are copied; otherwise they are
// converted while they are copied, if io/transform can. A contract that says f16 for a tensor that
// is f32 in the file therefore rounds it, and one that says f32 for a
// tensor in Q4_K unpacks it. Nothing is lost silently: the
// Report lists each parameter with what was done to it and whether that is
// exact, and a value that becomes infinite is an error unless it is allowed. Two
// parameters may come from one tensor: its rows as 8-bit integers, and their
// scales (contract.FromRows, FromScales). A
// constant must match the contract exactly.
//
// Every entry carries its type, shape and encoding as metadata, which IREE does
// not read and inspect does.
//
// # Errors
//
// PACK_MISSING_KEY, PACK_TYPE_MISMATCH (another shape, or no way from the stored
// type), PACK_BAD_ROW (a row is not a whole number of the requested blocks),
// PACK_OVERFLOW (finite values became infinite), PACK_LENGTH, PACK_EXTRA_KEY (a
// constant or a part of an adapter that the program does not ask for), PACK_NO_WEIGHTS; of the check
// CONTRACT_MISSING_KEY, CONTRACT_LENGTH, CONTRACT_TYPE, CONTRACT_EXTRA_KEY,
// CONTRACT_DUPLICATE_KEY; of both CONTRACT_NO_SCOPE. Each names the key, after the scope
// where that is not "model".
//
// # Determinism
//
// An archive has the parameters of one scope in the order of the contract, or
// all tensors in the order of the file; its bytes depend on the contract and the
// values only, not on the number of workers.
package pack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/transform"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/quant"
)

// Codes of Pack.
const (
	CodeMissing   errs.Code = "PACK_MISSING_KEY" // smallest input: weights without a parameter of the contract
	CodeType                = transform.CodeType
	CodeLength              = transform.CodeLength
	CodeExtra     errs.Code = "PACK_EXTRA_KEY"    // smallest input: an archive of constants, or an adapter, with a key that the contract does not have
	CodeNoWeights errs.Code = "PACK_NO_WEIGHTS"   // smallest input: one parameter from weights, and no file
	CodeNoScope   errs.Code = "CONTRACT_NO_SCOPE" // smallest input: --scope q for a contract that has only "model"
)

// Options configures packing; the zero value is a good default.
type Options struct {
	// Constants are the values that the model's code defines.
	Constants map[string]tensor.Value
	// Workers is how many chunks are converted in parallel; less than 1 means
	// one per core.
	Workers int
	// AllowOverflow lets finite values become infinite; they are counted.
	AllowOverflow bool
	// MaxShardSize splits the archive into several of at most so many bytes,
	// named by irpa.ShardPath; 0 makes one archive, at the path as it is.
	MaxShardSize int64
	// Shards splits it into so many that the largest is as small as the order
	// of the parameters allows; MaxShardSize is then the most that it may have. 0
	// leaves the number to MaxShardSize.
	Shards int
	// NoSync does not wait for the archive to reach the disk: see
	// atomicfile.File.
	NoSync bool
	// Zeros makes zeros of the parameters that the weights lack: without weights, an
	// adapter that changes nothing.
	Zeros bool
	// Progress is called when each parameter is started, and at the end with
	// an empty name: bytes written and bytes in all.
	Progress func(done, total int64, name string)
}

// Program writes the parameters of one scope to an archive that is either whole
// or absent. w may be nil when no parameter comes from weights. Memory is
// bounded: data is streamed. A program without any parameter gets an archive
// without entries.
func Program(out string, c *contract.Contract, scope string, w *weights.File, o Options) (*Report, error) {
	j := &job{o: o}
	if err := j.plan(c, scope, w); err != nil {
		return nil, err
	}
	return j.write(out)
}

// Pack is Program without options or report.
func Pack(out string, c *contract.Contract, scope string, w *weights.File, constants map[string]tensor.Value) error {
	_, err := Program(out, c, scope, w, Options{Constants: constants})
	return err
}

// plan checks everything before the first byte is written.
func (j *job) plan(c *contract.Contract, scope string, w *weights.File) error {
	params, err := inScope(c, scope)
	if err != nil {
		return err
	}
	if err := noExtra(c, j.o.Constants); err != nil {
		return err
	}
	if err := whole(c, params, w); err != nil {
		return err
	}
	for _, p := range params {
		if err := consistent(p); err != nil {
			return err
		}
		if j.o.Zeros && lacks(p, w) {
			if err := j.zeros(p); err != nil {
				return err
			}
			continue
		}
		switch p.Source {
		case contract.FromWeights:
			err = j.fromWeights(p, w)
		case contract.FromRows:
			err = j.fromRows(p, w, p.Key, transform.RowValues)
		case contract.FromScales:
			err = j.fromRows(p, w, strings.TrimSuffix(p.Key, contract.ScalesSuffix), transform.RowScales)
		case contract.FromConstant:
			err = j.fromConstant(p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inScope returns the parameters of a scope in the order of the contract.
func inScope(c *contract.Contract, scope string) ([]contract.Parameter, error) {
	var in []contract.Parameter
	scopes := []string{}
	for _, p := range c.Parameters {
		if p.Scope == scope {
			in = append(in, p)
		}
		if !slices.Contains(scopes, p.Scope) {
			scopes = append(scopes, p.Scope)
		}
	}
	if len(in) == 0 && len(scopes) > 0 {
		return nil, errs.New(CodeNoScope, "program %s has no parameters in scope %q", c.Name, scope).
			Hint("it has scopes %q", scopes)
	}
	return in, nil
}

// consistent checks that the stored length of a dense parameter follows from
// its type.
func consistent(p contract.Parameter) error {
	t := tensor.Type{DType: p.DType, Shape: p.Shape}
	if !p.Encoding.IsDense() {
		return nil
	}
	n, err := t.Bytes()
	if err != nil {
		return errs.Wrap(CodeType, err, "the contract's type has no size").On(p.Path())
	}
	if n != p.Bytes {
		return errs.New(CodeLength, "the contract stores %d bytes for %s, which takes %d", p.Bytes, t, n).On(p.Path())
	}
	return nil
}

const exportAgain = "make the model again, for these weights: in Go, lang.Capture with their index; skainet export --weights FILE, or --index FILE of skainet inspect --index"

// fit says what to do about a weight that is not what the program reads. What a scope of
// its own holds is decided by the model and not by the file.
func fit(p contract.Parameter) string {
	if p.Scope == contract.DefaultScope {
		return exportAgain
	}
	return fmt.Sprintf("sizes in scope %q, such as an adapter's rank, are those that the model's constructor gives: "+
		"give a file with these, or change the constructor and build the program again", p.Scope)
}

func of(p contract.Parameter) string {
	if p.Scope == contract.DefaultScope {
		return "this model"
	}
	return "scope " + p.Scope
}

// orZeros adds to advice that zeros may take the place of what a scope of its own lacks.
func orZeros(p contract.Parameter, advice string) string {
	if p.Scope == contract.DefaultScope {
		return advice
	}
	return advice + "; --zeros takes zeros for what is missing, with which an adapter changes nothing"
}

// find looks up the tensor called key, from which a parameter is made.
func find(p contract.Parameter, w *weights.File, key string) (tensor.Spec, error) {
	if w == nil {
		return tensor.Spec{}, errs.New(CodeNoWeights, "the parameter comes from a weight file, but none was given").On(p.Path()).
			Hint("%s", orZeros(p, "give one with --weights, in Go with Weights of the options"))
	}
	x, err := w.Index()
	if err != nil {
		return tensor.Spec{}, err
	}
	spec, err := x.Lookup(key)
	if err != nil {
		return tensor.Spec{}, errs.New(CodeMissing, "the weight file has no tensor of this name (%d others)", len(x.Tensors)).
			In(w.Path()).On(contract.Parameter{Scope: p.Scope, Key: key}.Path()).
			Hint("%s", orZeros(p, "give the weights of "+of(p)+" with --weights; list a file's tensors with: skainet inspect FILE"))
	}
	return spec, nil
}

func (j *job) fromWeights(p contract.Parameter, w *weights.File) error {
	spec, err := find(p, w, p.Key)
	if err != nil {
		return err
	}
	if !spec.Shape.Equal(p.Shape) {
		return errs.New(CodeType, "the weight file has %s (%s), the program wants %s (%s)",
			spec.Type(), spec.Encoding, tensor.Type{DType: p.DType, Shape: p.Shape}, p.Encoding).In(w.Path()).On(p.Path()).
			Hint("%s", fit(p))
	}
	spec.Name = p.Key // an alias is packed under the name that the program knows
	t, err := transform.New(spec, transform.Storage{DType: p.DType, Encoding: p.Encoding}, j.transform(w))
	if err != nil {
		var e *errs.Error
		if errors.As(err, &e) && e.Code == CodeType {
			_ = e.Hint("%s", fit(p)) // the request comes from the contract, not from the command line
		}
		return err
	}
	if t.To.Bytes != p.Bytes {
		return errs.New(CodeLength, "%s (%s) takes %d bytes, the program wants %d", t.To.Type(), t.To.Encoding, t.To.Bytes, p.Bytes).
			In(w.Path()).On(p.Path())
	}
	return j.tensor(t, contract.FromWeights, w, p.Key)
}

func (j *job) fromConstant(p contract.Parameter) error {
	v, ok := j.o.Constants[p.Key]
	if !ok {
		return errs.New(CodeMissing, "no constant of this name (%d others)", len(j.o.Constants)).On(p.Path()).
			Hint("give the constants file that was exported with the contract: --constants")
	}
	if want := (tensor.Type{DType: p.DType, Shape: p.Shape}); !v.Type.Equal(want) || !p.Encoding.IsDense() {
		return errs.New(CodeType, "the constant is %s, the program wants %s (%s)", v.Type, want, p.Encoding).On(p.Path())
	}
	if int64(len(v.Bytes)) != p.Bytes {
		return errs.New(CodeLength, "the constant has %d bytes, the program wants %d", len(v.Bytes), p.Bytes).On(p.Path())
	}
	s := tensor.Spec{Name: p.Key, DType: p.DType, Shape: p.Shape, Encoding: quant.Dense, Bytes: p.Bytes}
	return j.add(s, Parameter{Source: contract.FromConstant, From: transform.StorageOf(s), Transform: transform.Copy, Exact: true},
		func() (io.Reader, error) { return bytes.NewReader(v.Bytes), nil })
}

// fromRows packs the rows of a weight as 8-bit integers, or their scales. A file
// that has them so is copied, such as an archive of the same program.
func (j *job) fromRows(p contract.Parameter, w *weights.File, key string, part transform.Part) error {
	if have, err := find(p, w, p.Key); err == nil && have.DType == p.DType {
		return j.fromWeights(p, w)
	}
	spec, err := find(p, w, key)
	if err != nil {
		return err
	}
	t, err := transform.Rows(spec, part, j.transform(w))
	if err != nil {
		return err
	}
	if want := (tensor.Type{DType: p.DType, Shape: p.Shape}); !t.To.Type().Equal(want) {
		return errs.New(CodeType, "the weight file has %s (%s), the program wants %s of its rows", spec.Type(), spec.Encoding, want).In(w.Path()).On(p.Path()).
			Hint("%s", fit(p))
	}
	t.To.Name = p.Key
	return j.tensor(t, p.Source, w, key)
}
