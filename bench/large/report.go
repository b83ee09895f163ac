package main

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"text/tabwriter"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var steps = []struct {
	name string
	of   func(row) step
}{
	{"index", func(r row) step { return r.index }},
	{"export", func(r row) step { return r.export }},
	{"pack", func(r row) step { return r.pack }},
	{"compile", func(r row) step { return r.compile }},
}

// report prints a line for each model, and how the text grows with the layers.
func report(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "model\tparameters\tlayers\tweights GB\ttext kB\tprogram kB\tshards\t")
	for _, s := range steps {
		fmt.Fprintf(w, "%s s\tCPU s\tMiB\t", s.name)
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.3g\t%d\t%.2f\t%.0f\t%s\t%s\t", r.shape.name, float64(r.parameters), r.shape.config.NumLayers,
			float64(r.weights)/1e9, float64(r.text)/1e3, orDash(r.program > 0, "%.0f", float64(r.program)/1e3), orDash(r.shards > 0, "%.0f", float64(r.shards)))
		for _, s := range steps {
			v := s.of(r)
			fmt.Fprintf(w, "%s\t%s\t%s\t", orDash(v.ran, "%.2f", v.seconds), orDash(v.ran, "%.2f", v.cpu), orDash(v.ran, "%.0f", v.mebibytes))
		}
		fmt.Fprintln(w)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(rows) > 1 {
		a, b := rows[0], rows[len(rows)-1]
		fmt.Fprintf(out, "\nFrom %s to %s: %.0f times the parameters, %.1f times the layers, %.1f times the text, %.1f times the export's CPU time\n",
			a.shape.name, b.shape.name, float64(b.parameters)/float64(a.parameters), float64(b.shape.config.NumLayers)/float64(a.shape.config.NumLayers),
			float64(b.text)/float64(a.text), b.export.cpu/a.export.cpu)
	}
	return nil
}

func orDash(is bool, format string, v float64) string {
	if !is {
		return "-"
	}
	return fmt.Sprintf(format, v)
}

// lines are what is drawn, each in its unit.
var lines = []struct {
	name  string
	of    func(row) float64
	shade color.Color
}{
	{"text, kB", func(r row) float64 { return float64(r.text) / 1e3 }, color.RGBA{R: 0x1b, G: 0x9e, B: 0x77, A: 0xff}},
	{"export, MiB", func(r row) float64 { return r.export.mebibytes }, color.RGBA{R: 0xd9, G: 0x5f, B: 0x02, A: 0xff}},
	{"export, CPU ms", func(r row) float64 { return 1e3 * r.export.cpu }, color.RGBA{R: 0x75, G: 0x70, B: 0xb3, A: 0xff}},
	{"pack, MiB", func(r row) float64 { return r.pack.mebibytes }, color.RGBA{R: 0xe7, G: 0x29, B: 0x8a, A: 0xff}},
	{"pack, ms", func(r row) float64 { return 1e3 * r.pack.seconds }, color.RGBA{R: 0x66, G: 0xa6, B: 0x1e, A: 0xff}},
	{"compile, MiB", func(r row) float64 { return r.compile.mebibytes }, color.RGBA{R: 0xa6, G: 0x76, B: 0x1d, A: 0xff}},
	{"compile, CPU s", func(r row) float64 { return r.compile.cpu }, color.RGBA{R: 0x66, G: 0x66, B: 0x66, A: 0xff}},
}

// drawn is the picture's file: both axes are logarithmic.
func drawn(path string, rows []row) error {
	p := plot.New()
	p.Title.Text = "What a model costs to build"
	p.X.Label.Text = "parameters"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Add(plotter.NewGrid())
	for _, l := range lines {
		var at plotter.XYs
		for _, r := range rows {
			if y := l.of(r); y > 0 && !math.IsInf(y, 0) {
				at = append(at, plotter.XY{X: float64(r.parameters), Y: y})
			}
		}
		if len(at) < 2 {
			continue
		}
		line, points, err := plotter.NewLinePoints(at)
		if err != nil {
			return err
		}
		line.Color, points.Color, points.Shape = l.shade, l.shade, draw.CircleGlyph{}
		p.Add(line, points)
		p.Legend.Add(l.name, line, points)
	}
	p.Legend.Top, p.Legend.Left = true, true
	return p.Save(20*vg.Centimeter, 14*vg.Centimeter, path)
}
