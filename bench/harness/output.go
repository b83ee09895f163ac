package harness

import (
	"runtime"

	"github.com/spf13/pflag"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/compile/iree/target"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Output is the figures of a benchmark, which it writes to a file that --json names. Without the
// flag nothing is written.
type Output struct {
	path    string
	figures figures.Figures
}

// Flag declares --json.
func (o *Output) Flag(f *pflag.FlagSet) {
	f.StringVar(&o.path, "json", "", "`file` for the figures of each round, with the machine")
}

// Begin describes the machine before anything is measured, and returns an error if the file could
// not be written.
func (o *Output) Begin() error {
	o.figures = figures.Figures{Schema: figures.Schema, Machine: Here(), Rows: []figures.Row{}}
	if o.path == "" {
		return nil
	}
	o.path = command.Path(o.path)
	return atomicfile.Check(o.path)
}

// Add adds a row.
func (o *Output) Add(row figures.Row) { o.figures.Rows = append(o.figures.Rows, row) }

// End writes the file, with notes on what was left out.
func (o *Output) End(notes ...string) error {
	if o.path == "" {
		return nil
	}
	o.figures.Notes = append(o.figures.Notes, notes...)
	o.figures.Machine.After = LoadAverage()
	return o.figures.Write(o.path)
}

// Here describes this machine as it is now.
func Here() figures.Machine {
	p := processor.Here()
	m := figures.Machine{
		Processor: processorName(), OS: p.OS, Arch: p.Arch, Cores: runtime.NumCPU(), Instructions: p.Has(),
		Targets: []string{}, Before: LoadAverage(), After: LoadAverage(),
	}
	for _, r := range p.Rows() {
		m.Targets = append(m.Targets, r.Name)
	}
	return m
}

// Target returns the row of the table of targets that a contestant was compiled for, by its name:
// our programs have that of a row or one of the short names; others have none.
func Target(name string) string {
	if row, ok := rows[name]; ok {
		return row
	}
	if _, err := target.Find(name); err == nil {
		return name
	}
	return ""
}
