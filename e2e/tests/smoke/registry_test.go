//go:build integration

package smoke

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/e2e/nested"
)

// registry: the workspace gets the module from a registry, as an archive of
// this checkout's files, and runs the same program.
func registry(t *testing.T, w *nested.Workspace) {
	version := moduleVersion(t, w)
	folder := filepath.Join(filepath.Dir(w.Dir), "registry")
	require.NoError(t, os.RemoveAll(folder))
	require.NoError(t, os.MkdirAll(folder, 0o777))
	archive := filepath.Join(folder, "skainet-"+version+".tar.gz")
	pack(t, w.Root, "skainet-"+version, archive)
	sum := sha256.New()
	f, err := os.Open(archive)
	require.NoError(t, err)
	_, err = io.Copy(sum, f)
	require.NoError(t, err)
	require.NoError(t, f.Close())

	// This registry for this module, the user's own for all others. Bazel reads
	// a registry's file only once, so a different hash needs a different registry.
	override := "local_path_override(\n    module_name = \"skainet\",\n    path = \"" + w.Root + "\",\n)\n"
	use := func(name string, hash []byte) {
		place := filepath.Join(folder, name)
		publish(t, w, place, version, archive, "sha256-"+base64.StdEncoding.EncodeToString(hash))
		text := fmt.Sprintf("single_version_override(\n    module_name = \"skainet\",\n    registry = %q,\n)\n", "file://"+place)
		w.Replace("MODULE.bazel", override, text)
		override = text
	}
	other := sha256.Sum256(nil)
	use("other", other[:])
	w.Fail([]string{"Checksum was", archive}, "build", "//:affine_vmfb_cpu")
	use("good", sum.Sum(nil))
	require.Contains(t, w.Succeed("mod", "graph", "--depth=1"), "skainet@"+version)
	w.Succeed("test", "//:affine_run_test")
}

// publish writes a registry's files for a version of the module, from the templates
// in .bcr.
func publish(t *testing.T, w *nested.Workspace, folder, version, archive, integrity string) {
	read := func(path string) string {
		data, err := os.ReadFile(filepath.Join(w.Root, path))
		require.NoError(t, err)
		return string(data)
	}
	template := map[string]string{}
	require.NoError(t, json.Unmarshal([]byte(read(".bcr/source.template.json")), &template))
	fill := strings.NewReplacer("{VERSION}", version, "{TAG}", "v"+version).Replace
	require.Equal(t, filepath.Base(archive), filepath.Base(fill(template["url"])))
	source, err := json.Marshal(map[string]string{"url": "file://" + archive, "integrity": integrity, "strip_prefix": fill(template["strip_prefix"])})
	require.NoError(t, err)
	for path, text := range map[string]string{
		"bazel_registry.json":                          "{}",
		"modules/skainet/metadata.json":                strings.Replace(read(".bcr/metadata.template.json"), `"versions": []`, fmt.Sprintf(`"versions": [%q]`, version), 1),
		"modules/skainet/" + version + "/MODULE.bazel": read("MODULE.bazel"),
		"modules/skainet/" + version + "/source.json":  string(source),
	} {
		path = filepath.Join(folder, path)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

func moduleVersion(t *testing.T, w *nested.Workspace) string {
	text, err := os.ReadFile(filepath.Join(w.Root, "MODULE.bazel"))
	require.NoError(t, err)
	m := regexp.MustCompile(`name = "skainet",\n    version = "([^"]+)"`).FindSubmatch(text)
	require.NotNil(t, m)
	return string(m[1])
}

// pack writes the checkout's files, as they are now, to an archive like that of a
// release.
func pack(t *testing.T, root, prefix, out string) {
	list, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	require.NoError(t, err)
	f, err := os.Create(out)
	require.NoError(t, err)
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		path := filepath.Join(root, name)
		st, err := os.Lstat(path)
		if os.IsNotExist(err) {
			continue // deleted but not committed
		}
		require.NoError(t, err)
		require.True(t, st.Mode().IsRegular(), "%s is not a regular file", name)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, w.WriteHeader(&tar.Header{Name: prefix + "/" + name, Mode: int64(st.Mode().Perm()), Size: int64(len(data))}))
		_, err = w.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, z.Close())
	require.NoError(t, f.Close())
}
