// Command makeadapter writes an adapter of made-up numbers (package adapters) for build
// rules:
//
//	makeadapter --seed NAME --rank N --alpha N --blocks N --size N --module INxOUT=NAME... DIR
package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/test/adapters"
)

func main() { command.Tool(newCommand()) }

func newCommand() *cobra.Command {
	var a adapters.Adapter
	var modules []string
	cmd := &cobra.Command{
		Use: "makeadapter DIR", Short: "Make an adapter", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, text := range modules {
				var m adapters.Module
				if _, err := fmt.Sscanf(text, "%dx%d=%s", &m.In, &m.Out, &m.Name); err != nil {
					return fmt.Errorf("--module %s: %w", text, err)
				}
				a.Modules = append(a.Modules, m)
			}
			return a.Write(args[0])
		},
	}
	f := cmd.Flags()
	f.StringVar(&a.Seed, "seed", "", "what the numbers depend on")
	f.Int64Var(&a.Rank, "rank", 8, "rank")
	f.Float64Var(&a.Alpha, "alpha", 16, "lora_alpha")
	f.Int64Var(&a.Blocks, "blocks", 1, "transformer blocks")
	f.Float64Var(&a.Size, "size", 0.02, "largest magnitude of B's elements")
	f.StringArrayVar(&modules, "module", nil, "linear layer, `INxOUT=NAME`; may be repeated")
	return cmd
}
