// Package figures is what a benchmark measured, as data: the machine, and for each case, engine
// and number of threads the time of each round. Benchmarks write it as JSON, which programs that
// draw and compare figures read.
//
// All figures are times: less is faster.
//
// # Errors
//
// FIGURES_JSON for a text that is not such JSON, or that ends early; FIGURES_SCHEMA for another
// version of it; FIGURES_VALUE for a name, a time or a number of threads that no benchmark gives.
// FILE_OPEN and FILE_WRITE are the system's.
//
// # Determinism
//
// The bytes depend on the figures only.
//
// # Untrusted input
//
// A file has at most 64 MiB, 4 million values, and a nesting of 8. Members that are unknown or
// given twice are errors.
package figures

import (
	"fmt"
	"slices"

	"github.com/skainet-dev/skainet-go/errs"
)

// Codes of this package.
const (
	CodeJSON   errs.Code = "FIGURES_JSON"   // smallest input: an empty file
	CodeSchema errs.Code = "FIGURES_SCHEMA" // smallest input: {"schema": 2}
	CodeValue  errs.Code = "FIGURES_VALUE"  // smallest input: {"schema": 1, "machine": {"cores": -1}}
)

// Schema is the version of the JSON.
const Schema = 1

// Figures is what one run of a benchmark, or of several, measured.
type Figures struct {
	Schema  int      `json:"schema"`
	Machine Machine  `json:"machine"`
	Notes   []string `json:"notes,omitempty"` // what was left out, and why
	Rows    []Row    `json:"rows"`
}

// Machine is the host of a benchmark.
type Machine struct {
	Processor string `json:"processor"` // its model's name
	OS        string `json:"os"`        // in the notation of runtime.GOOS
	Arch      string `json:"arch"`      // as in the compiler's triples
	Cores     int    `json:"cores"`
	// Instructions are those that the processor is known to have, by the compiler's names, sorted.
	Instructions []string `json:"instructions"`
	// Targets are the rows of the table of targets that it can run, the fastest first.
	Targets []string `json:"targets"`
	Before  string   `json:"load_before"` // load averages of 1, 5 and 15 minutes
	After   string   `json:"load_after"`
}

// Row is one engine in one case on a number of threads.
type Row struct {
	Benchmark string  `json:"benchmark"`
	Case      string  `json:"case"`
	Engine    string  `json:"engine"`
	Version   string  `json:"version"`
	Peer      bool    `json:"peer"`             // not ours
	Target    string  `json:"target,omitempty"` // of the table of targets, of a compiled program
	Threads   int     `json:"threads"`
	Unit      string  `json:"unit"`               // of all times: Wall or CPU
	Rounds    []Round `json:"rounds"`             // in the order in which they were measured
	Load      float64 `json:"load,omitempty"`     // time to load, in the unit; 0 where that is not measured
	Peak      float64 `json:"peak_mib,omitempty"` // greatest memory of the process; 0 where that is not known
	// Error is the greatest difference of the results from those computed in f64 by an implementation that is
	// not ours, relative to the greatest magnitude of those; 0 where that is not known.
	Error float64 `json:"error,omitempty"`
}

// Round is one turn of an engine: the least and the median time of its calls, which are the same
// where a turn is one call.
type Round struct {
	Least  float64 `json:"least"`
	Median float64 `json:"median"`
}

// Units of times.
const (
	Wall = "s"     // elapsed seconds
	CPU  = "CPU s" // seconds of user and system time, of all threads
)

// Key is what tells the rows of a file apart.
type Key struct {
	Benchmark, Case, Engine string
	Threads                 int
}

// String returns "benchmark: case: engine on 1 thread".
func (k Key) String() string {
	s := "s"
	if k.Threads == 1 {
		s = ""
	}
	return fmt.Sprintf("%s: %s: %s on %d thread%s", k.Benchmark, k.Case, k.Engine, k.Threads, s)
}

// Key returns the row's.
func (r Row) Key() Key { return Key{r.Benchmark, r.Case, r.Engine, r.Threads} }

// Least returns the least time of all rounds, in the row's unit.
func (r Row) Least() float64 {
	least := r.Rounds[0].Least
	for _, x := range r.Rounds {
		least = min(least, x.Least)
	}
	return least
}

// Medians returns the median of each round, in the order in which they were measured.
func (r Row) Medians() []float64 {
	list := make([]float64, len(r.Rounds))
	for i, x := range r.Rounds {
		list[i] = x.Median
	}
	return list
}

// Median returns the median of the rounds' medians.
func (r Row) Median() float64 {
	s := r.Medians()
	slices.Sort(s)
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// Once makes rounds of turns that are one call each.
func Once(times []float64) []Round {
	list := make([]Round, len(times))
	for i, t := range times {
		list[i] = Round{t, t}
	}
	return list
}

// Join returns the figures of several runs as those of one, in their order: the machine is that
// of the first, with the load averages after the last. At least one is needed.
func Join(all ...Figures) Figures {
	joined := all[0]
	joined.Rows, joined.Notes = slices.Clone(joined.Rows), slices.Clone(joined.Notes)
	for _, f := range all[1:] {
		joined.Rows = append(joined.Rows, f.Rows...)
		joined.Notes = append(joined.Notes, f.Notes...)
		joined.Machine.After = f.Machine.After
	}
	return joined
}
