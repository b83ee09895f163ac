// Command chat talks to a language model: it continues a prompt, or answers turn by turn,
// and writes the text as it is generated.
package main

import (
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/cmd/internal/talk"
	"github.com/skainet-dev/skainet-go/internal/command"
)

// parts locates the program of a model; //text/generate:defs.bzl sets it.
var parts program.Parts

func main() {
	child.Main() // serves where a parent started this program for that
	command.Program(talk.NewProgramCommand(&parts))
}
