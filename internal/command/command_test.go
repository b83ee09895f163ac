package command

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
)

func TestRun(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for name, tt := range map[string]struct {
		ctx            context.Context
		args           []string
		err            error
		status         int
		stdout, stderr string
	}{
		"good":        {args: []string{"--flag=3"}, stdout: "done\n"},
		"failed":      {err: errs.New("BROKEN", "it is"), status: 1, stderr: "thing: BROKEN: it is\n"},
		"flag":        {args: []string{"--loud"}, status: 2, stderr: "thing: USAGE: unknown flag: --loud; see thing --help\n"},
		"value":       {args: []string{"--flag=x"}, status: 2, stderr: "thing: USAGE: invalid argument \"x\" for \"--flag\" flag: strconv.ParseInt: parsing \"x\": invalid syntax; see thing --help\n"},
		"arguments":   {args: []string{"a"}, status: 2, stderr: "thing: USAGE: unknown command \"a\" for \"thing\"; see thing --help\n"},
		"interrupted": {ctx: ended, err: context.Canceled, status: 130, stderr: "thing: interrupted\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.ctx == nil {
				tt.ctx = context.Background()
			}
			cmd := &cobra.Command{Use: "thing [flags]", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
				if tt.err != nil {
					return tt.err
				}
				_, err := cmd.OutOrStdout().Write([]byte("done\n"))
				return err
			}}
			cmd.Flags().Int("flag", 0, "")
			var stdout, stderr bytes.Buffer
			require.Equal(t, tt.status, Run(tt.ctx, cmd, tt.args, &stdout, &stderr))
			require.Equal(t, tt.stdout, stdout.String())
			require.Equal(t, tt.stderr, stderr.String())
		})
	}
}

func TestSubcommands(t *testing.T) {
	for name, tt := range map[string]struct {
		args           []string
		status         int
		stdout, stderr string
	}{
		"good":    {args: []string{"do", "--flag=3"}, stdout: "done\n"},
		"none":    {status: 2, stderr: "thing: USAGE: no command is named; give one of do, refuse; see thing --help\n"},
		"unknown": {args: []string{"undo"}, status: 2, stderr: "thing: USAGE: unknown command \"undo\" for \"thing\"; see thing --help\n"},
		"flag":    {args: []string{"do", "--loud"}, status: 2, stderr: "thing: USAGE: unknown flag: --loud; see thing do --help\n"},
		"usage":   {args: []string{"refuse"}, status: 2, stderr: "thing: USAGE: not so\n"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := &cobra.Command{Use: "thing"}
			do := &cobra.Command{Use: "do", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
				_, err := cmd.OutOrStdout().Write([]byte("done\n"))
				return err
			}}
			do.Flags().Int("flag", 0, "")
			refuse := &cobra.Command{Use: "refuse", RunE: func(*cobra.Command, []string) error { return errs.New(CodeUsage, "not so") }}
			cmd.AddCommand(do, refuse)
			var stdout, stderr bytes.Buffer
			require.Equal(t, tt.status, Run(context.Background(), cmd, tt.args, &stdout, &stderr))
			require.Equal(t, tt.stdout, stdout.String())
			require.Equal(t, tt.stderr, stderr.String())
		})
	}
}

// bazel run tells a program the user's folder; a process that only inherited its variables uses
// its own working folder.
func TestPath(t *testing.T) {
	user := t.TempDir()
	runfiles := filepath.Join(t.TempDir(), "program.runfiles", "_main")
	require.NoError(t, os.MkdirAll(runfiles, 0o777))
	for _, tt := range []struct {
		name, dir, here, workspace, want string
	}{
		{"no variable", "", runfiles, user, "a"},
		{"bazel run", user, runfiles, user, filepath.Join(user, "a")},
		{"inherited", user, t.TempDir(), user, "a"},
		{"of another program", user, runfiles, "", "a"},
		{"relative", "../other", runfiles, user, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(tt.here)
			t.Setenv("BUILD_WORKING_DIRECTORY", tt.dir)
			t.Setenv("BUILD_WORKSPACE_DIRECTORY", tt.workspace)
			require.Equal(t, tt.want, Path("a"))
			require.Equal(t, filepath.Join(user, "b"), Path(filepath.Join(user, "b")))
			require.NoError(t, AtUser())
			here, err := os.Getwd()
			require.NoError(t, err)
			want, err := filepath.EvalSymlinks(filepath.Dir(filepath.Join(tt.here, "x")))
			if filepath.IsAbs(tt.want) {
				want, err = filepath.EvalSymlinks(user)
			}
			require.NoError(t, err)
			require.Equal(t, want, here)
		})
	}
	t.Chdir(runfiles)
	t.Setenv("BUILD_WORKING_DIRECTORY", filepath.Join(user, "none"))
	t.Setenv("BUILD_WORKSPACE_DIRECTORY", user)
	require.Equal(t, CodeUsage, errs.CodeOf(AtUser()))
}

func TestScoped(t *testing.T) {
	for text, want := range map[string][2]string{
		"a.irpa": {"model", "a.irpa"}, "encoder=a.irpa": {"encoder", "a.irpa"},
		"/x=1/a.irpa": {"model", "/x=1/a.irpa"}, "=a": {"model", "=a"},
	} {
		scope, path := Scoped(text)
		require.Equal(t, want, [2]string{scope, path})
	}
	require.Equal(t, map[string][]string{"encoder": {"a", "c"}, "other": {"b"}}, Archives([]string{"encoder=a", "b", "encoder=c"}, "other"))
}

// An earlier spelling is the flag itself, satisfies that the flag is required, and is
// not shown.
func TestOldSpellings(t *testing.T) {
	command := func(to *string, threads *int, list *[]string) *cobra.Command {
		cmd := &cobra.Command{Use: "thing", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return nil }}
		FlagCompiler.Text(cmd, to, "none")
		FlagThreads.Count(cmd, threads)
		FlagResults.Texts(cmd, list)
		Required(cmd, "compiler")
		return cmd
	}
	for _, args := range [][]string{
		{"--compiler=a", "--threads=2", "--results=x", "--results=y"},
		{"--iree-compile=a", "--workers=2", "--output=x", "-o", "y"},
	} {
		var compiler string
		var threads int
		var list []string
		var stdout, stderr bytes.Buffer
		require.Zero(t, Run(context.Background(), command(&compiler, &threads, &list), args, &stdout, &stderr), stderr.String())
		require.Equal(t, "a", compiler)
		require.Equal(t, 2, threads)
		require.Equal(t, []string{"x", "y"}, list)
		require.Empty(t, stdout.String()+stderr.String())
	}
	for args, want := range map[string]string{
		"--workers=many": "thing: USAGE: invalid argument \"many\" for \"--workers\" flag: \"many\" is not a number of cores; give 1 or more, or 0 for all; see thing --help\n",
		"--threads=1":    "thing: USAGE: required flag(s) \"compiler\" not set; see thing --help\n",
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, Usage, Run(context.Background(), command(new(string), new(int), new([]string)), []string{args}, &stdout, &stderr))
		require.Equal(t, want, stderr.String())
	}
	var stdout bytes.Buffer
	require.Zero(t, Run(context.Background(), command(new(string), new(int), new([]string)), []string{"--help"}, &stdout, &stdout))
	require.Contains(t, stdout.String(), "--threads")
	require.NotContains(t, stdout.String(), "--workers")
}
