// Command randcheck runs random graphs on backends and compares them with the
// reference: see package randmain.
//
//	randcheck --seed 1000 --graphs 5000 --backend cpu,iree
package main

import (
	"os"

	"github.com/skainet-dev/skainet-go/test/randgraph/randmain"
)

func main() { os.Exit(randmain.Main(os.Args[1:])) }
