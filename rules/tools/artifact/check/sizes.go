package check

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/jsonlimit"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Sizes holds the size in bytes of the parts of a model.
type Sizes struct {
	Text        int64  `json:"text"`       // the StableHLO that the program was compiled from
	Operations  int64  `json:"operations"` // in the text: the compiler's work; 0 for a form that is not counted
	Program     int64  `json:"program"`    // .vmfb
	Module      int64  `json:"module"`     // of it: the bytecode that calls the executables
	Executables []Item `json:"executables"`
	Archives    []Item `json:"archives"`
	Deployed    int64  `json:"deployed"` // program and archives
}

// Item is a named part.
type Item struct {
	Name  string `json:"name"` // an archive's scope, or the executable
	Bytes int64  `json:"bytes"`
}

// Measure returns the sizes of the files of a model.
func Measure(text, program string, archives []Archive) (*Sizes, error) {
	s := &Sizes{Executables: []Item{}, Archives: []Item{}}
	var err error
	if s.Text, err = size(text); err != nil {
		return nil, err
	}
	if s.Operations, err = operations(text); err != nil {
		return nil, err
	}
	if s.Program, err = size(program); err != nil {
		return nil, err
	}
	parts, err := iree.Parts(program)
	if err != nil {
		return nil, err
	}
	s.Module, s.Deployed = parts[0].Bytes, s.Program
	for _, p := range parts[1:] {
		s.Executables = append(s.Executables, Item{p.Name, p.Bytes})
	}
	for _, a := range archives {
		n, err := size(a.Path)
		if err != nil {
			return nil, err
		}
		s.Archives = append(s.Archives, Item{a.Scope, n})
		s.Deployed += n
	}
	return s, nil
}

// operations counts those of a text. A text in a form that package verify does not read, such
// as MLIR's bytecode, has none.
func operations(path string) (int64, error) {
	text, err := regular.Read(path, verify.MaxText)
	if err != nil {
		return 0, errs.Wrap(CodeRead, err, "cannot read the text").In(path)
	}
	n, err := verify.Operations(path, text)
	if err != nil {
		return 0, nil //nolint:nilerr // the compiler has taken the text
	}
	return n, nil
}

func size(path string) (int64, error) {
	if err := regular.Check(path); err != nil {
		return 0, errs.Wrap(CodeRead, err, "not an existing regular file").In(path)
	}
	st, err := os.Stat(path)
	if err != nil {
		return 0, errs.Wrap(CodeRead, err, "the file does not exist").In(path)
	}
	return st.Size(), nil
}

// Marshal returns stable JSON with one trailing newline.
func (s *Sizes) Marshal() []byte {
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		panic(err) // only numbers and strings
	}
	return append(b, '\n')
}

// Bounds of a size report; Marshal's are 3 deep, and have four values for each
// executable, of which a program has a few thousand at most.
const maxNesting, maxValues = 8, 1 << 20

// ReadSizes reads what Marshal writes.
func ReadSizes(path string) (*Sizes, error) {
	data, err := regular.Read(path, regular.MaxDocument)
	if err != nil {
		return nil, errs.Wrap(CodeRead, err, "cannot read the sizes").In(path)
	}
	if at := jsonlimit.Exceeds(data, maxNesting, maxValues); at >= 0 {
		return nil, errs.New(CodeRead, "more than %d values, or nested more than %d deep", maxValues, maxNesting).At(int64(at)).In(path).Hint(sizesHint)
	}
	var s Sizes
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, errs.Wrap(CodeRead, err, "not a size report").In(path).Hint(sizesHint)
	}
	if err := s.check(); err != nil {
		return nil, err.In(path).Hint(sizesHint)
	}
	return &s, nil
}

const sizesHint = "give the output group sizes of an iree_vmfb"

// check rejects what Measure does not return: a missing part would be
// under every limit.
func (s *Sizes) check() *errs.Error {
	switch {
	case s.Executables == nil || s.Archives == nil:
		return errs.New(CodeRead, "executables or archives is missing; both must be lists, possibly empty")
	case s.Text < 1 || s.Program < 1 || s.Module < 1:
		return errs.New(CodeRead, "text, program and module are %d, %d and %d bytes; each must be at least 1", s.Text, s.Program, s.Module)
	}
	for _, i := range slices.Concat(s.Executables, s.Archives) {
		if i.Bytes < 0 {
			return errs.New(CodeRead, "invalid size: %d bytes", i.Bytes).On(i.Name)
		}
	}
	sum := s.Program
	for _, a := range s.Archives {
		if a.Bytes > math.MaxInt64-sum {
			return errs.New(CodeRead, "the archives take more than %d bytes together", int64(math.MaxInt64)).On(a.Name)
		}
		sum += a.Bytes
	}
	if s.Deployed != sum {
		return errs.New(CodeRead, "program and archives take %d bytes, not the %d of deployed", sum, s.Deployed)
	}
	return nil
}

// Limited lists what may be limited.
var Limited = []string{"archives", "deployed", "executable", "module", "operations", "program", "text"}

// of returns the size that a limit applies to; "executable" is the largest one.
func (s *Sizes) of(what string) int64 {
	n := int64(0)
	switch what {
	case "text":
		return s.Text
	case "operations":
		return s.Operations
	case "program":
		return s.Program
	case "module":
		return s.Module
	case "deployed":
		return s.Deployed
	case "archives":
		for _, a := range s.Archives {
			n += a.Bytes
		}
	case "executable":
		for _, e := range s.Executables {
			n = max(n, e.Bytes)
		}
	}
	return n
}

// unit is what the numbers of a limit count.
func unit(what string) string {
	if what == "operations" {
		return what
	}
	return "bytes"
}

// CheckLimits compares sizes with limits of the form WHAT=NUMBER. It returns a line
// for each, and one error for all that are exceeded. Without limits it returns all
// sizes and an error, since a test without limits would always pass.
func (s *Sizes) CheckLimits(limits []string) (lines []string, err error) {
	if len(limits) == 0 {
		for _, what := range Limited {
			lines = append(lines, what+": "+strconv.FormatInt(s.of(what), 10)+" "+unit(what)+", without a limit")
		}
		return lines, errs.New(CodeLimits, "no limit is given").
			Hint("give the model size_limits = {\"program\": %d}, or a little more, and likewise of %s", s.Program, strings.Join(Limited, ", "))
	}
	var over []string
	for _, l := range limits {
		what, text, _ := strings.Cut(l, "=")
		limit, err := strconv.ParseInt(text, 10, 64)
		if !slices.Contains(Limited, what) || err != nil || limit < 0 {
			return nil, errs.New(CodeLimits, "%q is not a valid limit", l).
				Hint("write one of %s, and the number of bytes, as in program=20000", strings.Join(Limited, ", "))
		}
		line := what + ": " + strconv.FormatInt(s.of(what), 10) + " of " + strconv.FormatInt(limit, 10) + " " + unit(what)
		if what == "operations" && s.Operations == 0 {
			return nil, errs.New(CodeLimits, "the operations of this text cannot be counted").Hint("limit its bytes: text=%d", s.Text)
		}
		lines = append(lines, line)
		if s.of(what) > limit {
			over = append(over, line)
		}
	}
	if len(over) > 0 {
		return lines, errs.New(CodeLimit, "%s", strings.Join(over, ", ")).
			Hint("see the output group sizes for what has grown, or raise size_limits")
	}
	return lines, nil
}
