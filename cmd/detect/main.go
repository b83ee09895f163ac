// Command detect prints the objects in a picture.
package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/models/zoo/nanodet"
	"github.com/skainet-dev/skainet-go/vision/box"
	"github.com/skainet-dev/skainet-go/vision/draw"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

func main() { command.Program(newCommand()) }

// parts locates the program of the model; //models/zoo/nanodet sets it.
var parts program.Parts

type options struct {
	program program.Options
	json    bool
	draw    string
	least   float64
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "detect [flags] PICTURE",
		Short: "Print the objects in a picture",
		Long: `Detect prints the objects in a PNG, JPEG, GIF, BMP, TIFF or WebP file, the surest first: what
each is, how sure that is, and its top left and bottom right corners.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return detect(cmd.Context(), o, command.Path(args[0]), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.Float64Var(&o.least, "least", 0.4, "least probability of an object, 0 to 1")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.StringVar(&o.draw, "draw", "", "write the picture with the objects marked to this PNG `file`")
	o.program.Flags(cmd)
	return cmd
}

// codeLeast is the code of a limit that no probability has.
const codeLeast errs.Code = "DETECT_LEAST"

func detect(ctx context.Context, o options, path string, stdout io.Writer) error {
	if !(o.least > 0 && o.least <= 1) {
		return errs.New(codeLeast, "--least=%g is no probability over 0", o.least).Hint("give 0.1 to 0.9")
	}
	p, err := picture.ReadFile(path)
	if err != nil {
		return err
	}
	x, err := parts.Open(o.program)
	if err != nil {
		return err
	}
	defer x.Close()
	d, err := nanodet.New(x)
	if err != nil {
		return err
	}
	found, err := d.Detect(ctx, p, o.least)
	if err != nil {
		return errs.WithFile(err, path)
	}
	if o.draw != "" {
		if err := mark(command.Path(o.draw), p, found); err != nil {
			return err
		}
	}
	return show(stdout, o.json, found)
}

// mark writes the picture with the objects outlined and named.
func mark(path string, p *picture.Picture, found []box.Box) error {
	m := p.Image()
	for _, b := range found {
		c := draw.Colour(b.Class)
		draw.Outline(m, picture.Quad{{X: b.X0, Y: b.Y0}, {X: b.X1, Y: b.Y0}, {X: b.X1, Y: b.Y1}, {X: b.X0, Y: b.Y1}}, c)
		draw.Label(m, picture.Point{X: b.X0, Y: b.Y0}, fmt.Sprintf("%s %.2f", nanodet.Names[b.Class], b.Score), c)
	}
	return picture.WritePNG(path, m)
}

// object is one of the output of --json.
type object struct {
	Name  string     `json:"name"`
	Score float64    `json:"score"`
	Box   [4]float64 `json:"box"` // left, top, right, bottom
}

func show(stdout io.Writer, asJSON bool, found []box.Box) error {
	var b strings.Builder
	objects := []object{}
	for _, f := range found {
		name := nanodet.Names[f.Class]
		objects = append(objects, object{name, f.Score, [4]float64{f.X0, f.Y0, f.X1, f.Y1}})
		fmt.Fprintf(&b, "%-14s %.2f  %.0f,%.0f %.0f,%.0f\n", name, f.Score, f.X0, f.Y0, f.X1, f.Y1)
	}
	if asJSON {
		return command.PrintJSON(stdout, "objects", "  ", struct {
			Objects []object `json:"objects"`
		}{objects})
	}
	return command.Print(stdout, "objects", b.String())
}
