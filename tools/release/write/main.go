// Command write is the action of the rule release: it writes a release to a folder.
//
// # Errors
//
// USAGE for a word that is not NAME=FILE; those of package release.
//
// # Determinism
//
// As package release.
package main

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/atomicfile"
	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/internal/release"
)

func main() { command.Tool(newCommand()) }

func newCommand() *cobra.Command {
	var o release.Options
	var files, models, sources, parity []string
	cmd := &cobra.Command{
		Use: "write --version VERSION --file NAME=FILE... --out FOLDER", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			o.Files, o.Parity = map[string]string{}, map[string]string{}
			for _, list := range []struct {
				words []string
				take  func(name, path string) bool
			}{
				{files, func(name, path string) bool { return into(o.Files, name, path) }},
				{models, func(name, path string) bool { o.Models = append(o.Models, name); return into(o.Files, name, path) }},
				{sources, func(name, path string) bool {
					o.Sources = append(o.Sources, release.Source{Name: name, Path: path})
					return true
				}},
				{parity, func(name, path string) bool { return into(o.Parity, name, path) }},
			} {
				for _, word := range list.words {
					name, path, ok := strings.Cut(word, "=")
					if !ok || name == "" || path == "" {
						return errs.New(command.CodeUsage, "%q is not NAME=FILE", word)
					}
					if !list.take(name, path) {
						return errs.New(release.CodeInput, "two files are called %q", name)
					}
				}
			}
			if err := os.MkdirAll(o.Out, 0o777); err != nil {
				return errs.Wrap(atomicfile.CodeWrite, err, "the folder cannot be made").In(o.Out)
			}
			return release.Write(o)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Version, "version", "", "of the module")
	f.StringArrayVar(&files, "file", nil, "a file of the release")
	f.StringArrayVar(&models, "model", nil, "the tar of a model")
	f.StringArrayVar(&sources, "source", nil, "a file of the checkout that says what the release is made from")
	f.StringArrayVar(&parity, "parity", nil, "what a parity test printed")
	f.StringVar(&o.Out, "out", "", "folder to write to")
	return cmd
}

// into adds a file, unless there is one of the name.
func into(files map[string]string, name, path string) bool {
	if _, twice := files[name]; twice {
		return false
	}
	files[name] = path
	return true
}
