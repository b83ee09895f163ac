package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// maxHeader bounds what is read of a header, which is some 600 kB of vocabulary.
const maxHeader = 16 << 20

func main() {
	var header, input, output string
	cmd := &cobra.Command{
		Use: "ggml", Args: cobra.NoArgs, SilenceErrors: true, SilenceUsage: true,
		Short: "Write a CTranslate2 Whisper as the file that whisper.cpp reads",
		RunE:  func(*cobra.Command, []string) error { return run(header, input, output) },
	}
	cmd.Flags().StringVar(&header, "header", "", "a file of whisper.cpp for the same model that has no tensors")
	cmd.Flags().StringVar(&input, "weights", "", "model.bin")
	cmd.Flags().StringVar(&output, "output", "", "file to write")
	if err := cmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, "ggml:", err)
		os.Exit(1)
	}
}

func run(header, input, output string) error {
	h, err := readHeader(header)
	if err != nil {
		return err
	}
	w, err := weights.Open(input)
	if err != nil {
		return err
	}
	defer w.Close()
	return atomicfile.Write(output, func(out io.Writer) error {
		return errs.WithFile(convert(out, h, w), header)
	})
}

func readHeader(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errs.Wrap(CodeHeader, err, "cannot read the header").In(path)
	}
	defer f.Close()
	h, err := io.ReadAll(io.LimitReader(f, maxHeader+1))
	if err != nil {
		return nil, errs.Wrap(CodeHeader, err, "cannot read the header").In(path)
	}
	if len(h) > maxHeader {
		return nil, errs.New(CodeHeader, "more than %d bytes", maxHeader).In(path)
	}
	return h, nil
}
