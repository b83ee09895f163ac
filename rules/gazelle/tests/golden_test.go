//go:build integration

// Package tests runs a Gazelle with the extension on small workspaces.
package tests

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the results to the golden files in $BUILD_WORKSPACE_DIRECTORY")

const (
	folder   = "rules/gazelle/tests/testdata"
	expected = "want/" // prefix of the expected BUILD files
	messages = "stderr"
)

// TestGolden: each file of testdata is a workspace, with the BUILD files that Gazelle
// should leave and the messages that it should print. A second run changes nothing.
func TestGolden(t *testing.T) {
	gazelle, err := runfiles.Rlocation(os.Getenv("GAZELLE"))
	require.NoError(t, err)
	gazelle, err = filepath.Abs(gazelle)
	require.NoError(t, err)
	cases, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			dir := t.TempDir()
			var wanted []txtar.File
			given := txtar.Archive{Comment: archive.Comment}
			for _, f := range archive.Files {
				if f.Name == messages || strings.HasPrefix(f.Name, expected) {
					wanted = append(wanted, f)
					continue
				}
				given.Files = append(given.Files, f)
				path := filepath.Join(dir, f.Name)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, f.Data, 0o644))
			}
			said := run(t, gazelle, dir)
			got := result(t, dir, said)
			if *update {
				given.Files = append(given.Files, got...)
				source := filepath.Join(os.Getenv("BUILD_WORKSPACE_DIRECTORY"), folder, filepath.Base(file))
				require.NoError(t, os.WriteFile(source, txtar.Format(&given), 0o644))
				return
			}
			require.Equal(t, string(txtar.Format(&txtar.Archive{Files: wanted})), string(txtar.Format(&txtar.Archive{Files: got})))
			require.Equal(t, said, run(t, gazelle, dir), "the second run's messages")
			require.Equal(t, got, result(t, dir, said), "the second run's files")
		})
	}
}

func run(t *testing.T, gazelle, dir string) string {
	t.Helper()
	cmd := exec.Command(gazelle, "-repo_root="+dir, "-go_prefix=example.com/w", "-external=static")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "BUILD_WORKSPACE_DIRECTORY="+dir)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	return strings.ReplaceAll(stderr.String(), dir, "WORKSPACE")
}

// result returns the BUILD files and the messages.
func result(t *testing.T, dir, said string) []txtar.File {
	t.Helper()
	var files []txtar.File
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "BUILD.bazel" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		files = append(files, txtar.File{Name: expected + filepath.ToSlash(name), Data: data})
		return err
	})
	require.NoError(t, err)
	slices.SortFunc(files, func(a, b txtar.File) int { return strings.Compare(a.Name, b.Name) })
	if said != "" {
		files = append(files, txtar.File{Name: messages, Data: []byte(said)})
	}
	return files
}
