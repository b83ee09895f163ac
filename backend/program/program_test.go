package program

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"

	"github.com/skainet-dev/skainet-go/backend"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
	"github.com/skainet-dev/skainet-go/text/generate"
)

func parse(t *testing.T, args ...string) *Options {
	t.Helper()
	var o Options
	cmd := &cobra.Command{}
	o.Flags(cmd)
	require.NoError(t, cmd.ParseFlags(args))
	return &o
}

func TestChoice(t *testing.T) {
	found := cpu.X86
	defer func() { cpu.X86 = found }()
	x86 := func(cpu string) Compiled {
		return Compiled{Target: "cpu_" + cpu, Device: "local-task", Arch: "amd64", CPU: cpu, File: cpu}
	}
	p := Parts{Programs: []Compiled{
		{Device: "local-task", Arch: "arm64", CPU: "generic", File: "arm"},
		{Device: "vulkan", File: "vk"},
		{Device: "vulkan", File: "another"},
		x86("x86-64-v4"), x86("x86-64-v3"),
	}}
	x := &cpu.X86
	x.HasAVX2, x.HasFMA, x.HasBMI2 = true, true, true
	for _, have := range []bool{false, true} {
		x.HasAVX512F, x.HasAVX512BW, x.HasAVX512CD, x.HasAVX512DQ, x.HasAVX512VL = have, have, have, have, have
		got, err := p.choose(*parse(t, "--threads=1"))
		require.NoError(t, err)
		require.Equal(t, map[bool]string{false: "x86-64-v3", true: "x86-64-v4"}[have], got)
	}
	got, err := p.choose(*parse(t, "--device=vulkan://0"))
	require.NoError(t, err)
	require.Equal(t, "vk", got)
	x.HasAVX2, x.HasAVX512F = false, false
	for _, device := range []string{"cpu", "local-task", "cuda"} {
		_, err = p.choose(*parse(t, "--device="+device))
		require.Equal(t, CodeDevice, errs.CodeOf(err), device)
		_, err = p.choose(*parse(t, "--program=p", "--device="+device))
		require.NoError(t, err)
	}
}

// A program for a processor without stated requirements is chosen if there is no better one.
func TestLeastProgram(t *testing.T) {
	p := Parts{Programs: []Compiled{{Device: "local-task", Arch: runtime.GOARCH, CPU: "generic", File: "least"}}}
	got, err := p.choose(Options{})
	require.NoError(t, err)
	require.Equal(t, "least", got)
	p.Programs = append([]Compiled{
		{Device: "local-task", Arch: "of another machine", CPU: "generic", File: "foreign"},
		{Device: "local-task", File: "interpreted"},
	}, p.Programs...)
	got, err = p.choose(Options{Device: "local-sync"})
	require.NoError(t, err)
	require.Equal(t, "least", got)
	p.Programs = p.Programs[:2]
	got, err = p.choose(Options{})
	require.NoError(t, err)
	require.Equal(t, "interpreted", got)
}

// Parts that were copied next to the binary are found there.
func TestBesideBinary(t *testing.T) {
	own, err := os.Executable()
	require.NoError(t, err)
	path, err := find("binary", "", "_main/some/folder/"+filepath.Base(own))
	require.NoError(t, err)
	require.Equal(t, filepath.Base(own), filepath.Base(path))
	_, err = find("folder", "", "_main/"+filepath.Base(own)+".none")
	require.Equal(t, CodeRunfiles, errs.CodeOf(err))
}

// Each part is located before those after it.
func TestMissingParts(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	document, err := generatetest.New(t).Document.Marshal()
	require.NoError(t, err)
	args := []string{"--program=" + file("p.vmfb", "x")}
	for _, next := range []struct{ arg, code, what string }{
		{"", "LAUNCH_RUNFILES", "contract"},
		{"--contract=" + file("damaged.json", "{"), "CONTRACT_BAD", "damaged.json"},
		{"--contract=" + dir, "FILE_OPEN", dir},
		{"--contract=" + file("c.json", string(document)), "", ""},
	} {
		_, err := Parts{}.Open(*parse(t, append(args, next.arg)[:len(args)+min(1, len(next.arg))]...))
		if next.code == "" {
			args = append(args, next.arg)
			continue
		}
		require.Equal(t, errs.Code(next.code), errs.CodeOf(err), next.arg)
		require.ErrorContains(t, err, next.what)
	}
	_, err = Parts{}.Open(*parse(t, append(args, "--archive=a.irpa")...))
	require.Equal(t, CodeRunfiles, errs.CodeOf(err))
	require.ErrorContains(t, err, "runtime tool")
	_, err = Parts{Files: map[string]string{"tokenizer": "t"}}.File("tokenizer", "")
	require.Equal(t, CodeRunfiles, errs.CodeOf(err))
	path, err := Parts{}.File("tokenizer", "a")
	require.NoError(t, err)
	require.Equal(t, "a", path)
}

// The earlier spellings of flags are accepted.
func TestOldSpellings(t *testing.T) {
	require.Equal(t, Options{Device: "local-sync", Threads: 3, Tool: "t"},
		*parse(t, "--device=local-sync", "--workers=3", "--iree-run-module=t"))
}

// A program that is opened for each call processes the whole text each time.
func TestOpenedAnew(t *testing.T) {
	opened := 0
	e, err := openPerCall(func() (backend.Executable, error) {
		opened++
		return generatetest.New(t), nil
	})
	require.NoError(t, err)
	s, err := generate.NewSession(e, generate.Options{Stateless: true})
	require.NoError(t, err)
	text := []int32{1, 2}
	for range 2 {
		require.NoError(t, s.Set(text))
		r, err := s.GenerateInOneCall(context.Background(), generate.Request{Tokens: 2})
		require.NoError(t, err)
		require.Equal(t, generatetest.Continued(text, 2), r.Tokens)
		text = append(text, append(r.Tokens, 3)...)
	}
	require.Equal(t, 3, opened)
	require.True(t, Stateless(e))
	require.False(t, Stateless(generatetest.New(t)))
	require.NoError(t, e.Close())
	broken := errs.New("BROKEN", "it is")
	_, err = openPerCall(func() (backend.Executable, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
}
