// Command exportgraph is the action of stablehlo_export for a model that is a graph file,
// as an exporter that skainet_model generates is for one with a constructor.
package main

import (
	"os"

	"github.com/skainet-dev/skainet-go/rules/tools/exportmain"
)

func main() { os.Exit(exportmain.Graph(os.Args[1:], os.Stderr)) }
