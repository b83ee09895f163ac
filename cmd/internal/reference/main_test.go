package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/cmd/internal/cli"
)

// TestPage: each command of skainet has a section with each of its flags.
func TestPage(t *testing.T) {
	got, err := page(nil)
	require.NoError(t, err)
	commands := tree(cli.Command())
	require.Greater(t, len(commands), 20)
	sections := bytes.Split(got, []byte("\n=="))
	for i, cmd := range commands {
		section := string(sections[i+1])
		require.Regexp(t, `^=* `+cmd.CommandPath()+`\n`, section)
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && f.Deprecated == "" {
				require.Contains(t, section, "--"+f.Name, cmd.CommandPath())
			}
		})
	}
	require.Contains(t, string(sections[len(sections)-1]), "--nan-equal")
}

// TestFaults: a program that fails, that is not there, and texts that break a listing.
func TestFaults(t *testing.T) {
	_, err := page([]string{filepath.Join(t.TempDir(), "none")})
	require.ErrorIs(t, err, os.ErrNotExist)
	for _, text := range []string{"", " \n", "Usage\n----\n"} {
		require.ErrorContains(t, section(&bytes.Buffer{}, "x", 1, func(stdout, _ io.Writer) error {
			_, err := io.WriteString(stdout, text)
			return err
		}), "x --help: no text", text)
	}
	require.ErrorContains(t, section(&bytes.Buffer{}, "x", 1, func(_, stderr io.Writer) error {
		_, err := io.WriteString(stderr, "why\n")
		return errors.Join(err, status(2))
	}), "x --help: exit status 2: why")
}
