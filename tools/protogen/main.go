// Command protogen writes the Go code of a .proto file next to it:
//
//	go run ./tools/protogen io/onnx/schema/onnx.proto
//
// Call it from the root of the repository: the path as it is given is the name that the
// file is registered under in programs.
//
// # Errors
//
// A line on standard error, and exit status 1.
//
// # Determinism
//
// The text depends on the file and on the versions in go.mod.
package main

import (
	"fmt"
	"os"
	"path"
	"strings"

	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/tools/protogen/generate"
)

func main() {
	if len(os.Args) != 2 || path.Ext(os.Args[1]) != ".proto" {
		fmt.Fprintln(os.Stderr, "usage: protogen FILE.proto")
		os.Exit(2)
	}
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func write(name string) error {
	source, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := generate.Go(name, string(source))
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(strings.TrimSuffix(name, ".proto")+".pb.go", []byte(text))
}
