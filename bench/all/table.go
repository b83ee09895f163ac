package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/all/goals"
	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
)

// pair is one of our engines beside a peer in the same case on as many threads. Ratios are the
// peer's figure divided by ours: above 1 ours is faster or smaller.
type pair struct {
	ours, peer    figures.Row
	least, median float64
	load, memory  float64 // 0 where one of both is not known
	work          string
	goal          float64 // 0 where there is none
	best          bool    // no other program of ours is for more of the processor's instructions
}

// pairs returns our engines beside each peer, in the order of the rows.
func pairs(f figures.Figures) []pair {
	var list []pair
	for _, ours := range f.Rows {
		for _, peer := range f.Rows {
			if ours.Peer || !peer.Peer || !beside(ours, peer) || ours.Unit != peer.Unit {
				continue
			}
			p := pair{
				ours: ours, peer: peer, least: peer.Least() / ours.Least(), median: peer.Median() / ours.Median(),
				load: ratio(peer.Load, ours.Load), memory: ratio(peer.Peak, ours.Peak), work: ours.Benchmark,
				best: !slices.ContainsFunc(f.Rows, func(r figures.Row) bool { return beside(r, ours) && better(f.Machine, r, ours) }),
			}
			if g, ok := goals.Find(ours.Benchmark, ours.Case, ours.Engine, peer.Engine); ok {
				p.work = g.Work
				p.goal, _ = g.Ratio(f.Machine.Instructions, ours.Threads)
			}
			list = append(list, p)
		}
	}
	return list
}

// beside reports whether two rows are of the same case and number of threads.
func beside(a, b figures.Row) bool {
	return a.Benchmark == b.Benchmark && a.Case == b.Case && a.Threads == b.Threads
}

// better reports whether both rows are programs for a target, and that of the first is the faster
// one on the machine: it is the one that is taken there.
func better(m figures.Machine, a, b figures.Row) bool {
	i, j := slices.Index(m.Targets, a.Target), slices.Index(m.Targets, b.Target)
	return !a.Peer && i >= 0 && i < j
}

// ratio is 0 where a figure is not known.
func ratio(peer, ours float64) float64 {
	if ours == 0 {
		return 0
	}
	return peer / ours
}

// missed names the ratios that are below what they are to reach.
func (p pair) missed() []string {
	var list []string
	for _, r := range []struct {
		name        string
		ratio, goal float64
	}{{"least", p.least, p.goal}, {"median", p.median, p.goal}, {"load", p.load, goals.Beside}, {"memory", p.memory, goals.Beside}} {
		if r.ratio != 0 && r.ratio < r.goal {
			list = append(list, r.name)
		}
	}
	return list
}

// verdict says whether the goal is met.
func (p pair) verdict() string {
	switch {
	case p.goal == 0:
		return "no goal"
	case !p.best:
		return "not taken here"
	case len(p.missed()) == 0:
		return "met"
	}
	return "missed: " + strings.Join(p.missed(), ", ")
}

// heads are the columns of the table.
var heads = []string{"work", "case", "engine", "peer", "threads", "least x", "median x", "load x", "memory x", "error", "its", "goal", "met"}

// cells returns the table's row of a pair.
func (p pair) cells() []string {
	goal := "-"
	if p.goal > 0 {
		goal = fmt.Sprintf("%.2f", p.goal)
	}
	return []string{
		p.work, p.ours.Case, p.ours.Engine, p.peer.Engine, strconv.Itoa(p.ours.Threads), fmt.Sprintf("%.2f", p.least),
		fmt.Sprintf("%.2f", p.median), known(p.load), known(p.memory), wrong(p.ours), wrong(p.peer), goal, p.verdict(),
	}
}

// print writes the table, and how many goals are met.
func print(out io.Writer, f figures.Figures) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(heads, "\t"))
	met, judged := 0, 0
	for _, p := range pairs(f) {
		if p.goal > 0 && p.best {
			judged++
		}
		if p.verdict() == "met" {
			met++
		}
		fmt.Fprintln(t, strings.Join(p.cells(), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	m := f.Machine
	fmt.Fprintf(out, "\n%d of %d goals met. %s, %d cores, %s; load average %s before, %s after; targets %s\n", met, judged,
		m.Processor, m.Cores, m.Arch, m.Before, m.After, strings.Join(m.Targets, ", "))
	_, err := fmt.Fprintf(out, "instructions: %s\nengines: %s\n", strings.Join(m.Instructions, " "), strings.Join(engines(f), "; "))
	for _, note := range f.Notes {
		_, err = fmt.Fprintln(out, note)
	}
	return err
}

// separated returns the table as comma-separated values, for a page.
func separated(f figures.Figures) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{heads}
	for _, p := range pairs(f) {
		rows = append(rows, p.cells())
	}
	if err := w.WriteAll(rows); err != nil {
		return nil, errs.Wrap(codePlot, err, "no table")
	}
	return b.Bytes(), nil
}

func known(ratio float64) string {
	if ratio == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", ratio)
}

// wrong is how far results are from those in f64.
func wrong(r figures.Row) string {
	if r.Error == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0e", r.Error)
}

// engines returns the names with their versions, sorted.
func engines(f figures.Figures) []string {
	var list []string
	for _, r := range f.Rows {
		list = append(list, r.Engine+" "+r.Version)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
