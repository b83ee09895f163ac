// Command textsizes writes a table of programs' texts: how long they are, and how long with
// the weights inside, as exporters write them that know no parameters. Both are made: the
// long text is written out and counted.
//
//	textsizes OUT NAME TEXT ARCHIVE...
//
// # Errors
//
// TEXT_SIZES_USAGE for arguments that are not triples, TEXT_SIZES_FILE for a text that
// does not declare a parameter of its archive, and those of package irpa.
//
// # Determinism
//
// The table depends on the files alone.
package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/skainet-dev/skainet-go/compile/hlo"
	"github.com/skainet-dev/skainet-go/compile/hlo/verify"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/io/irpa"
)

// Codes of this command.
const (
	codeUsage errs.Code = "TEXT_SIZES_USAGE" // smallest input: no argument
	codeFile  errs.Code = "TEXT_SIZES_FILE"  // smallest input: an empty text
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "textsizes:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 || len(args)%3 != 1 {
		return errs.New(codeUsage, "%d arguments are given", len(args)).Hint("give OUT NAME TEXT ARCHIVE...")
	}
	b := bytes.NewBufferString("|===\n|Model |Operations |Weights |Text with them |Text without\n\n")
	for i := 1; i < len(args); i += 3 {
		if err := row(b, args[i], args[i+1], args[i+2]); err != nil {
			return err
		}
	}
	b.WriteString("|===\n")
	return atomicfile.WriteFile(args[0], b.Bytes())
}

// row measures one program.
func row(b *bytes.Buffer, name, text, archive string) error {
	t, err := os.ReadFile(text)
	if err != nil {
		return errs.Wrap(codeFile, err, "cannot read the text").In(text)
	}
	ops, err := verify.Operations(text, t)
	if err != nil {
		return err
	}
	a, err := irpa.Open(archive)
	if err != nil {
		return err
	}
	defer a.Close()
	var long counter
	weights, err := inline(&long, t, a)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "|%s |%d |%s |%s |%s\n", name, ops, humanize.Bytes(uint64(weights)), humanize.Bytes(uint64(long)), humanize.Bytes(uint64(len(t))))
	return nil
}

// inline writes the text with each parameter's elements in its declaration, and returns the
// bytes of the parameters.
func inline(to io.Writer, text []byte, a *irpa.File) (weights int64, err error) {
	w := bufio.NewWriter(to)
	keys := map[string]string{}
	for _, e := range a.Entries() {
		keys["util.global private "+hlo.Symbol(e.Name)] = e.Name
	}
	for line := range strings.Lines(string(text)) {
		declared, rest, ok := strings.Cut(line, " = #flow.parameter.named<")
		key, known := keys[strings.TrimSpace(declared)]
		if !ok || !known {
			fmt.Fprint(w, line)
			continue
		}
		t, err := a.Tensor(key)
		if err != nil {
			return 0, err
		}
		data, err := t.Bytes()
		if err != nil {
			return 0, err
		}
		_, rest, _ = strings.Cut(rest, " : ")
		fmt.Fprintf(w, "%s = dense<\"0x%s\"> : %s", declared, strings.ToUpper(hex.EncodeToString(data)), rest)
		weights += int64(len(data))
		delete(keys, strings.TrimSpace(declared))
		if err := t.Close(); err != nil {
			return 0, err
		}
	}
	if len(keys) > 0 {
		return 0, errs.New(codeFile, "%d parameters of the archive are not declared", len(keys)).In(a.Path())
	}
	return weights, w.Flush()
}

// counter counts what is written.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
