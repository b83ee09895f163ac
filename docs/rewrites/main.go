// Command rewrites writes the table of compile/iree.Rewrites for the page on the
// architecture.
//
//	rewrites OUT.adoc
package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/skainet-dev/skainet-go/compile/iree"
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
	b.WriteString("// Made by //docs/rewrites from compile/iree: ./bazelw run //docs:update\n[cols=\"2,5,4,1,1,1,1\"]\n|===\n|Row |Without it |The text has |Where |Texts |Releases |Shown by\n")
	for _, r := range iree.Rewrites() {
		fmt.Fprintf(&b, "\n|[[%s]]`%s`\n|pass:c[%s]\n|pass:c[%s]\n|%s\n|%s\n|%s\n|%s\n", r.Anchor(), r.ID, r.Symptom, r.Instead, r.Targets, r.Text, releases(r), r.Shown)
	}
	b.WriteString("|===\n")
	return b.Bytes()
}

// releases are those that a row is known for.
func releases(r iree.Rewrite) string {
	if r.First == r.Last {
		return r.First
	}
	return r.First + " to " + r.Last
}
