package judge

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/judgetest"
)

// started returns jaxlib; without it the test is skipped.
func started(t *testing.T) *Judge {
	t.Helper()
	python := judgetest.Python(t)
	j, err := Start(t.Context(), python)
	require.NoError(t, err)
	t.Cleanup(j.Close)
	return j
}

const twice = `module @twice {
  func.func @run(%x: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func @roots(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>) {
    %0 = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}
`

// jaxlib takes what is right, says what is wrong, and goes on.
func TestJudge(t *testing.T) {
	j := started(t)
	v, err := j.Check([]byte(twice), "run", "roots")
	require.NoError(t, err)
	require.Equal(t, []string{"run", "roots"}, v.Functions)
	require.Equal(t, map[string][]string{"run": {"tensor<2xf32>"}}, v.Ran)
	require.Contains(t, v.Not, "roots", "the interpreter lacks the operation")
	for _, bad := range []string{"x", strings.Replace(twice, "tensor<2xf32>) {", "tensor<3xf32>) {", 1)} {
		_, err := j.Check([]byte(bad))
		require.Equal(t, CodeRefused, errs.CodeOf(err), bad)
	}

	made, version, err := j.Portable([]byte(twice), "1.9.0")
	require.NoError(t, err)
	require.Equal(t, "1.9.0", version)
	require.True(t, IsArtifact(made))
	require.Contains(t, string(made[:40]), "StableHLO_v1.9.0")
	text, err := j.Text(made)
	require.NoError(t, err)
	back, err := j.Check(text, "run")
	require.NoError(t, err)
	require.Equal(t, v.Functions, back.Functions)
	for _, damaged := range [][]byte{nil, {0, 0, 0}, made[:len(made)/2]} {
		_, err := j.Text(damaged)
		require.Equal(t, CodeRefused, errs.CodeOf(err))
	}
	_, _, err = j.Portable([]byte(twice), "0.1.0")
	require.Equal(t, CodeRefused, errs.CodeOf(err))
}

// An artifact keeps the mesh and the shardings of a text for several devices.
func TestPortableMesh(t *testing.T) {
	j := started(t)
	const split = `module @m attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["model"=2]>
  func.func public @main(%x: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
    %0 = stablehlo.tanh %x : tensor<2x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"model"}]> : tensor<2x4xf32>
    return %1 : tensor<2x4xf32>
  }
}
`
	made, _, err := j.Portable([]byte(split), "1.9.0")
	require.NoError(t, err)
	text, err := j.Text(made)
	require.NoError(t, err)
	for _, kept := range []string{`sdy.mesh @mesh = <["model"=2]>`, `#sdy.sharding<@mesh, [{"model"}, {}]>`, `sdy.sharding_constraint %0 <@mesh, [{}, {"model"}]>`} {
		require.Contains(t, string(text), kept)
	}
	_, err = j.Check(text)
	require.NoError(t, err)
}

// What IREE's texts have around StableHLO has stand-ins; its own dialects have none.
func TestPlain(t *testing.T) {
	iree := `module @m {
  util.global private @"a b" = #flow.parameter.named<"model"::"a b"> : tensor<?xf32> // dense
  util.global private mutable @s = dense<0> : tensor<2xf32>
  util.func private @between() attributes {inlining_policy = #util.inline.never} {
    %0 = arith.constant 0 : i32
    %1 = util.optimization_barrier %0 : i32
    util.return
  }
  func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32>) {
    %0 = util.global.load @s : tensor<2xf32>
    util.call @between() : () -> ()
    %1 = stablehlo.add %0, %x : tensor<2xf32>
    util.global.store %1, @s : tensor<2xf32>
    return %1 : tensor<2xf32>
  }
}
`
	plain, stands, other := Plain([]byte(iree))
	require.Empty(t, other)
	require.Equal(t, 8, stands)
	require.NotContains(t, string(plain), "util.")
	same, stands, other := Plain([]byte(twice))
	require.Equal(t, twice, string(same))
	require.Zero(t, stands)
	require.Empty(t, other)
	_, _, other = Plain([]byte("stream.executable private @k {}"))
	require.Equal(t, "stream.executable", other)

	v, err := started(t).Check(plain)
	require.NoError(t, err)
	require.Equal(t, []string{"between", "f"}, v.Functions)
}

// What is not there is said, and how to get it.
func TestNone(t *testing.T) {
	truth, err := exec.LookPath("false")
	require.NoError(t, err)
	other := filepath.Join(t.TempDir(), "other")
	require.NoError(t, os.WriteFile(other, []byte("#!/bin/sh\necho '{\"version\": \"0.1\"}'\n"), 0o755))
	for want, python := range map[string]string{"Python does not start": "/no/such/python", "does not have jaxlib": truth, "jaxlib is 0.1, and " + Version: other} {
		_, err := Start(context.Background(), python)
		require.Equal(t, CodeNone, errs.CodeOf(err))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "pip install jaxlib==")
	}
}

// The pinned version is that of the lock file.
func TestVersion(t *testing.T) {
	lock, err := os.ReadFile("../../../test/randgraph/peers.lock")
	require.NoError(t, err)
	require.Contains(t, string(lock), "\njaxlib=="+Version+" ")
}
