// Command onnxoperators writes the list of ONNX's operators that have rules, and of those
// that are refused with a reason, for the page on imports.
//
//	onnxoperators OUT.adoc
package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/skainet-dev/skainet-go/compile/import/fromonnx"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: onnxoperators OUT.adoc")
		os.Exit(2)
	}
	if err := atomicfile.WriteFile(os.Args[1], table()); err != nil {
		fmt.Fprintln(os.Stderr, "onnxoperators:", err)
		os.Exit(1)
	}
}

// own is the domain of ONNX's own operators.
const own = "ai.onnx"

func table() []byte {
	var b bytes.Buffer
	b.WriteString("// Made by //docs/onnxoperators from compile/import/fromonnx: ./bazelw run //docs:update\n[cols=\"1,5\"]\n|===\n|Domain |Operators\n")
	var domains []string
	names := map[string][]string{}
	for _, o := range fromonnx.Operators() {
		domain, name := own, o
		if at := strings.LastIndexByte(o, '.'); at >= 0 {
			domain, name = o[:at], o[at+1:]
		}
		if names[domain] == nil {
			domains = append(domains, domain)
		}
		names[domain] = append(names[domain], "`"+name+"`")
	}
	for _, d := range domains {
		fmt.Fprintf(&b, "\n|`%s`\n|%s\n", d, strings.Join(names[d], ", "))
	}
	b.WriteString("|===\n\nRefused are, whatever the model:\n\n[cols=\"2,4\"]\n|===\n|Operators |Why\n")
	for _, r := range fromonnx.Without() {
		fmt.Fprintf(&b, "\n|`%s`\n|%s\n", strings.Join(r.Operators, "`, `"), r.Reason)
	}
	b.WriteString("|===\n")
	return b.Bytes()
}
