// Command picture converts a picture to a grayscale PNG with the compiled program.
package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"strings"

	"github.com/bazelbuild/rules_go/go/runfiles"

	"github.com/skainet-dev/skainet-go/backend/iree"
	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale"
	"github.com/skainet-dev/skainet-go/examples/staircase/grayscale/pixels"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// Paths of the program's parts in its runfiles; set by the BUILD file.
var programFile, contractFile, libraryFile, toolFile string

// codeRunfiles is the code of a part that is not beside the program.
const codeRunfiles errs.Code = "PICTURE_RUNFILES"

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: picture PICTURE OUT.png")
		os.Exit(2)
	}
	if err := run(context.Background(), command.Path(os.Args[1]), command.Path(os.Args[2])); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, in, out string) error {
	rgb, err := pixels.ReadRGB(in, grayscale.Height, grayscale.Width)
	if err != nil {
		return err
	}
	o, err := options()
	if err != nil {
		return err
	}
	program, err := iree.Open(o)
	if err != nil {
		return err
	}
	defer program.Close()
	results, err := program.Call(ctx, "main", rgb)
	if err != nil {
		return err
	}
	gray, err := pixels.Gray(results[0])
	if err != nil {
		return err
	}
	return write(out, gray)
}

// options finds the program's parts: it runs in process if the library was
// built, else through the tool.
func options() (o iree.Options, err error) {
	if strings.HasSuffix(libraryFile, ".absent") {
		libraryFile = ""
	}
	var doc string
	for _, part := range []struct {
		runfile string
		path    *string
	}{{programFile, &o.Program}, {contractFile, &doc}, {libraryFile, &o.Library}, {toolFile, &o.Tool}} {
		if part.runfile == "" {
			continue
		}
		if *part.path, err = runfiles.Rlocation(part.runfile); err == nil {
			_, err = os.Stat(*part.path)
		}
		if err != nil {
			return o, errs.Wrap(codeRunfiles, err, "a part of the program is missing").Hint("start it with bazel run")
		}
	}
	if o.Contract, err = contract.ReadFile(doc); err != nil {
		return o, errs.Wrap(codeRunfiles, err, "cannot read the contract").In(doc).Hint("rebuild the program")
	}
	return o, nil
}

func write(out string, picture image.Image) error {
	return atomicfile.Write(out, func(w io.Writer) error { return png.Encode(w, picture) })
}
