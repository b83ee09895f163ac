// Command embed is the action of iree_go_embed and iree_c_embed: it writes
// the source that embeds a small program in a binary.
//
// # Errors
//
// EMBED_ARCHIVE if the program's parameters and the archive
// do not match, EMBED_LARGE for files that are too large to
// embed, EMBED_NAMES for names that clash as C macros or are not
// valid in the source, EMBED_OUTPUT for a source that would overwrite
// an input, and the CONTRACT_* codes of an invalid contract.
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

// maxBytes is the maximum embedded size: compilers need
// many times the size of a source in memory.
const maxBytes = 64 << 20

// options holds the arguments of the action.
type options struct {
	name, label, scope          string
	program, contract           string
	archives                    []string
	goPackage, goOut            string
	header, source, includeName string
}

// inputs holds the files, read and checked against each other.
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
			return nil, errs.New(CodeLarge, "%d archives have more than %d bytes in total", len(o.archives), maxBytes).In(path).
				Hint("load them from files at run time")
		}
		in.archives = append(in.archives, archive)
	}
	return &in, in.fit(o)
}

func small(path string) ([]byte, error) {
	if st, err := os.Stat(path); err == nil && st.Size() > maxBytes {
		return nil, errs.New(CodeLarge, "%d bytes; at most %d can be embedded", st.Size(), maxBytes).In(path).
			Hint("load it from a file at run time")
	}
	return regular.Read(path, maxBytes)
}

// fit returns an error if the binary would lack parameters at run time.
func (in *inputs) fit(o options) error {
	for _, p := range in.contract.Parameters {
		switch {
		case len(o.archives) == 0:
			return errs.New(CodeArchive, "the program reads parameter %q of scope %q", p.Key, p.Scope).On(o.label).
				Hint("give its irpa_archive as archive, or export it with constants = \"inline\"")
		case p.Scope != o.scope:
			return errs.New(CodeArchive, "the program reads scope %q, but the archive's scope is %q", p.Scope, o.scope).On(o.label).
				Hint("give the irpa_archive of this program")
		}
	}
	return nil
}

func (o options) inputs() []string { return slices.Concat([]string{o.program, o.contract}, o.archives) }

// check validates the arguments of the action: names that would break out of the
// source that they are written into, and outputs that would overwrite inputs.
func (o options) check() error {
	for _, out := range []string{o.goOut, o.header, o.source} {
		for _, in := range o.inputs() {
			if out != "" && in != "" && atomicfile.Same(out, in) {
				return errs.New(CodeOutput, "this file is an input, and would be overwritten").In(out).Hint("give the source another name")
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
			return errs.New(CodeNames, "--name %q is not a C identifier", o.name).On(o.label).Hint("use only letters, digits and _")
		}
		if o.includeName == "" || !printable(o.includeName) || strings.ContainsAny(o.includeName, `"\`) {
			return errs.New(CodeNames, "--include %q is not a valid header name", o.includeName).On(o.label)
		}
		return nil
	}
	if !token.IsIdentifier(o.goPackage) || o.goPackage == "_" {
		return errs.New(CodeNames, "--package %q is not a valid Go package name", o.goPackage).On(o.label).
			Hint("set package, or an importpath whose last element has only letters, digits and _")
	}
	for _, path := range o.inputs() {
		if path != "" && !embedded.MatchString(filepath.Base(path)) {
			return errs.New(CodeNames, "//go:embed does not accept this file name unquoted").In(path).Hint("use only letters, digits and -._+=")
		}
	}
	return nil
}

var (
	cName    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	embedded = regexp.MustCompile(`^[\pL\pN_+=-][\pL\pN._+=-]*$`) // one word that is not a pattern
)

// printable reports whether text fits on one line of a comment or between quotes.
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
