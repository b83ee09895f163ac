// Command index is the action of weights_index: it writes a weight file's index
// as JSON. It is a separate program so that only a change to package io reindexes.
package main

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/weights"
)

func main() { command.Tool(newCommand()) }

// The command is called skainet in messages, the name that a user knows.
func newCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use: "skainet WEIGHTS --output INDEX.json", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := weights.Open(args[0])
			if err != nil {
				return err
			}
			defer w.Close()
			x, err := w.Index()
			if err != nil {
				return err
			}
			data, err := x.Marshal()
			if err != nil {
				return err
			}
			return command.Emit(cmd, out, data, w.Reads()...)
		},
	}
	cmd.Flags().StringVar(&out, "output", "", "index to write")
	return cmd
}
