package program

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/iree/processor"
	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/generatetest"
)

func parse(t *testing.T, args ...string) *Options {
	t.Helper()
	var o Options
	cmd := &cobra.Command{}
	o.Flags(cmd)
	require.NoError(t, cmd.ParseFlags(args))
	return &o
}

// compiled is a program whose code has these instructions.
func compiled(t *testing.T, target, arch string, instructions string) Compiled {
	t.Helper()
	path := filepath.Join(t.TempDir(), target+".vmfb")
	f, err := os.Create(path)
	require.NoError(t, err)
	z := zip.NewWriter(f)
	module, err := z.CreateHeader(&zip.FileHeader{Name: "module.fb", Method: zip.Store})
	require.NoError(t, err)
	if arch != "" {
		fmt.Fprintf(module, `#hal.executable.target<"llvm-cpu", "elf", {cpu_features = "%s", target_triple = "%s-unknown-elf"}>`, instructions, arch)
	}
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
	return Compiled{Target: target, Device: "local-task", Arch: runtime.GOARCH, File: path}
}

func TestChoice(t *testing.T) {
	here := processor.Here()
	here.Instructions = map[string]bool{"avx2": true, "avx512f": false}
	recent := here
	recent.Instructions = map[string]bool{"avx2": true, "avx512f": true}
	oldest := here
	oldest.Instructions = map[string]bool{"avx2": false, "avx512f": false}
	v3, v4 := compiled(t, "v3", here.Arch, "+avx2"), compiled(t, "v4", here.Arch, "+avx2,+avx512f")
	v2 := compiled(t, "v2", here.Arch, "+sse4.2")
	p := Parts{Programs: []Compiled{
		{Device: "local-task", Arch: "another", File: "none"},
		{Device: "vulkan", File: v3.File},
		{Device: "vulkan", File: v4.File},
		v4, v3,
	}}
	choose := func(p Parts, here processor.Processor, args ...string) (string, error) {
		return p.choose(*parse(t, args...), here)
	}
	for want, p1 := range map[string]processor.Processor{v3.File: here, v4.File: recent} {
		got, err := choose(p, p1, "--threads=1")
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	got, err := choose(p, oldest, "--device=vulkan://0")
	require.NoError(t, err)
	require.Equal(t, v3.File, got)
	for _, device := range []string{"cpu", "local-task", "cuda"} {
		_, err = choose(p, oldest, "--device="+device)
		require.Equal(t, CodeDevice, errs.CodeOf(err), device)
		_, err = choose(p, oldest, "--program=p", "--device="+device)
		require.NoError(t, err)
	}

	// What was not copied along is passed over, unless nothing was.
	p.Programs = append(p.Programs, v2, Compiled{Device: "local-task", Arch: runtime.GOARCH, File: "_main/none.vmfb"})
	got, err = choose(p, oldest)
	require.NoError(t, err)
	require.Equal(t, v2.File, got)
	p.Programs = p.Programs[len(p.Programs)-1:]
	_, err = choose(p, oldest)
	require.Equal(t, CodeRunfiles, errs.CodeOf(err))
}

// A program for the runtime's interpreter is chosen if there is no better one.
func TestLeastProgram(t *testing.T) {
	interpreted, least := compiled(t, "vmvx", "", ""), compiled(t, "least", processor.Here().Arch, "")
	interpreted.Arch = ""
	p := Parts{Programs: []Compiled{
		{Device: "local-task", Arch: "of another machine", File: "foreign"},
		interpreted, least,
	}}
	got, err := p.choose(Options{}, processor.Here())
	require.NoError(t, err)
	require.Equal(t, least.File, got)
	p.Programs = p.Programs[:2]
	got, err = p.choose(Options{Device: "local-sync"}, processor.Here())
	require.NoError(t, err)
	require.Equal(t, interpreted.File, got)
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
