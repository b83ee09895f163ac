package talk

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/internal/command"
	"github.com/skainet-dev/skainet-go/io/npy"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/test/generatetest"
)

// withTool returns flags that run a file's program by scripts in place of IREE's compiler
// and iree-run-module, and the tokens that a call was given. A call answers with the first
// two letters.
func withTool(t *testing.T) (flags []string, given func(call int) []int32) {
	t.Helper()
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700))
		return path
	}
	array := func(name string, v tensor.Value, err error) {
		require.NoError(t, err)
		require.NoError(t, npy.WriteFile(filepath.Join(dir, name), v))
	}
	v, err := tensor.Of([]int32{2}) // the count
	array("count", v, err)
	v, err = tensor.Of(append([]int32{0, 1}, make([]int32, 62)...), 64)
	array("tokens", v, err)
	program, err := os.Create(filepath.Join(dir, "program"))
	require.NoError(t, err)
	z := zip.NewWriter(program)
	_, err = z.CreateHeader(&zip.FileHeader{Name: "module.fb", Method: zip.Store})
	require.NoError(t, err)
	require.NoError(t, z.Close())
	require.NoError(t, program.Close())
	compiler := script("iree-compile", fmt.Sprintf(`if [ "$1" = --version ]; then echo "  IREE compiler version 3.13.0"; exit 0; fi
cat > /dev/null; cp %s/program "$3"`, dir))
	tool := script("iree-run-module", fmt.Sprintf(`for a in "$@"; do case "$a" in
--list_drivers) echo "  local-task: threads"; exit 0;;
--input=*in0.bin) cp "${a#*@}" %[1]s/given$(ls %[1]s | grep -c given);;
--output=@*out0.npy) cp %[1]s/tokens "${a#--output=@}";;
--output=@*out1.npy) cp %[1]s/count "${a#--output=@}";;
esac; done`, dir))
	return []string{
			"--backend=iree", "--target=cpu_x86_64_v1", "--compiler", compiler, "--tool", tool, "--cache", filepath.Join(dir, "cache"), "--context=64",
		}, func(call int) []int32 {
			data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("given%d", call)))
			require.NoError(t, err)
			tokens := make([]int32, len(data)/4)
			_, err = binary.Decode(data, binary.LittleEndian, tokens)
			require.NoError(t, err)
			return tokens
		}
}

// Where only the tool is found each answer is a call with the whole conversation, without a
// flag that asks for it, and one line says so.
func TestConversationThroughTheTool(t *testing.T) {
	flags, given := withTool(t)
	model := family(t, "qwen2", generatetest.Template("{% for m in messages %}{{ m.content }}{% endfor %}z"))
	var stdout, stderr bytes.Buffer
	cmd := NewFileCommand()
	cmd.SetIn(strings.NewReader("c\nd\n"))
	require.Zero(t, command.Run(t.Context(), cmd, append([]string{model, "--tokens=2"}, flags...), &stdout, &stderr), stderr.String())
	require.Equal(t, "ab\nab\n", stdout.String())
	require.Equal(t, 1, strings.Count(stderr.String(), "chat: no runtime library: each answer is one run of the tool over the whole conversation"))
	require.Equal(t, []int32{2, 25}, given(0), "cz")
	require.Equal(t, []int32{2, 0, 1, 3, 25}, given(1), "c, ab, dz")

	stderr.Reset()
	require.Equal(t, 1, command.Run(t.Context(), NewFileCommand(), append([]string{model, "--full=slide"}, flags...), &stdout, &stderr))
	require.Contains(t, stderr.String(), "CHAT_FLAGS: --full=slide without a runtime library")
}
