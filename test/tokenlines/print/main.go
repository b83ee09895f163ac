// Command print prints lines made for a tokenizer, as a JSON list of texts:
//
//	print FILE SEED COUNT
//
// FILE is a GGUF file or a tokenizer.json. Peers in other languages read the list.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/test/tokenlines"
	"github.com/skainet-dev/skainet-go/text/tokenizer"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "print:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 3 {
		return fmt.Errorf("want FILE SEED COUNT")
	}
	seed, err := strconv.ParseUint(args[1], 10, 64)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[2])
	if err != nil || n < 0 {
		return fmt.Errorf("%q is not a count", args[2])
	}
	t, err := open(args[0])
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(tokenlines.Lines(tokenlines.Of(t), seed, n))
}

func open(path string) (tokenizer.Tokenizer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil || !gguf.Sniff(head) {
		return tokenizer.Load(path)
	}
	g, err := gguf.Open(path)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	return tokenizer.FromGGUF(g)
}
