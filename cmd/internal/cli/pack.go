package cli

import (
	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/pack"
)

type packFlags struct {
	contract, weights, constants, scope, out, report string
	shard                                            command.ByteSize
	shards                                           int
	jobs                                             int
	overflow, noSync, zeros                          bool
}

func newPackCommand() *cobra.Command {
	var f packFlags
	cmd := &cobra.Command{
		Use:   "pack [--contract FILE] [--weights FILE] [--constants FILE] -o OUT.irpa",
		Short: "Pack the parameters that a program needs, or a whole weight file, into an archive",
		Long: `Pack copies the parameters of one scope, in the order of the program's
contract, from a weight file and from the constants that were exported with
the program. Every parameter's type, shape and length is checked first. A
parameter that the program needs in another type than the file's is converted
on the way; lost precision is reported on standard error, and --report lists
each conversion.

Without --contract all tensors of the weight file are copied as they are, with
their types and shapes. Other metadata is dropped, since an archive has no place
for it: this is reported on standard error, and --report lists what was dropped.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	command.FlagContract.Text(cmd, &f.contract, "")
	cmd.Flags().StringVar(&f.weights, "weights", "", "weight `file`, of any known format")
	cmd.Flags().StringVar(&f.constants, "constants", "", "`archive` with the constants of the model's own code")
	cmd.Flags().StringVar(&f.scope, "scope", "model", "scope of the parameters to pack")
	cmd.Flags().Var(&f.shard, "max-shard-size", "split into archives OUT-00001-of-00002.irpa of at most this `size`, such as 4GiB")
	cmd.Flags().IntVar(&f.shards, "shards", 0, "split into this many archives, as evenly as the order of the parameters allows; with --max-shard-size none may be larger")
	command.FlagJobs.Says("cores to convert elements on, 0 for all").Count(cmd, &f.jobs)
	cmd.Flags().BoolVar(&f.overflow, "allow-overflow", false, "let values that are too large for a smaller type become infinite")
	cmd.Flags().BoolVar(&f.zeros, "zeros", false, "make zeros of the parameters that the weight file lacks; without --weights of all of the scope, for an adapter that changes nothing")
	cmd.Flags().BoolVar(&f.noSync, "no-sync", false, "do not sync to disk, for an archive that can be rebuilt after a power failure")
	cmd.Flags().StringVar(&f.report, "report", "", "`file` for a report on each parameter (JSON)")
	command.FlagOutput.Says("`archive` to write").Text(cmd, &f.out, "")
	command.Required(cmd, "output")
	cmd.MarkFlagsOneRequired("contract", "weights")
	return cmd
}

func (f *packFlags) run(cmd *cobra.Command) error {
	if f.contract == "" && f.constants != "" {
		return errs.New(CodeUsage, "--constants needs a contract").Hint("give it with --contract")
	}
	if f.shards < 0 || f.shards == 0 && cmd.Flags().Changed("shards") {
		return errs.New(CodeUsage, "%d shards", f.shards).Hint("give a number of at least 1, or omit --shards")
	}
	if err := reportable(f.report, f.out, f.contract, f.weights, f.constants); err != nil {
		return err
	}
	if err := apart(f.out, f.shard > 0 || f.shards > 0, f.contract, f.weights, f.constants); err != nil {
		return err
	}
	bar := progress.NewMeter(cmd.ErrOrStderr(), "packing")
	defer bar.Close()
	o := pack.Options{
		Workers: f.jobs, AllowOverflow: f.overflow, MaxShardSize: int64(f.shard), Shards: f.shards, NoSync: f.noSync, Zeros: f.zeros,
		Progress: func(done, total int64, _ string) { bar.Report(done, total) },
	}
	report, err := pack.Files(f.out, pack.Inputs{Contract: f.contract, Weights: f.weights, Constants: f.constants}, f.scope, o)
	if err != nil {
		return err
	}
	bar.Close()
	warn(cmd, report.Warnings())
	return writeReport(f.report, report)
}
