// Package dispatch says where the time of a call goes: from the events that
// IREE's tools record, and from the text of a program's dispatches, it makes a row for
// each dispatch with its time, its arithmetic and its bytes.
//
// What a dispatch works on is read, never guessed. Its arithmetic is that of its largest
// product or convolution, which IREE names it after, or that of one of this repository's
// kernels, whose operands the text tells; other arithmetic does not count. Its bytes are
// those of its operands and results, each once. Where sizes depend on arguments, an
// operand is read in part, or a result lies in an operand's memory, they are not known.
//
// # Errors
//
// IREE_PROFILE for lines that are not iree-profile's, or calls that do not run the
// same dispatches.
//
// # Determinism
//
// Times are measured; all else depends on the input only.
//
// # Untrusted input
//
// A line of more than 1 MiB, of events or of a text, is an error; so are more than 10
// million events.
package dispatch

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/skainet-dev/skainet-go/errs"
)

// CodeProfile is the code of a profile that cannot be used; smallest input: no event.
const CodeProfile errs.Code = "IREE_PROFILE"

// Limits of the input.
const (
	maxLine   = 1 << 20
	maxEvents = 10_000_000
)

// Row is a dispatch of a call.
type Row struct {
	Name  string        `json:"name"`
	Count int           `json:"count"`       // how often a call runs it
	Time  time.Duration `json:"nanoseconds"` // of all of a call: at each place the least of the calls
	// FLOPs and Bytes are of all of a call; 0 if they are not known.
	FLOPs int64 `json:"flops,omitempty"`
	Bytes int64 `json:"bytes,omitempty"`
}

// event is a line of iree-profile dispatch --dispatch_events --format=jsonl.
type event struct {
	Type     string `json:"type"`
	Key      string `json:"key"`
	Duration int64  `json:"duration_ns"`
	Valid    bool   `json:"valid"`
}

// Rows reads the events of some calls of an entry point, and returns its dispatches, those
// that take the longest first. What they work on is taken from their names, and from a text if
// one is given.
func Rows(events io.Reader, calls int, entry string, text *Text) ([]Row, error) {
	list, err := read(events)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 || calls < 1 || len(list)%calls != 0 {
		return nil, errs.New(CodeProfile, "%d dispatches are recorded of %d calls", len(list), calls).
			Hint("each call must run the same dispatches, and at least one")
	}
	each := len(list) / calls
	var rows []Row
	at := map[string]int{}
	for place := range each {
		first := list[place]
		least := first.Duration
		for e := place + each; e < len(list); e += each {
			if list[e].Key != first.Key {
				return nil, errs.New(CodeProfile, "one call runs %q where another runs %q", first.Key, list[e].Key).
					Hint("give arguments with which each call runs the same dispatches")
			}
			least = min(least, list[e].Duration)
		}
		i, ok := at[first.Key]
		if !ok {
			i = len(rows)
			at[first.Key] = i
			rows = append(rows, Row{Name: first.Key})
		}
		rows[i].Count++
		rows[i].Time += time.Duration(least)
	}
	for i := range rows {
		rows[i].FLOPs, rows[i].Bytes = text.work(entry, rows[i].Name, rows[i].Count)
	}
	slices.SortStableFunc(rows, func(a, b Row) int { return cmp.Compare(b.Time, a.Time) })
	return rows, nil
}

func read(in io.Reader) ([]event, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLine)
	var list []event
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, errs.Wrap(CodeProfile, err, "a line is not an event").Hint("the tool must be iree-profile of the program's version of IREE")
		}
		if e.Type != "host_dispatch_event" {
			continue
		}
		if e.Key == "" || !e.Valid || e.Duration < 0 {
			return nil, errs.New(CodeProfile, "the dispatch %q has no valid time", e.Key).Hint("run it again")
		}
		if len(list) == maxEvents {
			return nil, errs.New(CodeProfile, "more than %d dispatches", maxEvents).Hint("measure fewer calls")
		}
		list = append(list, e)
	}
	if err := lines.Err(); err != nil {
		return nil, errs.Wrap(CodeProfile, err, "the events cannot be read")
	}
	return list, nil
}
