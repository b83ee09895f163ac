package cli

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/io/pack"
	"github.com/skainet-dev/skainet-go/io/weights"
)

// CodeFaults is the code of a file in which verify found something.
const CodeFaults errs.Code = "VERIFY_FAULTS"

type verifyFlags struct {
	contract, scope, out string
	archives             []string
	json                 bool
}

func newVerifyCommand() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify FILE... | verify --contract FILE --archive FILE...",
		Short: "List every fault of a file, or check that archives hold what a program needs",
		Long: `Verify checks the structure of a weight file or an archive and lists every
fault that it finds, up to 1000, each with its code. It looks at more than
other commands do before they use a file, such as padding. Values are not read.

A FILE whose name ends in .mlir is a program: its text is read as the compiler
would, and every value and type in it is checked.

With --contract and --archive it compares the parameters of one scope with the
archives that a run would be given for it: the same keys, each once, with the
same lengths. The runtime checks neither before it runs, and takes a parameter
that is too long.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 0 && f.contract == "" && f.archives == nil:
				return f.files(cmd, args)
			case len(args) == 0 && f.contract != "" && f.archives != nil:
				return f.scopeOf(cmd)
			}
			return errs.New(CodeUsage, "verify takes files, or --contract and --archive").Hint("see %s --help", cmd.CommandPath())
		},
	}
	cmd.Flags().StringVar(&f.contract, "contract", "", "contract `file` of the program")
	cmd.Flags().StringArrayVar(&f.archives, "archive", nil, "parameter `archive`; may be given again")
	cmd.Flags().StringVar(&f.scope, "scope", "model", "scope of the parameters to check")
	cmd.Flags().BoolVar(&f.json, "json", false, "print the faults of a FILE as JSON")
	cmd.Flags().StringVarP(&f.out, "output", "o", "", "`file` for the answer where there is no fault, in place of the standard output")
	cmd.MarkFlagsMutuallyExclusive("contract", "json")
	return cmd
}

// scopeOf checks archives against a contract.
func (f *verifyFlags) scopeOf(cmd *cobra.Command) error {
	c, err := readContract(f.contract)
	if err != nil {
		return err
	}
	var archives []*irpa.File
	for _, path := range f.archives {
		a, err := irpa.Open(path)
		if err != nil {
			return err
		}
		defer a.Close()
		archives = append(archives, a)
	}
	if err := pack.CheckArchive(c, f.scope, archives...); err != nil {
		return err
	}
	return emit(cmd, f.out, fmt.Appendf(nil, "%s: scope %q is complete\n", c.Name, f.scope), append(f.archives, f.contract)...)
}

// verdict is the JSON form of what verify found.
type verdict struct {
	File   string  `json:"file"`
	Format string  `json:"format"`
	Faults []fault `json:"faults"`
}

type fault struct {
	Code   errs.Code `json:"code"`
	File   string    `json:"file,omitempty"` // where another one than that of the command line is at fault
	Offset *int64    `json:"offset,omitempty"`
	Node   string    `json:"node,omitempty"`
	What   string    `json:"what"`
	Do     string    `json:"do,omitempty"`
}

// files lists the faults of each file; the error is of the first that has any.
func (f *verifyFlags) files(cmd *cobra.Command, paths []string) error {
	var all []byte
	var first error
	for _, path := range paths {
		format, faults, err := faultsOf(path)
		if err != nil {
			return err
		}
		data, err := f.verdict(path, format, faults)
		if err != nil {
			return err
		}
		all = append(all, data...)
		if first == nil && len(faults) > 0 {
			what := "fetch or make it again"
			if format == programText {
				what = "correct it or make it again"
			}
			first = errs.New(CodeFaults, "%s", count(len(faults))).In(path).Hint("do not use the file; %s", what)
		}
	}
	out := f.out
	if first != nil {
		out = "" // a build takes the file as a sign that all is well
	}
	if err := emit(cmd, out, all, paths...); err != nil {
		return err
	}
	return first
}

const programText = "StableHLO text"

// faultsOf gives the format of a file and what is wrong with it.
func faultsOf(path string) (format string, faults []error, err error) {
	if strings.HasSuffix(path, ".mlir") {
		faults, err = verify.File(path)
		return programText, faults, err
	}
	if format, err = weights.FormatOf(path); err != nil {
		return "", nil, err
	}
	faults, err = weights.Verify(path)
	return format, faults, err
}

func (f *verifyFlags) verdict(path, format string, faults []error) ([]byte, error) {
	if f.json {
		v := verdict{path, format, []fault{}}
		for _, err := range faults {
			v.Faults = append(v.Faults, describe(err, path))
		}
		return marshal(v)
	}
	var b bytes.Buffer
	for _, err := range faults {
		fmt.Fprintln(&b, err)
	}
	fmt.Fprintf(&b, "%s: %s, %s\n", printable(path), format, count(len(faults)))
	return b.Bytes(), nil
}

func describe(err error, path string) fault {
	var e *errs.Error
	if !errors.As(err, &e) {
		return fault{What: err.Error()}
	}
	f := fault{Code: e.Code, Node: e.Node, What: e.What, Do: e.Do}
	if e.File != path {
		f.File = e.File
	}
	if e.HasOffset {
		f.Offset = &e.Offset
	}
	if e.Cause != nil {
		f.What += ": " + e.Cause.Error()
	}
	return f
}

// maxFaults is how many a format lists.
const maxFaults = 1000

func count(faults int) string {
	switch {
	case faults == 0:
		return "no fault"
	case faults == 1:
		return "1 fault"
	case faults >= maxFaults:
		return fmt.Sprintf("%d faults or more", faults)
	}
	return fmt.Sprintf("%d faults", faults)
}
