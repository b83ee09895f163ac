// Package verdict reports the faults of files, as text or as JSON.
//
// # Errors
//
// VERIFY_FAULTS for a file that has any.
//
// # Determinism
//
// The text depends on the faults alone.
package verdict

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/display"
)

// CodeFaults is for files with faults; smallest input: an empty .mlir file.
const CodeFaults errs.Code = "VERIFY_FAULTS"

// ProgramText is the format of a program's text.
const ProgramText = "StableHLO text"

// File holds the faults found in a file.
type File struct {
	Path, Format string
	Faults       []error
}

// Files finds the faults of each file. It returns the report, and the error of the first
// file with a fault.
func Files(paths []string, find func(path string) (File, error), show func(File) ([]byte, error)) (said []byte, faults, err error) {
	for _, path := range paths {
		found, err := find(path)
		if err != nil {
			return nil, nil, err
		}
		data, err := show(found)
		if err != nil {
			return nil, nil, err
		}
		said = append(said, data...)
		if faults == nil {
			faults = found.Err()
		}
	}
	return said, faults, nil
}

// Err returns nil for a file without faults, else an error with their number.
func (f File) Err() error {
	if len(f.Faults) == 0 {
		return nil
	}
	what := "fetch or generate it again"
	if f.Format == ProgramText {
		what = "correct it or generate it again"
	}
	return errs.New(CodeFaults, "%s", count(len(f.Faults))).In(f.Path).Hint("do not use the file; %s", what)
}

// Text returns a line for each fault and one with their number.
func (f File) Text() ([]byte, error) {
	var b bytes.Buffer
	for _, err := range f.Faults {
		fmt.Fprintln(&b, err)
	}
	fmt.Fprintf(&b, "%s: %s, %s\n", display.Printable(f.Path), f.Format, count(len(f.Faults)))
	return b.Bytes(), nil
}

// JSON returns the same as an object.
func (f File) JSON() ([]byte, error) {
	v := struct {
		File   string  `json:"file"`
		Format string  `json:"format"`
		Faults []fault `json:"faults"`
	}{f.Path, f.Format, []fault{}}
	for _, err := range f.Faults {
		v.Faults = append(v.Faults, describe(err, f.Path))
	}
	return display.JSON(v)
}

type fault struct {
	Code   errs.Code `json:"code"`
	File   string    `json:"file,omitempty"` // if another file is at fault
	Offset *int64    `json:"offset,omitempty"`
	Node   string    `json:"node,omitempty"`
	What   string    `json:"what"`
	Do     string    `json:"do,omitempty"`
}

func describe(err error, path string) fault {
	var e *errs.Error
	if !errors.As(err, &e) {
		return fault{What: err.Error()}
	}
	f := fault{Code: e.Code, Node: e.Node, What: e.What, Do: e.Do}
	if e.File != path {
		f.File = e.File
	}
	if e.HasOffset {
		f.Offset = &e.Offset
	}
	if e.Cause != nil {
		f.What += ": " + e.Cause.Error()
	}
	return f
}

// maxFaults is how many faults are listed.
const maxFaults = 1000

func count(faults int) string {
	switch {
	case faults == 0:
		return "no fault"
	case faults >= maxFaults:
		return fmt.Sprintf("%d faults or more", faults)
	}
	return display.Counted(faults, "fault")
}
