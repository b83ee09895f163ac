package call

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/argtext"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
)

// Results holds the flags that select the entry point and where its results
// go.
type Results struct {
	Entry   string   // may be "" if there is only one
	Outputs []string // a folder, or name=file.npy for one result, each
	JSON    bool     // print all elements
	Text    string   // file for the printed text

	table bool // print a line for each result, also for one that a file has
}

// Pick returns the entry point; the only one needs no name.
func (r *Results) Pick(c *contract.Contract) (*contract.Entry, error) {
	if r.Entry == "" && len(c.Entries) == 1 {
		return &c.Entries[0], nil
	}
	if r.Entry == "" && len(c.Entries) > 1 {
		var names []string
		for _, e := range c.Entries {
			names = append(names, e.Name)
		}
		return nil, errs.New(contract.CodeNoEntry, "program %s has %d entry points, and none of them is chosen", c.Name, len(names)).
			Hint("name one: --entry %s", strings.Join(names, ", or --entry "))
	}
	return c.Entry(r.Entry)
}

// Files returns the file of each result, "" for one that is printed. A named
// file takes precedence over a folder.
func (r *Results) Files(e *contract.Entry) ([]string, error) {
	files := make([]string, len(e.Results))
	folder := ""
	for _, o := range r.Outputs {
		name, path, one := strings.Cut(o, "=")
		if !one {
			if o == "" || folder != "" {
				return nil, errs.New(command.CodeUsage, "--results given twice, or %q is not a directory", o).Hint("give one directory, or name=file.npy")
			}
			if st, err := os.Stat(o); err == nil && !st.IsDir() {
				return nil, errs.New(command.CodeUsage, "--results %q is not a directory", o).Hint("give a directory, or name=file.npy")
			}
			folder = o
			continue
		}
		i := slices.IndexFunc(e.Results, func(r contract.Named) bool { return r.Name == name })
		switch {
		case i < 0:
			return nil, errs.New(command.CodeUsage, "--results %q: %s has no such result", o, e.Name).Hint("its results are %s", resultNames(e))
		case path == "":
			return nil, errs.New(command.CodeUsage, "--results %q has no file name", o).Hint("omit it to print the result")
		case files[i] != "":
			return nil, errs.New(command.CodeUsage, "--results %q: this result already has a file", o).Hint("give one, and copy it")
		}
		files[i] = path
	}
	for i, r := range e.Results {
		if files[i] == "" && folder != "" {
			files[i] = filepath.Join(folder, r.Name+".npy")
		}
		if files[i] != "" && r.DType.NumPy() == "" {
			return nil, errs.New(npy.CodeDType, "result %q is %s, which .npy files do not support", r.Name, r.Type()).On(e.Name).
				Hint("print it with --json")
		}
	}
	return files, nil
}

// Show writes results to their files, and prints those that have none.
func (r *Results) Show(cmd *cobra.Command, e *contract.Entry, results []tensor.Value, files []string) error {
	for _, o := range r.Outputs {
		if strings.Contains(o, "=") {
			continue
		}
		if err := os.MkdirAll(o, 0o777); err != nil {
			return errs.Wrap(atomicfile.CodeWrite, err, "cannot create the folder").In(o)
		}
	}
	var names []contract.Named
	var values []tensor.Value
	var arrays []atomicfile.File // all or none
	for i, v := range results {
		if files[i] == "" {
			names, values = append(names, e.Results[i]), append(values, v)
			continue
		}
		arrays = append(arrays, atomicfile.File{Path: files[i], Write: func(w io.Writer) error { return errs.WithFile(npy.Write(w, v), files[i]) }})
	}
	if err := atomicfile.WriteAll(arrays...); err != nil {
		return err
	}
	if r.JSON {
		doc, err := argtext.JSON(e.Name, names, values)
		if err != nil {
			return err
		}
		return command.Emit(cmd, r.Text, doc)
	}
	if r.table {
		table, err := argtext.Table(e.Results, results, files)
		if err != nil {
			return err
		}
		return command.Emit(cmd, r.Text, table)
	}
	text, err := argtext.Text(names, values)
	if err != nil {
		return err
	}
	return command.Emit(cmd, r.Text, []byte(text))
}

// resultNames returns the names of an entry point's results, for messages.
func resultNames(e *contract.Entry) string {
	var names []string
	for _, r := range e.Results {
		names = append(names, r.Name)
	}
	return strings.Join(names, ", ")
}
