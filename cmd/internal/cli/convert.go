package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/cmd/internal/progress"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/internal/shards"
	"github.com/skainet-dev/skainet-go/io/convert"
	"github.com/skainet-dev/skainet-go/io/safetensors"
	"github.com/skainet-dev/skainet-go/io/weights"
)

type convertFlags struct {
	out, format, report string
	tensors, exclude    convert.Names
	rules               []convert.Rule
	shard               command.ByteSize
	jobs                int
	overflow, beyond    bool
}

func newConvertCommand() *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "Write a weight file in another format, or with other types",
		Long: `Convert writes a weight file of any known format as GGUF, safetensors or an
archive, and a CTranslate2 file as CTranslate2; the output's name selects the format, or
--format. Bytes are copied as they
are, except for tensors that --dtype or --encoding gives another type; if
several match a tensor, the last one applies, and a type without a pattern applies to
all. Only floats and blocks are converted: tensors of integers and bools stay as
they are, and if a pattern requests blocks, so do vectors and matrices whose row
length is not a multiple of the block size; a pattern that matches only those is an error. Lost precision, and settings that the output cannot store, are
reported on standard error; --report lists them all.

With --max-shard-size the files are OUT-00001-of-00003.gguf and so on, even if
there is only one. In GGUF and safetensors it counts only the tensors, and a larger
tensor gets a separate file; in archives it is the size of a file.

In a pattern ` + globHelp + `.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	command.FlagOutput.Says("`file` to write").Text(cmd, &f.out, "")
	cmd.Flags().StringVar(&f.format, "format", "", "format to write, if the output's name does not imply it: "+strings.Join(convert.Formats(), ", "))
	cmd.Flags().Var(&rules{list: &f.rules, dense: true}, "dtype", "element type for tensors, as in `pattern=f16`; may be repeated")
	cmd.Flags().Var(&rules{list: &f.rules}, "encoding", "block encoding for tensors, as in `pattern=Q8_0`; may be repeated")
	cmd.Flags().StringArrayVar((*[]string)(&f.tensors), "tensors", nil, "write only tensors whose names match the `pattern`; may be repeated")
	cmd.Flags().StringArrayVar((*[]string)(&f.exclude), "exclude", nil, "omit tensors whose names match the `pattern`; may be repeated")
	cmd.Flags().Var(&f.shard, "max-shard-size", "split into files OUT-00001-of-00002 of at most this `size`, such as 4GiB")
	command.FlagJobs.Says("cores to convert elements on, 0 for all").Count(cmd, &f.jobs)
	cmd.Flags().BoolVar(&f.overflow, "allow-overflow", false, "let values that are too large for a smaller type become infinite")
	cmd.Flags().BoolVar(&f.beyond, "beyond-ggml", false, "write GGUF even if ggml, and so llama.cpp, refuses it: a tensor's name of more than 63 bytes, or an array of arrays")
	cmd.Flags().StringVar(&f.report, "report", "", "`file` for a report on each tensor (JSON)")
	command.Required(cmd, "output")
	return cmd
}

// rules is a flag that appends to the rules, which preserves the order of both flags.
type rules struct {
	list  *[]convert.Rule
	dense bool // an element type is requested, else an encoding
}

func (r *rules) Set(text string) error {
	rule, err := convert.ParseRule(text)
	if err != nil {
		return err
	}
	if dense := rule.To.Encoding.IsDense(); dense != r.dense {
		return fmt.Errorf("%s is not a %s", rule.To, map[bool]string{true: "element type", false: "block encoding"}[r.dense])
	}
	*r.list = append(*r.list, rule)
	return nil
}

func (r *rules) String() string { return "" }

// Type returns the name of a value in the help.
func (r *rules) Type() string { return "pattern=type" }

func (f *convertFlags) run(cmd *cobra.Command, in string) error {
	format := f.format
	if format == "" {
		var err error
		if format, err = convert.FormatFor(f.out); err != nil {
			return err
		}
	}
	if err := apart(f.out, f.shard > 0 || strings.HasSuffix(f.out, safetensors.IndexSuffix), in); err != nil {
		return err
	}
	if err := reportable(f.report, f.out, in); err != nil {
		return err
	}
	w, err := weights.Open(in)
	if err != nil {
		return err
	}
	defer w.Close()
	bar := progress.NewMeter(cmd.ErrOrStderr(), "converting")
	defer bar.Close()
	r, err := convert.Convert(f.out, format, w, convert.Options{
		Select: f.tensors, Exclude: f.exclude, Rules: f.rules, MaxShardSize: int64(f.shard), Workers: f.jobs, AllowOverflow: f.overflow, BeyondGGML: f.beyond,
		Progress: func(done, total int64, _ string) { bar.Report(done, total) },
	})
	if err != nil {
		return err
	}
	bar.Close()
	warn(cmd, r.Warnings())
	return writeReport(f.report, r)
}

// warn prints lines of warnings.
func warn(cmd *cobra.Command, lines []string) {
	for _, line := range lines {
		fmt.Fprintln(cmd.ErrOrStderr(), "skainet: warning:", line)
	}
}

// apart returns an error if out, or with sharded one of its shards, is one of the files
// that are read with these, and would be replaced.
func apart(out string, sharded bool, files ...string) error {
	if sharded {
		reads := weights.Reads(files...)
		if own := shards.Of(out, reads...); len(own) > 0 {
			return command.Apart(own[0], own...)
		}
		return command.Apart(out, reads...)
	}
	if _, err := os.Stat(out); err == nil {
		files = weights.Reads(files...)
	}
	return command.Apart(out, files...)
}

// reportable returns an error if a report cannot be written, or would replace the output
// or a file that is read, before the work is done.
func reportable(path, out string, files ...string) error {
	if path == "" {
		return nil
	}
	if err := command.Apart(path, out); err != nil {
		return err
	}
	if err := apart(path, false, files...); err != nil {
		return err
	}
	return atomicfile.Check(path)
}

// writeReport writes a report if one is requested.
func writeReport(path string, report any) error {
	if path == "" {
		return nil
	}
	data, err := display.JSON(report)
	if err != nil {
		return err
	}
	return errs.WithFile(atomicfile.WriteFile(path, data), path)
}
