package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
)

// print writes what is different about the machines and the engines, and a line for each row.
func print(out io.Writer, old, now figures.Figures, changes []change) error {
	for _, line := range differences(old, now) {
		fmt.Fprintln(out, line)
	}
	fmt.Fprintf(out, "load average %s, then %s in the old file; %s, then %s in the new one\n\n",
		old.Machine.Before, old.Machine.After, now.Machine.Before, now.Machine.After)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "benchmark\tcase\tengine\tthreads\tunit\told median\tnew median\tchange\tp\tverdict")
	counts := map[string]int{}
	for _, c := range changes {
		counts[c.verdict]++
		engine := c.key.Engine
		if c.peer {
			engine += " (peer)"
		}
		percent, p := "-", "-"
		if c.compared {
			percent, p = fmt.Sprintf("%+.1f %%", c.percent), fmt.Sprintf("%.3f", c.p)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\n", c.key.Benchmark, c.key.Case, engine, c.key.Threads, c.unit,
			orDash(c.old), orDash(c.now), percent, p, c.verdict)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	var told []string
	for _, verdict := range []string{slow, fast, little, noise, few, units, gone, arrived} {
		if counts[verdict] > 0 {
			told = append(told, fmt.Sprintf("%d %s", counts[verdict], verdict))
		}
	}
	_, err := fmt.Fprintf(out, "\n%s\n", strings.Join(told, ", "))
	return err
}

func orDash(median float64) string {
	if median == 0 {
		return "-"
	}
	return fmt.Sprintf("%.6g", median)
}

// differences says in lines what else than the code may have changed the figures.
func differences(old, now figures.Figures) []string {
	var list []string
	differ := func(what string, a, b any) {
		if a != b {
			list = append(list, fmt.Sprintf("%s: %v before, %v now", what, a, b))
		}
	}
	a, b := old.Machine, now.Machine
	differ("processor", a.Processor, b.Processor)
	differ("operating system", a.OS, b.OS)
	differ("architecture", a.Arch, b.Arch)
	differ("cores", a.Cores, b.Cores)
	for _, s := range []struct {
		what     string
		old, now []string
	}{{"instructions", a.Instructions, b.Instructions}, {"targets", a.Targets, b.Targets}} {
		if lost := without(s.old, s.now); lost != "" {
			list = append(list, s.what+" that only the old file's machine has: "+lost)
		}
		if more := without(s.now, s.old); more != "" {
			list = append(list, s.what+" that only the new file's machine has: "+more)
		}
	}
	if len(list) > 0 {
		list = append(list, "The machines differ: so may any figure.")
	}
	versions := map[figures.Key]string{}
	for _, r := range old.Rows {
		versions[r.Key()] = r.Version
	}
	var engines []string
	for _, r := range now.Rows {
		if v, ok := versions[r.Key()]; ok && v != r.Version {
			engines = append(engines, fmt.Sprintf("%s: %s before, %s now", r.Engine, v, r.Version))
		}
	}
	slices.Sort(engines)
	return append(list, slices.Compact(engines)...)
}

// without names those of a list that another one lacks.
func without(list, other []string) string {
	var left []string
	for _, s := range list {
		if !slices.Contains(other, s) {
			left = append(left, s)
		}
	}
	return strings.Join(left, " ")
}
