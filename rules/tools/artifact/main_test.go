package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

// Each archive needs its scope and its contract, and likewise in the table.
func TestApart(t *testing.T) {
	for want, args := range map[string][]string{
		"artifact: //a:m: ARTIFACT_READ: 1 archives, 1 scopes and 0 contracts are given; give --archive-scope and --archive-contract with each --archive-file": {"sizes", "--archive-file", "a", "--archive-scope", "model"},
		"artifact: //a:m: ARTIFACT_READ: 1 labels, 1 kinds and 0 files are given; give one of each for each":                                                   {"table", "--program-label", "//a:m|n", "--row", "cpu"},
		"artifact: //a:m: ARTIFACT_READ: 0 labels, 0 kinds and 1 files are given; give one of each for each":                                                   {"table", "--archive-file", "a|b.irpa"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, 1, command.RunTool(context.Background(), newCommand(), append(args, "--label", "//a:m"), &stdout, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Empty(t, stdout.String())
	}
}

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"artifact: USAGE: no command is named; give one of asm, bundle, check, compare, dispatches, limits, sizes, table; ": nil,
		"artifact: USAGE: unknown command \"size\" for \"artifact\"; see artifact --help":                                   {"size"},
		"artifact: USAGE: unknown flag: --loud; see artifact sizes --help":                                                  {"sizes", "--loud"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, 2, command.RunTool(context.Background(), newCommand(), args, &stdout, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Empty(t, stdout.String())
	}
}
