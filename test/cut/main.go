// Command cut writes a GGUF file with the first rows of another's token matrices, the
// embeddings and the output head, and all else as it is there: a model of a smaller
// vocabulary, with real weights, for devices that a head of 262144 tokens would keep busy
// for minutes.
//
//	cut INPUT.gguf ROWS OUTPUT.gguf
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/tensor/shape"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: cut INPUT.gguf ROWS OUTPUT.gguf")
		os.Exit(2)
	}
	rows, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err == nil {
		err = write(os.Args[1], rows, os.Args[3])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cut:", err)
		os.Exit(1)
	}
}

// tokens are the tensors with a row for each token.
var tokens = []string{"token_embd.weight", "output.weight"}

func write(from string, rows int64, to string) error {
	f, err := gguf.Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	var items []gguf.Item
	for _, spec := range f.Index().Tensors {
		name, bytes := spec.Name, spec.Bytes
		if slices.Contains(tokens, name) {
			all := spec.Shape[0].Size
			if rows < 1 || rows > all || bytes%all != 0 {
				return fmt.Errorf("%s: %s has %d rows, %d are wanted", from, name, all, rows)
			}
			spec.Shape = shape.Of(rows, spec.Shape[1].Size)
			spec.Bytes = bytes / all * rows // rows lie one after the other, in whole blocks
		}
		wanted := spec.Bytes
		items = append(items, gguf.Item{Spec: spec, Open: func() (io.Reader, error) {
			b, err := f.Tensor(name)
			if err != nil {
				return nil, err
			}
			r, err := b.Reader()
			if err != nil {
				return nil, err
			}
			return io.LimitReader(r, wanted), nil
		}})
	}
	_, err = gguf.Write(to, f.Pairs(), items, gguf.Options{})
	return err
}
