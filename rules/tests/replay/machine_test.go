//go:build integration

package replay

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/rules/tests/actions"
)

// elsewhere returns the action as another kind of machine would run it, if EMULATOR
// names an emulator of that machine: PROGRAMS are the actions' programs for it. The
// program that starts IREE's compiler is kept, because the emulator does not
// see child processes; COMPILER and LINKER are those of the other machine.
func elsewhere(t *testing.T, a actions.Action) actions.Action {
	t.Helper()
	if os.Getenv("EMULATOR") == "" {
		return a
	}
	emulator := location(t, os.Getenv("EMULATOR"))
	if a.Mnemonic == "IreeCompile" {
		a.Argv = slices.Clone(a.Argv)
		for option, variable := range map[string]string{"--compiler": "COMPILER", "--linker": "LINKER"} {
			at := slices.Index(a.Argv, option)
			require.Positive(t, at, "%s of %v", option, a.Argv)
			script := fmt.Sprintf("#!/bin/sh\nexec '%s' '%s' \"$@\"\n", emulator, location(t, os.Getenv(variable)))
			a.Argv[at+1] = filepath.Join(t.TempDir(), filepath.Base(a.Argv[at+1]))
			require.NoError(t, os.WriteFile(a.Argv[at+1], []byte(script), 0o755))
		}
		return a
	}
	// NAME_aarch64 is NAME for the other machine.
	programs := strings.Fields(os.Getenv("PROGRAMS"))
	name := filepath.Base(a.Argv[0]) + "_aarch64"
	at := slices.IndexFunc(programs, func(p string) bool { return filepath.Base(p) == name })
	require.NotEqual(t, -1, at, "%s is not among %v", name, programs)
	a.Argv = append([]string{emulator, location(t, programs[at])}, a.Argv[1:]...)
	return a
}

// location returns the file of a path in the runfiles, the first of several.
func location(t *testing.T, places string) string {
	t.Helper()
	place, _, _ := strings.Cut(places, " ")
	path := filepath.Join(os.Getenv("TEST_SRCDIR"), place)
	require.FileExists(t, path)
	return path
}
