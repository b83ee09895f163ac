package main

import (
	"bytes"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/skainet-dev/skainet-go/bench/harness/figures"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

// Sizes of a plot.
const (
	plotWidth = 24 * vg.Centimeter
	margin    = 4 * vg.Centimeter // above and below the bars
	barWidth  = 0.35 * vg.Centimeter
	longest   = 4.0 // the ratio at which a bar is cut; its figure says how long it is
)

// shades of the engines, in their order; of ColorBrewer's Dark2.
var shades = []color.Color{
	color.RGBA{R: 0x1b, G: 0x9e, B: 0x77, A: 0xff}, color.RGBA{R: 0xd9, G: 0x5f, B: 0x02, A: 0xff},
	color.RGBA{R: 0x75, G: 0x70, B: 0xb3, A: 0xff}, color.RGBA{R: 0xe7, G: 0x29, B: 0x8a, A: 0xff},
	color.RGBA{R: 0x66, G: 0xa6, B: 0x1e, A: 0xff}, color.RGBA{R: 0xa6, G: 0x76, B: 0x1d, A: 0xff},
}

// plots draws the ratios of the medians of each benchmark on each number of threads:
// BENCHMARK-THREADS.svg in a folder, which is made if it is not there. All are written, or none.
func plots(folder string, f figures.Figures) error {
	type of struct {
		benchmark string
		threads   int
	}
	var kinds []of
	groups := map[of][]pair{}
	for _, p := range pairs(f) {
		kind := of{p.ours.Benchmark, p.ours.Threads}
		if groups[kind] == nil {
			kinds = append(kinds, kind)
		}
		groups[kind] = append(groups[kind], p)
	}
	var files []atomicfile.File
	for _, kind := range kinds {
		title := fmt.Sprintf("%s, %d thread", kind.benchmark, kind.threads)
		if kind.threads > 1 {
			title += "s"
		}
		data, err := drawn(title+": "+f.Machine.Processor, groups[kind])
		if err != nil {
			return err
		}
		files = append(files, atomicfile.Bytes(filepath.Join(folder, fmt.Sprintf("%s-%d.svg", filepath.Base(kind.benchmark), kind.threads)), data))
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return errs.Wrap(codePlot, err, "no folder for the plots").In(folder).Hint("give the name of a folder that can be made")
	}
	return atomicfile.WriteAll(files...)
}

// drawn returns a plot as SVG: for each case a bar of each engine beside each peer, and a line
// at 1, right of which ours is faster.
func drawn(title string, list []pair) ([]byte, error) {
	var cases, series []string
	for _, p := range list {
		if !slices.Contains(cases, p.ours.Case) {
			cases = append(cases, p.ours.Case)
		}
		if s := p.series(); !slices.Contains(series, s) {
			series = append(series, s)
		}
	}
	slices.Reverse(cases) // the axis goes up
	pl := plot.New()
	pl.Title.Text = title
	pl.X.Label.Text = "times faster than the peer, by the median"
	pl.X.Min, pl.X.Max = 0, longest*1.4 // the legend is right of the bars
	for i, name := range series {
		values, labels := make(plotter.Values, len(cases)), plotter.XYLabels{}
		offset := barWidth * vg.Length(float64(len(series)-1)/2-float64(i))
		for _, p := range list {
			if p.series() != name {
				continue
			}
			at := slices.Index(cases, p.ours.Case)
			values[at] = min(p.median, longest)
			labels.XYs = append(labels.XYs, plotter.XY{X: values[at], Y: float64(at)})
			label := fmt.Sprintf(" %.2f", p.median)
			if p.median > longest {
				label += ", cut"
			}
			labels.Labels = append(labels.Labels, label)
		}
		bars, err := plotter.NewBarChart(values, barWidth)
		if err != nil {
			return nil, errs.Wrap(codePlot, err, "no bars")
		}
		bars.Horizontal, bars.Color, bars.Offset = true, shades[i%len(shades)], offset
		bars.LineStyle.Width = 0
		texts, err := plotter.NewLabels(labels)
		if err != nil {
			return nil, errs.Wrap(codePlot, err, "no figures at the bars")
		}
		for j := range texts.TextStyle {
			texts.TextStyle[j].Font.Size = 7
		}
		texts.Offset.Y = offset - 2
		pl.Add(bars, texts)
		pl.Legend.Add(name, bars)
	}
	even, err := plotter.NewLine(plotter.XYs{{X: 1, Y: -0.5}, {X: 1, Y: float64(len(cases)) - 0.5}})
	if err != nil {
		return nil, errs.Wrap(codePlot, err, "no line at 1")
	}
	even.Width = vg.Points(1)
	pl.Add(even)
	pl.NominalY(cases...)
	pl.Legend.Top = true
	pl.Y.Min, pl.Y.Max = -0.5, float64(len(cases))-0.5
	height := margin + barWidth*vg.Length(len(cases)*(len(series)+1))
	w, err := pl.WriterTo(plotWidth, height, "svg")
	if err != nil {
		return nil, errs.Wrap(codePlot, err, "no SVG")
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		return nil, errs.Wrap(codePlot, err, "no SVG")
	}
	return b.Bytes(), nil
}

func (p pair) series() string { return p.ours.Engine + " to " + p.peer.Engine }
