// Command golibrary is the action of skainet_go_library: it writes a Go package that calls a
// model, with a method for each entry point of its contract.
//
// # Errors
//
// GO_LIBRARY_PACKAGE for a name that is no Go package's, GO_LIBRARY_LARGE for files that are
// too large to embed; CONTRACT_* of an invalid contract.
//
// # Determinism
//
// The text depends only on the contract and the arguments.
package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Codes of this package.
const (
	CodePackage errs.Code = "GO_LIBRARY_PACKAGE" // smallest input: --package func
	CodeLarge   errs.Code = "GO_LIBRARY_LARGE"   // smallest input: an archive of 64 MiB and a byte
)

// maxBytes is the maximum of embedded bytes: the linker holds them in memory, and a program
// writes them to files each time that it starts.
const maxBytes = 64 << 20

// options holds the arguments of the action.
type options struct {
	label, contract, pkg, out string
	embedded                  []string
}

func main() { command.Tool(newCommand()) }

func newCommand() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "golibrary --contract FILE --package NAME --out FILE", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return write(o) },
	}
	f := cmd.Flags()
	command.FlagContract.Text(cmd, &o.contract, "")
	f.StringVar(&o.label, "label", "", "the target, for comments and messages")
	f.StringVar(&o.pkg, "package", "", "the Go package's name")
	f.StringVar(&o.out, "out", "", "Go source to write")
	f.StringArrayVar(&o.embedded, "embedded", nil, "a file that the package holds, to be measured; may be repeated")
	return cmd
}

func write(o options) error {
	if err := o.small(); err != nil {
		return err
	}
	data, err := regular.Read(o.contract, regular.MaxDocument)
	if err != nil {
		return err
	}
	c, err := contract.Parse(data)
	if err != nil {
		return errs.WithFile(err, o.contract)
	}
	source, err := generate(o.label, o.pkg, c)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(o.out, source)
}

// small is an error if the files are too large to embed.
func (o *options) small() error {
	var total int64
	for _, path := range o.embedded {
		st, err := os.Stat(path)
		if err != nil {
			return errs.Wrap(regular.CodeOpen, err, "cannot be read").In(path)
		}
		if total += st.Size(); total > maxBytes {
			return errs.New(CodeLarge, "the %d files to embed have more than %d bytes in total", len(o.embedded), maxBytes).In(filepath.Base(path)).On(o.label).
				Hint("leave out embed: the package then finds the files next to the binary")
		}
	}
	return nil
}
