// Command paritygraph compares the program of a model that is a graph file with the CPU
// reference, as the programs that skainet_model generates do for one with a constructor.
package main

import (
	"os"

	"github.com/skainet-dev/skainet-go/backend/parity/paritymain"
)

func main() { os.Exit(paritymain.Main(paritymain.Model{}, os.Args[1:], os.Stdout, os.Stderr)) }
