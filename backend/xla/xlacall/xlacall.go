// Package xlacall lets commands call files of XLA's programs, as they call programs of IREE
// and model files (package call).
//
// # Errors
//
// Those of package xla, and of xla/child; XLA_PROGRAM for a file that is none.
//
// # Determinism
//
// As package xla.
package xlacall

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/cache"
	"github.com/skainet-dev/skainet-go/backend/call"
	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
)

// Program returns the file of programs at path, nil for a file of another kind.
func Program(path string) (call.Program, error) {
	if !xla.IsFile(path) {
		return nil, nil
	}
	c, err := xla.ReadContract(path)
	if err != nil {
		return nil, err
	}
	return &program{path, c}, nil
}

type program struct {
	path     string
	contract *contract.Contract
}

// Contract implements call.Program.
func (p *program) Contract() *contract.Contract { return p.contract }

// Open implements call.Program. What a portable file is compiled to is kept in the user's
// cache, if there is one.
func (p *program) Open(ctx context.Context, archives map[string][]string, m call.Machine) (backend.Executable, error) {
	buckets, err := xla.ParseBuckets(m.Buckets...)
	if err != nil {
		return nil, err
	}
	o := xla.Options{Program: p.path, Buckets: buckets, Archives: archives, Plugin: m.Plugin, Threads: m.Threads, Device: m.Device, Weights: m.WeightForm, Sizes: m.Sizes}
	if m.Device == "cpu" { // the default; the file or the plugin says what it is for
		o.Device = ""
	}
	if c, err := cache.Open(""); err == nil { // a process without a home keeps nothing
		o.Cache = c
	}
	return child.On(ctx, o)
}

// Files is call.Files of programs alone, for the program that build rules run: it depends on
// no format of models.
type Files struct{}

// Flags implements call.Files: there are none.
func (Files) Flags(*cobra.Command) {}

// Program implements call.Files.
func (Files) Program(path string) (call.Program, error) { return Program(path) }

// Check implements call.Files: no file is a model.
func (Files) Check(path string) error {
	return errs.New(pjrt.CodeProgram, "not a file of XLA's programs").In(path).Hint("make one with xla_executable, or with: skainet compile --target=xla_cpu")
}

// Runtime implements call.Files: rules name what runs a program.
func (Files) Runtime(*cobra.Command, *call.Machine) error { return nil }

// Beside implements call.Files: rules name all files.
func (Files) Beside(string, string) (document, archive string) { return "", "" }

// Import implements call.Files.
func (f Files) Import(_ *cobra.Command, path string, _ []string, _ call.Machine) (call.Model, error) {
	return nil, f.Check(path)
}
