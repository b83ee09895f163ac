package main

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	re "github.com/bazelbuild/remote-apis/build/bazel/remote/execution/v2"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/skainet-dev/skainet-go/errs"
	_ "github.com/skainet-dev/skainet-go/test/errtest"
	"github.com/skainet-dev/skainet-go/test/reapi/cas"
)

// run runs the command until ctx is over.
func run(ctx context.Context, args ...string) <-chan error {
	cmd := newCommand()
	cmd.SetArgs(args)
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	return done
}

func TestServe(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	root := t.TempDir()
	address := filepath.Join(root, "address")
	done := run(ctx, "--root", root, "--address-file", address, "--log", filepath.Join(root, "log"))
	var target []byte
	require.Eventually(t, func() bool {
		var err error
		target, err = os.ReadFile(address)
		return err == nil
	}, time.Minute, 10*time.Millisecond)

	conn, err := grpc.NewClient(string(target), grpc.WithTransportCredentials(insecure.NewCredentials()))
	require.NoError(t, err)
	defer conn.Close()
	c, err := re.NewCapabilitiesClient(conn).GetCapabilities(ctx, &re.GetCapabilitiesRequest{})
	require.NoError(t, err)
	require.True(t, c.ExecutionCapabilities.ExecEnabled)
	require.FileExists(t, filepath.Join(root, "log"))
	cancel()
	require.NoError(t, <-done)
}

func TestServeFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	err := <-run(context.Background(), "--root", file)
	require.Equal(t, cas.CodeState, errs.CodeOf(err), "%v", err)
	require.Error(t, <-run(context.Background()))
	require.Error(t, <-run(context.Background(), "--root", t.TempDir(), "--listen", "no address"))
	require.Error(t, <-run(context.Background(), "--root", t.TempDir(), "--log", "/none/log"))
}

// Bazel fetches the versions that go.mod names, by the sums of go.sum.
func TestModules(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(b)
	}
	goMod, goSum, root := read("go.mod"), read("go.sum"), read("../../go.mod")
	blocks := regexp.MustCompile(`reapi_deps\.module\(\n(?:    indirect = True,\n)?    path = "(\S+)",\n    sum = "(\S+)",\n    version = "(\S+)",\n\)`).
		FindAllStringSubmatch(read("../../MODULE.bazel"), -1)
	bazel := map[string]bool{}
	for _, b := range blocks {
		bazel[b[1]] = true
		require.Contains(t, goMod, "\t"+b[1]+" "+b[3], "go.mod has another version")
		require.Contains(t, goSum, b[1]+" "+b[3]+" "+b[2]+"\n", "go.sum has another sum")
	}
	// Whatever else go.mod names comes from the go.mod of the workspace, in its version.
	for _, m := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(goMod, -1) {
		if !bazel[m[1]] && !strings.HasPrefix(m[1], "github.com/skainet-dev/") {
			require.Contains(t, root, "\t"+m[1]+" "+m[2], "go.mod of the workspace has another version; run go mod tidy in test/reapi")
		}
	}
}
