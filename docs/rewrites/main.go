// Command rewrites writes the tables of compile/iree.Rewrites and compile/xla.Rewrites for
// the page on the architecture.
//
//	rewrites OUT.adoc
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/skainet-dev/skainet-go/compile/iree"
	"github.com/skainet-dev/skainet-go/compile/xla"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: rewrites OUT.adoc")
		os.Exit(2)
	}
	if err := atomicfile.WriteFile(os.Args[1], table()); err != nil {
		fmt.Fprintln(os.Stderr, "rewrites:", err)
		os.Exit(1)
	}
}

func table() []byte {
	var b bytes.Buffer
	b.WriteString("// Made by //docs/rewrites from compile/iree and compile/xla: ./bazelw run //docs:update\n[cols=\"2,5,4,1,1,1,1\"]\n|===\n|Row |Without it |The text has |Where |Texts |Releases |Shown by\n")
	for _, r := range iree.Rewrites() {
		fmt.Fprintf(&b, "\n|[[%s]]`%s`\n|pass:c[%s]\n|pass:c[%s]\n|%s\n|%s\n|%s\n|%s\n", r.Anchor(), r.ID, r.Symptom, r.Instead, r.Targets, r.Text, releases(r.First, r.Last), r.Shown)
	}
	b.WriteString("|===\n\nXLA's plugins need these; releases are versions of the PJRT C API, and each row is shown by an entry point of `test/optest`:\n\n" +
		"[cols=\"2,5,4,1,1,2\"]\n|===\n|Row |Without it |Instead |Where |Releases |Shown by\n")
	for _, r := range xla.Rewrites() {
		fmt.Fprintf(&b, "\n|`%s`\n|pass:c[%s]\n|pass:c[%s]\n|%s\n|%s\n|`%s`\n", r.ID, r.Symptom, r.Instead, r.Targets, releases(r.First, r.Last), r.Shown)
	}
	b.WriteString("|===\n")
	return b.Bytes()
}

// releases are those that a row is known for.
func releases(first, last string) string {
	if first == last {
		return first
	}
	return first + " to " + last
}
