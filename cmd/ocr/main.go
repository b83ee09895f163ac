// Command ocr prints the text in a picture.
package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
	"github.com/skainet-dev/skainet-go/models/zoo/ocr"
	"github.com/skainet-dev/skainet-go/vision/draw"
	"github.com/skainet-dev/skainet-go/vision/picture"
)

func main() { command.Program(newCommand()) }

// The programs of the three models; //models/zoo/ocr sets them.
var detectParts, angleParts, readParts, readLongParts program.Parts

type options struct {
	program    program.Options
	json, text bool
	draw       string
}

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "ocr [flags] PICTURE",
		Short: "Print the text in a picture",
		Long: `Ocr prints the lines of text in a PNG, JPEG, GIF, BMP, TIFF or WebP file: the four
corners of each, clockwise from the top left one, how sure its characters are, and the text.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return read(cmd.Context(), o, command.Path(args[0]), cmd.OutOrStdout())
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.text, "text", false, "print the text alone")
	f.BoolVar(&o.json, "json", false, "print JSON: corners, text and score of each line")
	f.StringVar(&o.draw, "draw", "", "write the picture with the lines marked to this PNG `file`")
	command.FlagDevice.Text(cmd, &o.program.Device, "cpu")
	command.FlagThreads.Count(cmd, &o.program.Threads)
	cmd.MarkFlagsMutuallyExclusive("text", "json")
	return cmd
}

func read(ctx context.Context, o options, path string, stdout io.Writer) error {
	p, err := picture.ReadFile(path)
	if err != nil {
		return err
	}
	programs := ocr.Programs{Read: make([]backend.Executable, 2)}
	for _, x := range []struct {
		parts *program.Parts
		to    *backend.Executable
	}{{&detectParts, &programs.Detect}, {&angleParts, &programs.Angle}, {&readParts, &programs.Read[0]}, {&readLongParts, &programs.Read[1]}} {
		opened, err := x.parts.Open(o.program)
		if err != nil {
			return err
		}
		defer opened.Close()
		*x.to = opened
	}
	characters, err := characters()
	if err != nil {
		return err
	}
	r, err := ocr.New(programs, characters)
	if err != nil {
		return err
	}
	lines, err := r.Read(ctx, p)
	if err != nil {
		return errs.WithFile(err, path)
	}
	if o.draw != "" {
		if err := mark(command.Path(o.draw), p, lines); err != nil {
			return err
		}
	}
	return show(stdout, o, lines)
}

// characters reads the list of characters, one a line.
func characters() ([]string, error) {
	path, err := readParts.File("characters", "")
	if err != nil {
		return nil, err
	}
	data, err := regular.Read(path, 1<<20)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
}

// mark writes the picture with the lines outlined and numbered from 1.
func mark(path string, p *picture.Picture, lines []ocr.Line) error {
	m := p.Image()
	for i, l := range lines {
		draw.Outline(m, l.Box, draw.Colour(i))
		draw.Label(m, l.Box[0], fmt.Sprint(i+1), draw.Colour(i))
	}
	return picture.WritePNG(path, m)
}

func show(stdout io.Writer, o options, lines []ocr.Line) error {
	if o.json {
		return command.PrintJSON(stdout, "text", "  ", struct {
			Lines []ocr.Line `json:"lines"`
		}{append([]ocr.Line{}, lines...)}) // [], not null
	}
	var b strings.Builder
	for _, l := range lines {
		if !o.text {
			for _, c := range l.Box {
				fmt.Fprintf(&b, "%.0f,%.0f ", c.X, c.Y)
			}
			fmt.Fprintf(&b, " %.2f  ", l.Score)
		}
		b.WriteString(l.Text + "\n")
	}
	return command.Print(stdout, "text", b.String())
}
