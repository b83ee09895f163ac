// Command extract writes the metadata that package textmodel reads from a GGUF file,
// tokenizer and chat template, to a GGUF file without tensors.
//
//	extract --weights FILE.gguf --output TOKENIZER.gguf
package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

func main() { command.Program(newCommand()) }

func newCommand() *cobra.Command {
	var weights, output string
	cmd := &cobra.Command{
		Use:   "extract --weights FILE.gguf --output TOKENIZER.gguf",
		Short: "Write the tokenizer and the chat template of a GGUF file to a separate file",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return textmodel.Extract(weights, output) },
	}
	cmd.Flags().StringVar(&weights, "weights", "", "the GGUF file")
	cmd.Flags().StringVar(&output, "output", "", "the file to write")
	for _, name := range []string{"weights", "output"} {
		_ = cmd.MarkFlagRequired(name) // it only fails for an unknown flag
	}
	return cmd
}
