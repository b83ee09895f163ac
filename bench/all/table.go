package main

import (
	"bytes"
	"encoding/csv"
	"errors"
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

// missed names the ratios that are below what they are to reach, and what kinds of ratio they are.
func (p pair) missed() (names []string, kinds []goals.Kind) {
	for _, r := range []struct {
		name        string
		kind        goals.Kind
		ratio, goal float64
	}{
		{"least", goals.Speed, p.least, p.goal}, {"median", goals.Speed, p.median, p.goal},
		{"load", goals.Load, p.load, goals.Beside}, {"memory", goals.Memory, p.memory, goals.Beside},
	} {
		if r.ratio != 0 && r.ratio < r.goal {
			names, kinds = append(names, r.name), append(kinds, r.kind)
		}
	}
	return names, slices.Compact(kinds)
}

// verdict says whether the goal is met, and where it is missed which of the limits say why.
func (p pair) verdict(l *limits) string {
	if p.goal == 0 {
		return "no goal"
	}
	if !p.best {
		return "not taken here"
	}
	l.judged++
	names, kinds := p.missed()
	if len(names) == 0 {
		l.met++
		return "met"
	}
	var notes []string
	for _, kind := range kinds {
		notes = append(notes, l.note(p, kind))
	}
	if slices.Contains(notes, unknown) {
		l.open++
	}
	return "missed: " + strings.Join(names, ", ") + " [" + strings.Join(slices.Compact(notes), ", ") + "]"
}

// limits numbers those that the rows of one table are bound by, in the order of the rows, and
// counts the rows that have a goal.
type limits struct {
	instructions []string // of the machine
	told         []goals.Limit
	judged, met  int
	open         int // rows that miss a goal, and nothing was measured about why
}

// unknown stands for the number of a limit that was not measured.
const unknown = "why is not measured"

// note returns the number of what keeps a pair from a goal.
func (l *limits) note(p pair, kind goals.Kind) string {
	limit, ok := goals.Why(p.ours.Benchmark, p.ours.Case, p.ours.Engine, p.peer.Engine, kind, p.ours.Threads, l.instructions)
	if !ok {
		return unknown
	}
	i := slices.IndexFunc(l.told, func(t goals.Limit) bool { return t.Bound == limit.Bound })
	if i < 0 {
		i, l.told = len(l.told), append(l.told, limit)
	}
	return strconv.Itoa(i + 1)
}

// print writes the limits by their numbers.
func (l *limits) print(out io.Writer) error {
	for i, limit := range l.told {
		if _, err := fmt.Fprintf(out, "[%d] %s. Tried: %s.\n", i+1, limit.Bound, strings.Join(limit.Tried, "; ")); err != nil {
			return err
		}
	}
	return nil
}

// heads are the columns of the table.
var heads = []string{"work", "case", "engine", "peer", "threads", "least x", "median x", "load x", "memory x", "error", "its", "goal", "met"}

// cells returns the table's row of a pair.
func (p pair) cells(l *limits) []string {
	goal := "-"
	if p.goal > 0 {
		goal = fmt.Sprintf("%.2f", p.goal)
	}
	return []string{
		p.work, p.ours.Case, p.ours.Engine, p.peer.Engine, strconv.Itoa(p.ours.Threads), fmt.Sprintf("%.2f", p.least),
		fmt.Sprintf("%.2f", p.median), known(p.load), known(p.memory), wrong(p.ours), wrong(p.peer), goal, p.verdict(l),
	}
}

// print writes the table, and how many goals are met.
func print(out io.Writer, f figures.Figures) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(heads, "\t"))
	why := limits{instructions: f.Machine.Instructions}
	for _, p := range pairs(f) {
		fmt.Fprintln(t, strings.Join(p.cells(&why), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	m := f.Machine
	fmt.Fprintf(out, "\n%d of %d goals met, %d missed by a limit that is told below, %d by one that is not measured.\n", why.met, why.judged, why.judged-why.met-why.open, why.open)
	fmt.Fprintf(out, "%s, %d cores, %s; load average %s before, %s after; targets %s\n", m.Processor, m.Cores, m.Arch, m.Before, m.After, strings.Join(m.Targets, ", "))
	_, err := fmt.Fprintf(out, "instructions: %s\nengines: %s\n", strings.Join(m.Instructions, " "), strings.Join(engines(f), "; "))
	for _, note := range f.Notes {
		_, err = fmt.Fprintln(out, note)
	}
	return errors.Join(err, why.print(out))
}

// separated returns the table as comma-separated values, for a page.
func separated(f figures.Figures) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows, why := [][]string{heads}, limits{instructions: f.Machine.Instructions}
	for _, p := range pairs(f) {
		rows = append(rows, p.cells(&why))
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
