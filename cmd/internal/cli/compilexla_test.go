package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/backend/xla"
	"github.com/skainet-dev/skainet-go/backend/xla/pjrt"
	"github.com/skainet-dev/skainet-go/test/xlatest"
)

const doubling = `module @doubling {
  func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
    %y = stablehlo.add %x, %x : tensor<3xf32>
    return %y : tensor<3xf32>
  }
}
`

// A text runs on XLA, agrees with the CPU backend, and is compiled to a file that runs.
func TestXLACommands(t *testing.T) {
	xlatest.Plugin(t)
	dir := t.TempDir()
	t.Setenv("SKAINET_CACHE", filepath.Join(dir, "cache"))
	text, out := filepath.Join(dir, "m.mlir"), filepath.Join(dir, "m.xla")
	require.NoError(t, os.WriteFile(text, []byte(doubling), 0o600))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", text, "--target=xla_cpu", "x=1,2,3"}, "2 4 6"},
		{[]string{"run", text, "--target=xla_cpu", "--device=xla+process://cpu", "x=1,2,3"}, "2 4 6"},
		{[]string{"parity", text, "--target=xla_cpu"}, "1 results agree"},
		{[]string{"bench", text, "--backend=xla", "--rounds=2", "--json"}, `"entry": "main"`},
		{[]string{"compile", text, "--target=xla_cpu", "-o", out}, ""},
		{[]string{"run", out, "x=1,2,3"}, "2 4 6"},
		{[]string{"run", out, "--device=xla+process://cpu", "x=1,2,3"}, "2 4 6"},
		{[]string{"bench", out, "--rounds=2"}, "main"},
	} {
		status, stdout, stderr := run(c.args...)
		require.Zero(t, status, "%v: %s", c.args, stderr)
		require.Contains(t, stdout, c.want, c.args)
	}
}

// A model file is compiled with the options of an import, to programs or to a portable file,
// which needs no plugin; results are those of ONNX Runtime.
func TestXLAImportOptions(t *testing.T) {
	plugin := xlatest.Plugin(t)
	dir := t.TempDir()
	t.Setenv("SKAINET_CACHE", filepath.Join(dir, "cache"))
	want := recordedArrays(t, dir, "conv_case.npz")
	image, out := "image=@"+filepath.Join(dir, "image.npy"), filepath.Join(dir, "m.xla")
	for _, portable := range []bool{false, true} {
		args := []string{"compile", onnxModels + "conv.onnx", "--target=xla_cpu", "--shape=image=batch,3,16,16", "--sizes=batch=2", "-o", out, "--inline=1000000"}
		if portable {
			t.Setenv(pjrt.Variable, "")
			args = append(args, "--portable")
		}
		status, _, stderr := run(args...)
		require.Zero(t, status, stderr)
		t.Setenv(pjrt.Variable, plugin)
		status, _, stderr = run("run", out, image, "--results", dir)
		require.Zero(t, status, stderr)
		near(t, want["scores"], filepath.Join(dir, "scores.npy"))
		require.NoError(t, os.Remove(filepath.Join(dir, "scores.npy")))
	}

	// A state variable takes the place of an argument and a result.
	state := filepath.Join(dir, "s.xla")
	status, _, stderr := run("compile", onnxModels+"detector.onnx", "--target=xla_cpu", "--fix=rate=8000", "--state=next_state=state", "--portable", "-o", state)
	require.Zero(t, status, stderr)
	c, err := xla.ReadContract(state)
	require.NoError(t, err)
	require.Len(t, c.Entries, 1)
	for _, p := range c.Entries[0].Args {
		require.NotEqual(t, "state", p.Name)
	}
	g, err := xla.ReadGraph(state)
	require.NoError(t, err)
	require.Len(t, g.States, 1)
}

// Sizes are compiled for before the first call, and kept.
func TestXLASizes(t *testing.T) {
	xlatest.Plugin(t)
	dir := t.TempDir()
	kept := filepath.Join(dir, "cache")
	t.Setenv("SKAINET_CACHE", kept)
	want := recordedArrays(t, dir, "conv_case.npz")
	file := []string{onnxModels + "conv.onnx", "--shape=image=batch,3,16,16", "image=@" + filepath.Join(dir, "image.npy")}
	programs := func() int {
		all, err := filepath.Glob(filepath.Join(kept, "*."+xla.Extension))
		require.NoError(t, err)
		return len(all)
	}
	status, _, stderr := run(append([]string{"run"}, append(file, "--backend=xla", "--sizes=batch=2", "--sizes=batch=3", "--results", dir)...)...)
	require.Zero(t, status, stderr)
	near(t, want["scores"], filepath.Join(dir, "scores.npy"))
	require.Equal(t, 2, programs(), "the batch of the array is 2")
	status, _, stderr = run(append([]string{"bench"}, append(file, "--target=xla_cpu", "--sizes=batch=3", "--sizes=batch=5", "--rounds=1")...)...)
	require.Zero(t, status, stderr)
	require.Equal(t, 3, programs())
	for want, args := range map[string][]string{
		"USAGE: --sizes is for XLA, and the backend is cpu": {"--sizes=batch=2"},
		"XLA_SIZES: no entry point has a dynamic size":      {"--sizes=n=2", "--backend=xla"},
		"USAGE: --sizes \"n\" is no list":                   {"--sizes=n", "--backend=xla"},
	} {
		status, _, stderr := run(append(append([]string{"run"}, file...), args...)...)
		require.NotZero(t, status)
		require.Contains(t, stderr, want)
	}
}

// The devices of the plugin are among those that are shown.
func TestXLADevices(t *testing.T) {
	plugin := xlatest.Plugin(t)
	status, stdout, stderr := run("devices")
	require.Zero(t, status, stderr)
	require.Regexp(t, `(?m)^plugin of XLA: .*, version 0\.\d+ of the API$`, stdout)
	require.Regexp(t, `(?m)^cpu:0 +cpu +-`, stdout)
	status, stdout, stderr = run("devices", "--json", "--plugin="+plugin)
	require.Zero(t, status, stderr)
	var r struct {
		Processor string
		XLA       xla.Report
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.NotEmpty(t, r.Processor)
	require.Equal(t, "cpu:0", r.XLA.Devices[0].Name)
	t.Setenv(pjrt.Variable, "")
	status, stdout, stderr = run("devices")
	require.Zero(t, status, stderr)
	require.Contains(t, stdout, "plugin of XLA: none: ")
	fails(t, 1, "XLA_PLUGIN", "devices", "--plugin=none.so")
}

func TestXLAMistakes(t *testing.T) {
	t.Setenv(pjrt.Variable, "")
	t.Setenv("SKAINET_IREE_COMPILE", "")
	t.Setenv("PATH", t.TempDir())
	dir := t.TempDir()
	t.Setenv("SKAINET_CACHE", filepath.Join(dir, "cache"))
	text := filepath.Join(dir, "m.mlir")
	require.NoError(t, os.WriteFile(text, []byte(doubling), 0o600))
	out := filepath.Join(dir, "m.xla")
	for want, args := range map[string][]string{
		"XLA_PLUGIN: cpu: no plugin of XLA was found": {"compile", text, "--target=xla_cpu", "-o", out},
		"XLA_TARGET: unknown target":                  {"compile", text, "--target=xla_toaster", "-o", out},
		"XLA_PLUGIN: none.so":                         {"run", text, "--backend=xla", "--plugin=none.so", "x=1,2,3"},
		"--sizes \"n\" is no list":                    {"compile", text, "--target=xla_cpu", "--sizes=n", "-o", out},
		"--sizes \"n=1,n=2\" is no list":              {"compile", text, "--target=xla_cpu", "--sizes=n=1,n=2", "-o", out},
		"IREE_NO_COMPILER: iree-compile was not":      {"compile", text, "--target=cpu_x86_64_v3", "--fetch=false", "-o", out},
		"USAGE: --state is for targets of XLA":        {"compile", text, "--target=cpu_x86_64_v3", "--state=y=x", "-o", out},
		"USAGE: --portable is for programs":           {"compile", text, "--portable", "--emit=text", "-o", out},
		"USAGE: --flag is for targets of IREE":        {"compile", text, "--target=xla_cpu", "--flag=--x", "-o", out},
		"USAGE: --compiler is for targets of IREE":    {"compile", text, "--target=xla_cpu", "--iree-compile=x", "-o", out},
		"USAGE: --linker is for targets of IREE":      {"compile", text, "--target=xla_cpu", "--lld=x", "-o", out},
		"USAGE: --fetch is for targets of IREE":       {"compile", text, "--target=xla_cpu", "--portable", "--fetch=false", "-o", out},
		"USAGE: --cache is for targets of IREE":       {"compile", text, "--emit=text", "--cache=x", "-o", out},
		"USAGE: --plugin is for programs of XLA":      {"compile", text, "--target=cpu_x86_64_v3", "--plugin=x", "-o", out},
		"USAGE: --target is for programs, and":        {"compile", text, "--target=xla_cpu", "--emit=portable", "-o", out},
		"USAGE: --level is for programs, and":         {"compile", text, "--level=size", "--emit=text", "-o", out},
		"USAGE: --python is for artifacts":            {"compile", text, "--target=xla_cpu", "--python=x", "-o", out},
		"USAGE: --stablehlo-version is for artifacts": {"compile", text, "--emit=text", "--stablehlo-version=1.9.0", "-o", out},
		"USAGE: --inline is for targets of XLA":       {"compile", text, "--flag=--x", "--inline=0", "-o", out},
		"IMPORT_OPTION":                               {"compile", text, "--target=xla_cpu", "--state=y=z", "-o", out},
	} {
		status, _, stderr := run(args...)
		require.NotZero(t, status, args)
		require.Contains(t, stderr, want)
	}
	require.NoFileExists(t, out)
	for _, args := range [][]string{{"--target=xla_cpu", "--portable"}, {"--emit=text"}, {"--target=cpu_x86_64_v3"}} {
		status, _, stderr := run(append([]string{"compile", text, "--plugin=x", "-o", out}, args...)...)
		require.NotZero(t, status)
		require.Contains(t, stderr, "USAGE: --plugin is for programs of XLA's plugin", args)
	}
}

// Each flag of compile says what it is for.
func TestUsesOfFlags(t *testing.T) {
	var f xlaFlags
	f.declare(&cobra.Command{})
	newCompileCommand().Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden { // an earlier spelling of another
			return
		}
		use := f.useOf(flag.Name)
		require.NotNil(t, use, "--%s has no row in flagUses", flag.Name)
		require.Equal(t, use.made == ofAll, use.is == "", flag.Name)
	})
}
