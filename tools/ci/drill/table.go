package drill

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// shown is how many faults of a drill are printed; a wrong input of a tool is one
// of each action after it.
const shown = 20

// Print prints the results and reports whether all drills passed. They did not if
// an error stopped them: then whole is false.
func Print(out io.Writer, results []Result, whole bool) bool {
	ok := whole
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "drill\tactions\tas wanted\t\tsame files\ttime\thow")
	for _, r := range results {
		part := "-"
		if r.Actions > 0 {
			part = fmt.Sprintf("%.0f%%", 100*float64(r.Good)/float64(r.Actions))
			if r.Good < r.Actions && part == "100%" {
				part = "<100%"
			}
		}
		files := "-"
		if r.Outputs > 0 {
			files = fmt.Sprint(r.Outputs)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\n", r.Name, r.Actions, r.Good, part, files, r.Time.Round(time.Second), r.How)
	}
	w.Flush()
	for _, r := range results {
		for i, f := range r.Faults {
			if i == shown {
				fmt.Fprintf(out, "FAILED: %s: and %d more\n", r.Name, len(r.Faults)-shown)
				break
			}
			fmt.Fprintf(out, "FAILED: %s: %s\n", r.Name, f)
		}
		ok = ok && len(r.Faults) == 0
	}
	if ok {
		fmt.Fprintln(out, "PASSED")
	}
	return ok
}
