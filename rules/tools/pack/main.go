// Command pack runs the actions of irpa_archive: it packs the parameters of a
// program, and compares the archive with the program's contract. It is a separate
// program so that only a change to package io repacks.
package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	_ "github.com/skainet-dev/skainet-go/compile/import/hloweights" // texts hold weights
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/pack"
)

func main() { command.Tool(newCommand()) }

// The command is called skainet in messages, the name that a user knows.
func newCommand() *cobra.Command {
	root := &cobra.Command{Use: "skainet", Short: "Archives of parameters"}
	root.AddCommand(packCommand(), joinCommand(), verifyCommand())
	return root
}

func packCommand() *cobra.Command {
	var in pack.Inputs
	var scope, out string
	var shard command.ByteSize
	o := pack.Options{NoSync: true} // Bazel rebuilds it after a power failure
	cmd := &cobra.Command{
		Use: "pack --contract FILE --constants FILE [--weights FILE] --output OUT.irpa", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.MaxShardSize = int64(shard)
			for _, file := range []string{in.Contract, in.Weights, in.Constants} {
				if err := command.Apart(out, file); err != nil {
					return err
				}
			}
			report, err := pack.Files(out, in, scope, o)
			if err != nil {
				return err
			}
			for _, line := range report.Warnings() {
				fmt.Fprintln(cmd.ErrOrStderr(), "skainet: warning:", line)
			}
			return nil
		},
	}
	f := cmd.Flags()
	command.FlagContract.Text(cmd, &in.Contract, "")
	f.StringVar(&in.Weights, "weights", "", "weight file")
	f.StringVar(&in.Constants, "constants", "", "archive of the model's own constants")
	f.StringVar(&scope, "scope", command.DefaultScope, "scope of the parameters")
	f.BoolVar(&o.Zeros, "zeros", false, "make zeros of the parameters that the weight file lacks")
	f.Var(&shard, "max-shard-size", "maximum size of an archive")
	f.IntVar(&o.Shards, "shards", 0, "how many archives to make")
	f.StringVar(&out, "output", "", "archive to write")
	command.Required(cmd, "contract", "output")
	return cmd
}

func joinCommand() *cobra.Command {
	var archives, contracts []string
	var name, out, contract string
	cmd := &cobra.Command{
		Use: "join --name NAME --archive FILE... --contract FILE... --output OUT.irpa --output-contract OUT.json", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			for _, to := range []string{out, contract} {
				for _, file := range slices.Concat(archives, contracts) {
					if err := command.Apart(to, file); err != nil {
						return err
					}
				}
			}
			return pack.Join(out, contract, name, archives, contracts, true)
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "name of the joined contract")
	f.StringArrayVar(&archives, "archive", nil, "archive to join; repeated")
	f.StringArrayVar(&contracts, "contract", nil, "contract of an archive; repeated")
	f.StringVar(&out, "output", "", "archive to write")
	f.StringVar(&contract, "output-contract", "", "its contract")
	command.Required(cmd, "name", "archive", "contract", "output", "output-contract")
	return cmd
}

func verifyCommand() *cobra.Command {
	var contract, scope, out string
	var archives []string
	cmd := &cobra.Command{
		Use: "verify --contract FILE --archive [SCOPE=]FILE... --output FILE", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			paths := command.Archives(archives, scope)
			said, err := pack.CheckFiles(contract, paths)
			if err != nil {
				return err
			}
			return command.Emit(cmd, out, said, slices.Concat([]string{contract}, slices.Concat(slices.Collect(maps.Values(paths))...))...)
		},
	}
	f := cmd.Flags()
	command.FlagContract.Text(cmd, &contract, "")
	f.StringVar(&scope, "scope", command.DefaultScope, "scope of the archives that name none")
	command.FlagArchive.Texts(cmd, &archives)
	f.StringVar(&out, "output", "", "file to write on success")
	command.Required(cmd, "contract", "archive", "output")
	return cmd
}
