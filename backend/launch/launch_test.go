package launch

import (
	"context"
	"os"
	"path/filepath"
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
	defer func() {
		cpu.X86 = found
		ProgramX86V3, ProgramX86V4, ProgramVulkan = "", "", ""
	}()
	ProgramX86V3, ProgramX86V4, ProgramVulkan = "v3", "v4", "vk"
	x := &cpu.X86
	x.HasAVX2, x.HasFMA, x.HasBMI2 = true, true, true
	for _, have := range []bool{false, true} {
		x.HasAVX512F, x.HasAVX512BW, x.HasAVX512CD, x.HasAVX512DQ, x.HasAVX512VL = have, have, have, have, have
		got, err := parse(t, "--threads=1").choose()
		require.NoError(t, err)
		require.Equal(t, map[bool]string{false: "v3", true: "v4"}[have], got)
	}
	got, err := parse(t, "--device=vulkan://0").choose()
	require.NoError(t, err)
	require.Equal(t, "vk", got)
	x.HasAVX2, x.HasAVX512F = false, false
	for _, device := range []string{"cpu", "local-task", "cuda"} {
		_, err = parse(t, "--device="+device).choose()
		require.Equal(t, CodeDevice, errs.CodeOf(err), device)
		_, err = parse(t, "--program=p", "--device="+device).choose()
		require.NoError(t, err)
	}
}

func TestDevice(t *testing.T) {
	require.Equal(t, "local-task", parse(t).device())
	require.Equal(t, "local-task", parse(t, "--threads=2").device())
	require.Equal(t, "local-sync", parse(t, "--threads=1").device())
	require.Equal(t, "vulkan", parse(t, "--device=vulkan", "--threads=1").device())
}

// Each part is looked for before what comes after it.
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
		_, _, err := parse(t, append(args, next.arg)[:len(args)+min(1, len(next.arg))]...).Open()
		if next.code == "" {
			args = append(args, next.arg)
			continue
		}
		require.Equal(t, errs.Code(next.code), errs.CodeOf(err), next.arg)
		require.ErrorContains(t, err, next.what)
	}
	_, err = parse(t).TokenizerPath()
	require.Equal(t, CodeRunfiles, errs.CodeOf(err))
	path, err := parse(t, "--tokenizer=a").TokenizerPath()
	require.NoError(t, err)
	require.Equal(t, "a", path)
}

// A program that is opened for each call takes a text as a whole each time.
func TestOpenedAnew(t *testing.T) {
	opened := 0
	e, err := openAnew(func() (backend.Executable, error) {
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
	require.NoError(t, e.Close())
	broken := errs.New("BROKEN", "it is")
	_, err = openAnew(func() (backend.Executable, error) { return nil, broken })
	require.ErrorIs(t, err, broken)
}
