// Command skainet inspects weight files, packs them into parameter archives,
// exports and compiles models, and runs and verifies the results.
package main

import (
	"os"

	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
