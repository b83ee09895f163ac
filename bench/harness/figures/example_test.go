package figures_test

import (
	"fmt"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
)

// How many times faster than its peer an engine is, by what a benchmark wrote.
func Example() {
	f, err := figures.Parse([]byte(`{
		"schema": 1,
		"machine": {"processor": "Some CPU", "cores": 2},
		"rows": [
			{"benchmark": "zoo", "case": "silero", "engine": "cpu_x86_64_v3", "threads": 1, "unit": "s",
			 "rounds": [{"least": 0.002, "median": 0.004}, {"least": 0.003, "median": 0.005}]},
			{"benchmark": "zoo", "case": "silero", "engine": "ort", "peer": true, "threads": 1, "unit": "s",
			 "rounds": [{"least": 0.004, "median": 0.006}, {"least": 0.005, "median": 0.012}]}
		]}`))
	if err != nil {
		panic(err)
	}
	ours, peer := f.Rows[0], f.Rows[1]
	fmt.Printf("%s: %.2f by the least time, %.2f by the median\n", ours.Key(), peer.Least()/ours.Least(), peer.Median()/ours.Median())

	_, err = figures.Parse([]byte(`{"schema": 7}`))
	fmt.Println(errs.CodeOf(err))
	// Output:
	// zoo: silero: cpu_x86_64_v3 on 1 thread: 2.00 by the least time, 2.00 by the median
	// FIGURES_SCHEMA
}
