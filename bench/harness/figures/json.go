package figures

import (
	"encoding/json"
	"errors"
	"io"
	"math"

	strict "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Limits of a file.
const (
	maxValues  = 4 << 20
	maxNesting = 8
)

const measureAgain = "measure again, or give a file that a benchmark wrote with --json"

// Marshal returns stable JSON with one trailing newline, or FIGURES_VALUE.
func (f Figures) Marshal() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return nil, errs.Wrap(CodeValue, err, "the figures cannot be written")
	}
	return append(data, '\n'), nil
}

// Write writes the figures to a file, whole or not at all.
func (f Figures) Write(path string) error {
	data, err := f.Marshal()
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(path, data)
}

// Read reads a file that Write wrote.
func Read(path string) (Figures, error) {
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return Figures{}, err
	}
	f, err := Parse(data)
	return f, errs.WithFile(err, path)
}

// Parse reads what Marshal wrote.
func Parse(data []byte) (Figures, error) {
	if at := jsonlimit.Exceeds(data, maxNesting, maxValues); at >= 0 {
		return Figures{}, errs.New(CodeJSON, "more than %d values, or nesting deeper than %d", maxValues, maxNesting).
			At(int64(at)).Hint(measureAgain)
	}
	// The version decides what else may be there.
	var version struct {
		Schema *int `json:"schema"`
	}
	if err := strict.Unmarshal(data, &version); err != nil {
		return Figures{}, bad(err)
	}
	if version.Schema == nil || *version.Schema != Schema {
		found := "none"
		if version.Schema != nil {
			found = jsontext.Int(int64(*version.Schema)).String()
		}
		return Figures{}, errs.New(CodeSchema, "the version of the figures is %s; this program reads %d", found, Schema).
			Hint("measure again with this version of the benchmark")
	}
	var f Figures
	if err := strict.Unmarshal(data, &f, strict.RejectUnknownMembers(true)); err != nil {
		return Figures{}, bad(err)
	}
	return f, f.check()
}

// bad is the error of a text that is not figures.
func bad(err error) error {
	e := errs.Wrap(CodeJSON, err, "these are no figures of a benchmark").Hint(measureAgain)
	var syntax *jsontext.SyntacticError
	var semantic *strict.SemanticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Hint("the file was cut short; copy it again, or %s", measureAgain)
	case errors.As(err, &syntax):
		e.At(syntax.ByteOffset)
	case errors.As(err, &semantic):
		e.At(semantic.ByteOffset)
	}
	return e
}

// check returns FIGURES_VALUE for what no benchmark gives.
func (f Figures) check() error {
	wrong := func(where, what string, args ...any) error {
		return errs.New(CodeValue, what, args...).On(where).Hint(measureAgain)
	}
	if f.Schema != Schema {
		return errs.New(CodeSchema, "the version of the figures is %d; this program writes %d", f.Schema, Schema)
	}
	if f.Machine.Cores < 1 || f.Machine.Processor == "" {
		return wrong("machine", "%d cores of %q", f.Machine.Cores, f.Machine.Processor)
	}
	seen := map[Key]bool{}
	for _, r := range f.Rows {
		where := r.Key().String()
		switch {
		case r.Benchmark == "" || r.Case == "" || r.Engine == "":
			return wrong(where, "a benchmark, a case or an engine has no name")
		case r.Threads < 1:
			return wrong(where, "%d threads", r.Threads)
		case r.Unit != Wall && r.Unit != CPU:
			return wrong(where, "the unit %q, want %q or %q", r.Unit, Wall, CPU)
		case len(r.Rounds) == 0:
			return wrong(where, "no round")
		case !(r.Load >= 0 && r.Peak >= 0) || math.IsInf(r.Load, 0) || math.IsInf(r.Peak, 0):
			return wrong(where, "loaded in %v %s, with %v MiB", r.Load, r.Unit, r.Peak)
		case !(r.Error >= 0) || math.IsInf(r.Error, 0):
			return wrong(where, "an error of %v", r.Error)
		case seen[r.Key()]:
			return wrong(where, "two rows for one engine")
		}
		seen[r.Key()] = true
		for i, x := range r.Rounds {
			if !(x.Least > 0 && x.Least <= x.Median) || math.IsInf(x.Median, 0) {
				return wrong(where, "round %d took %v at least and %v in the middle", i, x.Least, x.Median)
			}
		}
	}
	return nil
}
