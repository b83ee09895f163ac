//go:build integration

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tools is env.json of a repository of //tools/repos:debian.bzl: how to
// start programs with that repository's tools.
type tools struct {
	Available bool
	Variables map[string]string
	Prefix    []string
}

func toolsOf(t testing.TB, variable string) tools {
	t.Helper()
	file := path(t, variable)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var x tools
	require.NoError(t, json.Unmarshal(b, &x))
	require.True(t, x.Available)
	here := func(s string) string { return strings.ReplaceAll(s, "{root}", filepath.Dir(file)) }
	for k, v := range x.Variables {
		x.Variables[k] = here(v)
	}
	for i, w := range x.Prefix {
		x.Prefix[i] = here(w)
	}
	return x
}

// env returns this process's environment with the variables added.
func (x tools) env() []string {
	names := make([]string, 0, len(x.Variables))
	for k := range x.Variables {
		names = append(names, k)
	}
	sort.Strings(names)
	env := os.Environ()
	for _, k := range names {
		env = append(env, k+"="+x.Variables[k])
	}
	return env
}
