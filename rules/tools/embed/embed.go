// Command embed is the action of iree_go_embed and iree_c_embed: it writes the
// source with which a small program is part of a binary.
//
// # Errors
//
// EMBED_ARCHIVE where the program's parameters and the archive do not go
// together, EMBED_LARGE for files that are too large to be part of a binary,
// EMBED_NAMES for names that C's macros cannot tell apart or that are not what
// their place in the source takes, EMBED_OUTPUT for a source that would replace a
// file that is read, and the CONTRACT_* codes of a contract that is none.
//
// # Determinism
//
// The text depends only on the contract, the bytes and the names.
package main

import (
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/skainet-dev/skainet-go/compile/contract"
	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/regular"
)

// Codes of this package.
const (
	CodeArchive errs.Code = "EMBED_ARCHIVE" // smallest input: a program with a parameter, no archive
	CodeLarge   errs.Code = "EMBED_LARGE"   // smallest input: a program of 64 MiB and a byte
	CodeNames   errs.Code = "EMBED_NAMES"   // smallest input: arguments x and X, in C
	CodeOutput  errs.Code = "EMBED_OUTPUT"  // smallest input: --program x --go x
)

// maxBytes is the most that is embedded: compilers take memory for a source many
// times its bytes, and a program's start reads them all.
const maxBytes = 64 << 20

// options are the words of the action.
type options struct {
	name, label, scope          string
	program, contract           string
	archives                    []string
	goPackage, goOut            string
	header, source, includeName string
}

// inputs are the files, read and checked against each other.
type inputs struct {
	contract *contract.Contract
	program  []byte
	archives [][]byte
}

func read(o options) (*inputs, error) {
	var in inputs
	var err error
	if in.contract, err = contract.ReadFile(o.contract); err != nil {
		return nil, err
	}
	if in.program, err = small(o.program); err != nil {
		return nil, err
	}
	total := int64(0)
	for _, path := range o.archives {
		archive, err := small(path)
		if err != nil {
			return nil, err
		}
		if total += int64(len(archive)); total > maxBytes {
			return nil, errs.New(CodeLarge, "%d archives of more than %d bytes together", len(o.archives), maxBytes).In(path).
				Hint("load them from files at run time")
		}
		in.archives = append(in.archives, archive)
	}
	return &in, in.fit(o)
}

func small(path string) ([]byte, error) {
	if st, err := os.Stat(path); err == nil && st.Size() > maxBytes {
		return nil, errs.New(CodeLarge, "%d bytes; at most %d are made part of a binary", st.Size(), maxBytes).In(path).
			Hint("load it from a file at run time")
	}
	return regular.Read(path, maxBytes)
}

// fit finds parameters that the binary would miss when it runs.
func (in *inputs) fit(o options) error {
	for _, p := range in.contract.Parameters {
		switch {
		case len(o.archives) == 0:
			return errs.New(CodeArchive, "the program reads parameter %q of scope %q", p.Key, p.Scope).On(o.label).
				Hint("give its irpa_archive as archive, or export it with constants = \"inline\"")
		case p.Scope != o.scope:
			return errs.New(CodeArchive, "the program reads scope %q, the archive serves %q", p.Scope, o.scope).On(o.label).
				Hint("give the irpa_archive of this program")
		}
	}
	return nil
}

func (o options) inputs() []string { return slices.Concat([]string{o.program, o.contract}, o.archives) }

// check finds what is wrong with the words of the action: names that would end
// what they are written into, and files that would replace what is read.
func (o options) check() error {
	for _, out := range []string{o.goOut, o.header, o.source} {
		for _, in := range o.inputs() {
			if out != "" && in != "" && atomicfile.Same(out, in) {
				return errs.New(CodeOutput, "this file is read, and would be replaced").In(out).Hint("give the source another name")
			}
		}
	}
	for _, word := range [][2]string{{"--label", o.label}, {"--archive-scope", o.scope}} {
		if !printable(word[1]) {
			return errs.New(CodeNames, "%s %q is not one line of text", word[0], word[1])
		}
	}
	if o.goOut == "" {
		if !cName.MatchString(o.name) {
			return errs.New(CodeNames, "--name %q is no identifier of C", o.name).On(o.label).Hint("write one of letters, digits and _")
		}
		if o.includeName == "" || !printable(o.includeName) || strings.ContainsAny(o.includeName, `"\`) {
			return errs.New(CodeNames, "--include %q is no name of a header", o.includeName).On(o.label)
		}
		return nil
	}
	if !token.IsIdentifier(o.goPackage) || o.goPackage == "_" {
		return errs.New(CodeNames, "--package %q is no name of a Go package", o.goPackage).On(o.label).
			Hint("give package, or an importpath that ends in a name of letters, digits and _")
	}
	for _, path := range o.inputs() {
		if path != "" && !embedded.MatchString(filepath.Base(path)) {
			return errs.New(CodeNames, "//go:embed takes no file of this name as it is").In(path).Hint("name it with letters, digits and -._+=")
		}
	}
	return nil
}

var (
	cName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	embedded = regexp.MustCompile(`^[\pL\pN_+=-][\pL\pN._+=-]*$`) // no pattern, and one word
)

// printable reports whether text is one line, of a comment or between quotes.
func printable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

func write(o options) error {
	if err := o.check(); err != nil {
		return err
	}
	in, err := read(o)
	if err != nil {
		return err
	}
	if o.goOut != "" {
		return writeGo(o)
	}
	return writeC(o, in)
}

var goText = template.Must(template.New("go").Parse(`// Code generated by iree_go_embed from {{.Label}}. DO NOT EDIT.

// Package {{.Package}} holds a compiled program as bytes.
package {{.Package}}

import _ "embed"

// Program is the compiled program, a .vmfb.
//
//go:embed {{.Program}}
var Program []byte

{{if eq (len .Archives) 1}}// Scope is the parameter scope that Archive serves.
const Scope = {{printf "%q" .Scope}}

// Archive holds the program's parameters, an .irpa.
//
//go:embed {{index .Archives 0}}
var Archive []byte

{{else if .Archives}}// Scope is the parameter scope that Archives serve.
const Scope = {{printf "%q" .Scope}}

// Archives hold the program's parameters, each an .irpa.
var Archives = [][]byte{ {{- range $i, $a := .Archives}}{{if $i}}, {{end}}archive{{$i}}{{end -}} }

var (
{{- range $i, $a := .Archives}}
	//go:embed {{$a}}
	archive{{$i}} []byte
{{- end}}
)

{{end}}// Contract describes the entry points, as JSON for contract.Parse.
//
//go:embed {{.Contract}}
var Contract []byte
`))

func writeGo(o options) error {
	var archives []string
	for _, path := range o.archives {
		archives = append(archives, filepath.Base(path))
	}
	var b strings.Builder
	err := goText.Execute(&b, map[string]any{
		"Label": o.label, "Package": o.goPackage, "Scope": o.scope,
		"Program": filepath.Base(o.program), "Archives": archives, "Contract": filepath.Base(o.contract),
	})
	if err != nil {
		return errs.Wrap(atomicfile.CodeWrite, err, "cannot write the source").In(o.goOut)
	}
	return atomicfile.WriteFile(o.goOut, []byte(b.String()))
}
