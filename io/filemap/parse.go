package filemap

import (
	"github.com/skainet-dev/skainet-go/errs"
)

// MaxFaults bounds the list that Check returns.
const MaxFaults = 1000

// Parse opens the file at path and calls parse with its bytes, under View: a
// file that is truncated meanwhile is an error. The result of parse must not hold
// the bytes. The file is closed if parse fails.
func Parse[T any](path string, parse func(b []byte) (T, error)) (*File, T, error) {
	var v, none T
	f, err := Open(path)
	if err != nil {
		return nil, none, err
	}
	if err := f.View(func(b []byte) (err error) { v, err = parse(b); return err }); err != nil {
		f.Close()
		return nil, none, errs.WithFile(err, path)
	}
	return f, v, nil
}

// Check opens the file at path and returns the faults that check adds to the
// list, up to MaxFaults, each with the name of the file. The error is that of a
// file that cannot be opened.
func Check(path string, check func(b []byte, faults *errs.Faults)) ([]error, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	faults := errs.Gather(MaxFaults)
	if err := f.View(func(b []byte) error { check(b, faults); return nil }); err != nil {
		faults.Add(err) // cut short meanwhile
	}
	for _, err := range faults.List() {
		errs.WithFile(err, path)
	}
	return faults.List(), nil
}
