// Command extract writes the metadata of a GGUF file that package textmodel reads,
// tokenizer and chat template, to a GGUF file without tensors.
//
//	extract --weights FILE.gguf --output TOKENIZER.gguf
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/text/generate/textmodel"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	var weights, output string
	cmd := &cobra.Command{
		Use:           "extract --weights FILE.gguf --output TOKENIZER.gguf",
		Short:         "Write the tokenizer and the chat template of a GGUF file to a file of their own",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(*cobra.Command, []string) error { return textmodel.Extract(weights, output) },
	}
	cmd.Flags().StringVar(&weights, "weights", "", "the GGUF file")
	cmd.Flags().StringVar(&output, "output", "", "the file to write")
	for _, name := range []string{"weights", "output"} {
		_ = cmd.MarkFlagRequired(name) // it fails for a flag that is not there
	}
	cmd.SetArgs(args)
	cmd.SetErr(stderr)
	if err := cmd.Execute(); err != nil {
		fmt.Fprintln(stderr, "extract:", err)
		return 1
	}
	return 0
}
