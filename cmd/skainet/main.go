// Command skainet inspects weight files, packs them into parameter archives,
// exports and compiles models, and runs and verifies the results.
package main

import (
	"os"

	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
)

func main() {
	child.Main() // serves where a parent started this program for that
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
