package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/program"
	"github.com/skainet-dev/skainet-go/bench/harness"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestChoice(t *testing.T) {
	defer func() { sileroParts, magikaParts = program.Parts{}, program.Parts{} }()
	sileroParts.Programs, magikaParts.Programs = []program.Compiled{{Target: "a"}}, []program.Compiled{{Target: "b"}}
	o := options{rounds: 1, threads: []int{1, 2}}
	list, err := o.models()
	require.NoError(t, err)
	require.Len(t, list, 2, "models that are not built into this target are not measured")
	o.only = []string{"magika"}
	list, err = o.models()
	require.NoError(t, err)
	require.Equal(t, "magika", list[0].name)
	for _, bad := range []options{
		{rounds: 0, threads: []int{1}}, {rounds: 1, warmUp: -1, threads: []int{1}}, {rounds: 1, threads: []int{0}}, {rounds: 1, threads: []int{1}, only: []string{"nanodet"}},
	} {
		_, err = bad.models()
		require.Equal(t, harness.CodeFlags, errs.CodeOf(err), "%+v", bad)
	}
}

// A target without models prints its heading and the machine.
func TestEmpty(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(context.Background(), []string{"--rounds=1"}, strings.NewReader(""), &stdout, &stderr), stderr.String())
	require.True(t, strings.HasPrefix(stdout.String(), "model "), stdout.String())
	require.Contains(t, stdout.String(), "cores; load average")
	for _, args := range [][]string{{"--serve=magika", "--threads=1"}, {"--serve=none", "--threads=1"}, {"--rounds=0"}} {
		stdout.Reset()
		require.Equal(t, 1, run(context.Background(), args, strings.NewReader(""), &stdout, &stderr))
		require.Contains(t, stderr.String(), "BENCH_FLAGS")
		require.Empty(t, stdout.String())
	}
}
