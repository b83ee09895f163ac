package main

import (
	"math"

	"golang.org/x/perf/benchmath"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
)

// Verdicts on a row.
const (
	noise   = "noise"
	fast    = "faster"
	slow    = "slower"
	little  = "below the threshold" // no noise, and no more than two runs of one program may differ
	few     = "too few rounds"
	units   = "other unit"
	gone    = "gone"
	arrived = "new"
)

// change is a row in both files, or in one.
type change struct {
	key      figures.Key
	peer     bool
	unit     string
	old, now float64 // medians of the rounds' medians; 0 where the file has no such row
	compared bool    // both have it, in one unit
	percent  float64 // more time than before
	p        float64 // how likely chance alone makes such a difference
	verdict  string
}

// changes returns the rows of the old file in their order, and then those that are new.
func (o options) changes(old, now figures.Figures) []change {
	var list []change
	at := map[figures.Key]figures.Row{}
	for _, r := range now.Rows {
		at[r.Key()] = r
	}
	had := map[figures.Key]bool{}
	for _, r := range old.Rows {
		had[r.Key()] = true
		c := change{key: r.Key(), peer: r.Peer, unit: r.Unit, old: r.Median()}
		n, ok := at[r.Key()]
		switch {
		case !ok:
			c.verdict = gone
		case n.Unit != r.Unit:
			c.now, c.verdict = n.Median(), units
		default:
			c.compared, c.now = true, n.Median()
			c.percent = 100 * (c.now/c.old - 1)
			c.p, c.verdict = o.test(r, n)
			if (c.verdict == slow || c.verdict == fast) && math.Abs(c.percent) <= o.threshold {
				c.verdict = little
			}
		}
		list = append(list, c)
	}
	for _, r := range now.Rows {
		if !had[r.Key()] {
			list = append(list, change{key: r.Key(), peer: r.Peer, unit: r.Unit, now: r.Median(), verdict: arrived})
		}
	}
	return list
}

// test compares the rounds of a row.
func (o options) test(old, now figures.Row) (p float64, verdict string) {
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = o.alpha
	c := benchmath.AssumeNothing.Compare(benchmath.NewSample(old.Medians(), &thresholds), benchmath.NewSample(now.Medians(), &thresholds))
	switch {
	case c.P < c.Alpha && now.Median() > old.Median():
		return c.P, slow
	case c.P < c.Alpha && now.Median() < old.Median():
		return c.P, fast
	case len(c.Warnings) > 0 && now.Median() != old.Median():
		return c.P, few // however far apart they are, so few could be chance
	}
	return c.P, noise
}
