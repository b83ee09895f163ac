package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/skainet-dev/skainet-go/internal/errs/errtest"
)

func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"artifact: USAGE: no command is named; give one of asm, bundle, check, compare, dispatches, limits, sizes, table; ": nil,
		"artifact: USAGE: unknown command \"size\" for \"artifact\"; see artifact --help":                                   {"size"},
		"artifact: USAGE: unknown flag: --loud; see artifact sizes --help":                                                  {"sizes", "--loud"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, 2, run(context.Background(), args, &stdout, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Empty(t, stdout.String())
	}
}
