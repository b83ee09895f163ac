// Command skainet inspects weight files, packs them into parameter archives,
// exports and compiles models, and runs and verifies the results.
package main

import (
	"fmt"
	"os"

	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
)

func main() {
	// `bazel run` starts a program in its runfiles and says here where the user
	// is. Actions do not set it.
	if dir := os.Getenv("BUILD_WORKING_DIRECTORY"); dir != "" {
		if err := os.Chdir(dir); err != nil {
			fmt.Fprintln(os.Stderr, "skainet: USAGE: BUILD_WORKING_DIRECTORY:", err)
			os.Exit(2)
		}
	}
	os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr))
}
