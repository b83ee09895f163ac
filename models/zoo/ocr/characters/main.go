// Command characters prints the list of characters that a model of PaddleOCR has in its
// file, one a line.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/onnx"
)

func main() {
	command.Main("characters", func(context.Context) int { return run(os.Args[1:], os.Stdout, os.Stderr) })
}

// codeNone is the code of a file that has no such list.
const codeNone errs.Code = "OCR_CHARACTERS"

func run(args []string, stdout, stderr io.Writer) int {
	if len(args) != 1 {
		fmt.Fprintln(stderr, "usage: characters MODEL.onnx")
		return 2
	}
	if err := list(args[0], stdout); err != nil {
		fmt.Fprintf(stderr, "characters: %v\n", err)
		return 1
	}
	return 0
}

func list(path string, stdout io.Writer) error {
	f, err := onnx.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, ok := f.Model().Metadata["character"]
	if !ok {
		return errs.New(codeNone, "the model has no metadata character").In(path).Hint("use the model of RapidOCR that reads")
	}
	_, err = io.WriteString(stdout, strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")+"\n")
	return err
}
