// Command gguffamilies writes the list of architectures of GGUF files that have rows, for
// the page on language models.
//
//	gguffamilies OUT.adoc
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/import/fromgguf"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gguffamilies OUT.adoc")
		os.Exit(2)
	}
	if err := atomicfile.WriteFile(os.Args[1], table()); err != nil {
		fmt.Fprintln(os.Stderr, "gguffamilies:", err)
		os.Exit(1)
	}
}

func table() []byte {
	var b bytes.Buffer
	b.WriteString("// Made by //docs/gguffamilies from compile/import/fromgguf: ./bazelw run //docs:update\n[cols=\"1,5\"]\n|===\n")
	for _, row := range []struct {
		kind  string
		names []string
	}{
		{"Decoders, with the entry points of `chat`", fromgguf.Architectures()},
		{"Encoders, with the entry point `embed`", fromgguf.Encoders()},
	} {
		fmt.Fprintf(&b, "|%s |`%s`\n", row.kind, strings.Join(row.names, "`, `"))
	}
	b.WriteString("|===\n")
	return b.Bytes()
}
