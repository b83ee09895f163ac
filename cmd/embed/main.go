// Command embed prints the similarity of sentences.
package main

import (
	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/backend/xla/child"
	"github.com/skainet-dev/skainet-go/cmd/internal/embedding"
	"github.com/skainet-dev/skainet-go/internal/command"
)

func main() {
	child.Main() // serves where a parent started this program for that
	command.Program(embedding.NewProgramCommand(&parts))
}

// parts locates the program of a model; //models/bert sets it.
var parts program.Parts
