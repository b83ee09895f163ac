package call

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Files opens model files, for commands that call those as well as compiled programs. The
// program that build rules run has none: it depends on no format of models.
type Files interface {
	// Flags declares the flags that say how.
	Flags(cmd *cobra.Command)
	// Check returns an error if the file at path cannot be read, or is no model.
	Check(path string) error
	// Import reads a model for a call with these arguments, NAME=VALUE by the file's names.
	Import(cmd *cobra.Command, path string, texts []string, m Machine) (Model, error)
	// Runtime sets the library, or else the tool, that runs a program of IREE, where neither
	// is named; it may leave that to package iree.
	Runtime(cmd *cobra.Command, m *Machine) error
	// Program opens a compiled program that has its contract in it; it returns nil for
	// another file.
	Program(path string) (Program, error)
	// Beside returns the files that lie next to a program where "skainet compile" made it: its
	// contract, and the archive of a scope. They are "" where rules name all files.
	Beside(program, scope string) (document, archive string)
}

// Program is a compiled program with its contract.
type Program interface {
	Contract() *contract.Contract
	// Open loads it with the archives of each scope.
	Open(ctx context.Context, archives map[string][]string, m Machine) (backend.Executable, error)
}

// Machine says where a model file runs.
type Machine struct {
	Device        string
	Threads       int
	Library, Tool string
	Plugin        string
	WeightForm    string             // of xla.Options.Weights
	Sizes         []map[string]int64 // of xla.Options
	Buckets       []string           // as xla.ParseBuckets reads them
	MakesUp       bool               // Sizes are also those of made-up arguments, on any backend
}

// Model is an imported model file.
type Model interface {
	Contract() *contract.Contract
	// Backend is the name of the one that Open loads it on.
	Backend() string
	// Arguments returns those that were given, by the contract's names.
	Arguments() []string
	// Open loads it.
	Open(ctx context.Context) (backend.Executable, error)
}

// callee is what a command calls: its contract is known before it is loaded, which may
// take long.
type callee struct {
	contract *contract.Contract
	texts    []string // arguments
	model    bool     // whether it is a model file
	backend  string   // of a model file
	open     func(ctx context.Context) (backend.Executable, error)
}

// callee returns what the file at path is: a model, or a program with its contract.
func (f *runFlags) callee(cmd *cobra.Command, path string, texts []string) (*callee, error) {
	texts = append(texts[:len(texts):len(texts)], f.inputs...)
	if f.files != nil {
		if p, err := f.programIn(cmd, path, texts); p != nil || err != nil {
			return p, err
		}
	}
	if err := f.beside(path); err != nil {
		return nil, err
	}
	if f.contract == "" && f.files != nil {
		if err := f.modelAt(path); err != nil {
			return nil, err
		}
		if err := f.unused(cmd, path, texts, modelFile); err != nil {
			return nil, err
		}
		on, err := f.machine()
		if err != nil {
			return nil, err
		}
		on.MakesUp = f.makesUp && len(texts) == 0
		m, err := f.files.Import(cmd, path, texts, on)
		if err != nil {
			return nil, err
		}
		return &callee{m.Contract(), m.Arguments(), true, m.Backend(), m.Open}, nil
	}
	if f.contract == "" {
		return nil, uncontracted(path)
	}
	if err := f.unused(cmd, path, texts, programOfIREE); err != nil {
		return nil, err
	}
	c, err := contract.ReadFile(f.contract)
	if err != nil {
		return nil, err
	}
	open := func(context.Context) (backend.Executable, error) {
		o, err := f.options(path, c)
		if err != nil {
			return nil, err
		}
		// What is wrong with the files is said before a runtime is looked for, or fetched.
		if err := iree.Check(o); err != nil {
			return nil, err
		}
		if err := f.runtime(cmd); err != nil {
			return nil, err
		}
		o.Library, o.Tool = f.library, f.tool
		return iree.Open(o)
	}
	return &callee{c, texts, false, "", open}, nil
}

// runtime finds what runs a program of IREE, unless that is named or an emulator runs it.
func (f *runFlags) runtime(cmd *cobra.Command) error {
	if f.files == nil || len(f.toolPrefix) > 0 {
		return nil
	}
	m := Machine{Library: f.library, Tool: f.tool}
	err := f.files.Runtime(cmd, &m)
	f.library, f.tool = m.Library, m.Tool
	return err
}

// programIn returns a compiled program that has its contract in it, nil for another file.
func (f *runFlags) programIn(cmd *cobra.Command, path string, texts []string) (*callee, error) {
	p, err := f.files.Program(path)
	if p == nil || err != nil {
		return nil, err
	}
	if err := f.unused(cmd, path, texts, programOfXLA); err != nil {
		return nil, err
	}
	c := p.Contract()
	on, err := f.machine()
	if err != nil {
		return nil, err
	}
	open := func(ctx context.Context) (backend.Executable, error) { return p.Open(ctx, f.archivesOf(c), on) }
	return &callee{c, texts, false, "", open}, nil
}

func (f *runFlags) machine() (Machine, error) {
	sizes, err := sizesIn(f.sizes)
	return Machine{
		Device: f.device, Threads: f.threads, Library: f.library, Tool: f.tool,
		Plugin: f.plugin, WeightForm: f.weightForm, Sizes: sizes, Buckets: f.buckets,
	}, err
}

// sizesIn reads the values of --sizes.
func sizesIn(texts []string) ([]map[string]int64, error) {
	for _, text := range texts {
		for part := range strings.SplitSeq(text, ",") {
			name, number, _ := strings.Cut(part, "=")
			if n, err := strconv.ParseInt(number, 10, 64); err == nil && n < 1 {
				return nil, errUsage("--sizes %q: %s is %d", text, name, n).Hint("give a size of 1 or more")
			}
		}
	}
	return command.Sizes(texts)
}

// beside takes the contract that lies next to a program, where none is named, and the archives
// of scopes that have none.
func (f *runFlags) beside(path string) error {
	if f.contract != "" || f.files == nil || !isProgram(path) {
		return nil
	}
	document, _ := f.files.Beside(path, contract.DefaultScope)
	if !isFile(document) {
		return nil
	}
	c, err := contract.ReadFile(document)
	if err != nil {
		return err
	}
	f.contract = document
	for _, scope := range c.Scopes() {
		if _, archive := f.files.Beside(path, scope); isFile(archive) {
			f.defaults = append(f.defaults, scope+"="+archive)
		}
	}
	return nil
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

// modelAt returns an error if the file at path is no model.
func (f *runFlags) modelAt(path string) error {
	err := f.files.Check(path)
	if err == nil {
		return nil
	}
	if isProgram(path) {
		document, _ := f.files.Beside(path, contract.DefaultScope)
		return uncontracted(path).Hint("name the contract that was written with it; skainet compile writes %s, which is taken where it is there", document)
	}
	var e *errs.Error
	if errors.As(err, &e) && e.Code != regular.CodeOpen && e.Do != "" {
		e.Do += "; a compiled program needs --contract"
	}
	return err
}

func uncontracted(path string) *errs.Error {
	return errUsage("--contract is not given, and the program needs its contract").In(path)
}

// isProgram reports whether the file at path begins as IREE's programs do, which are zip
// archives.
func isProgram(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 4)
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == "PK\x03\x04"
}

// calls declares the flags that say what to call.
func (f *runFlags) calls(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.inputs, "input", nil, "an argument, `NAME=VALUE`, as one behind the file; may be repeated")
	if f.files == nil {
		command.Required(cmd, "contract")
		return
	}
	f.files.Flags(cmd)
}
