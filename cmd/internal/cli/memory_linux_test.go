package cli

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/io/irpa"
	"github.com/skainet-dev/skainet-go/tensor"
	"github.com/skainet-dev/skainet-go/tensor/dtype"
	"github.com/skainet-dev/skainet-go/tensor/shape"
	"github.com/skainet-dev/skainet-go/test/badfiles"
	"github.com/skainet-dev/skainet-go/test/onnxtest"
)

// inProcess runs command lines in one process, and returns their exit statuses
// and the process's peak memory.
func inProcess(t *testing.T, lines ...string) (statuses []string, maxRSS int64) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	words := strings.Fields(string(out))
	require.NotEmpty(t, words)
	peak, err := strconv.ParseInt(words[len(words)-1], 10, 64)
	require.NoError(t, err)
	return words[:len(words)-1], peak << 10
}

// limit is the memory that a reader may use, whatever a header claims.
const limit = 64 << 20

func TestBadFilesTakeNoMemory(t *testing.T) {
	for _, corpus := range badfiles.All() {
		t.Run(corpus.Name, func(t *testing.T) {
			dir := filepath.Dir(place(t, corpus, corpus.Good()))
			var lines []string
			for _, c := range corpus.Bad() {
				path := filepath.Join(dir, c.Name)
				require.NoError(t, os.WriteFile(path, c.Data, 0o644))
				lines = append(lines, "inspect "+path, "verify "+path, "pack --weights "+path+" -o "+dir+"/out", "import "+path+" --prefix "+dir+"/out")
			}
			statuses, rss := inProcess(t, lines...)
			require.Len(t, statuses, len(lines))
			for i, status := range statuses {
				require.Equal(t, "1", status, lines[i])
			}
			require.NoFileExists(t, filepath.Join(dir, "out"))
			require.Less(t, rss, int64(limit))
			t.Logf("%s: %d calls in %d MiB", corpus.Name, len(lines), rss>>20)
		})
	}
}

// Two archives whose splats claim a terabyte each are compared by their
// patterns; iterating over the elements would take forever.
func TestDiffOfTerabytes(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, pattern ...byte) string {
		s := tensor.Spec{Name: "w", DType: dtype.F32, Shape: shape.Of(1 << 38), Bytes: 1 << 40}
		metadata, err := irpa.Describe(s)
		require.NoError(t, err)
		path := filepath.Join(dir, name)
		require.NoError(t, irpa.Write(path, []irpa.Item{{Name: "w", Length: s.Bytes, Pattern: pattern, Metadata: metadata}}))
		return path
	}
	zero, one := write("zero", 0), write("one", 0, 0, 0x80, 0x3f)
	statuses, rss := inProcess(t, "diff "+zero+" "+one, "diff "+one+" "+one, "diff "+zero+" "+one+" --tolerance 1")
	require.Equal(t, []string{"1", "0", "0"}, statuses)
	require.Less(t, rss, int64(limit))
}

// An archive may really have a terabyte: a sparse file, which is mapped
// and not read, and a pattern of that size.
func TestTerabytes(t *testing.T) {
	const tera = 1 << 40
	dir := t.TempDir()
	hole := badfiles.IRPAGood()[:580]
	binary.LittleEndian.PutUint64(hole[80:], tera-512) // length of the storage segment
	binary.LittleEndian.PutUint64(hole[368+68:], tera-576)
	path := filepath.Join(dir, "hole")
	require.NoError(t, os.WriteFile(path, hole, 0o644))
	require.NoError(t, os.Truncate(path, tera))
	splat := badfiles.IRPAGood()
	binary.LittleEndian.PutUint64(splat[176+60:], tera)
	pattern := filepath.Join(dir, "splat")
	require.NoError(t, os.WriteFile(pattern, splat, 0o644))
	lines := []string{"inspect " + path, "inspect --json " + pattern, "verify " + path, "verify " + pattern}

	text := `{"w":{"dtype":"U8","shape":[1099511627776],"data_offsets":[0,1099511627776]}}`
	st := append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...)
	g := append([]byte("GGUF\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), "\x01\x00\x00\x00\x00\x00\x00\x00w\x01\x00\x00\x00"...)
	g = binary.LittleEndian.AppendUint64(g, tera)
	g = append(binary.LittleEndian.AppendUint32(g, 24), make([]byte, 8)...) // I8, at the start of the data
	for name, head := range map[string][]byte{"safetensors": st, "gguf": g} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, head, 0o644))
		end := int64(len(head)) + tera
		if name == "gguf" {
			end = (int64(len(head))+31)&^31 + tera
		}
		require.NoError(t, os.Truncate(file, end))
		lines = append(lines, "inspect "+file, "inspect --index "+file, "verify "+file, "plan "+file)
	}
	// A message of protobuf has at most 2 GiB: the terabyte of an ONNX model lies outside.
	entry := onnxtest.Field(13, onnxtest.Message(onnxtest.Field(1, "location"), onnxtest.Field(2, "outside")))
	away := onnxtest.Message(onnxtest.Field(1, int64(tera)), onnxtest.Field(2, int64(3)), onnxtest.Field(8, "w"), entry, onnxtest.Field(14, int64(1)))
	model := filepath.Join(dir, "model")
	require.NoError(t, os.WriteFile(model, onnxtest.Message(onnxtest.Field(1, int64(9)), onnxtest.Model(onnxtest.Field(5, away))), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "outside"), nil, 0o644))
	require.NoError(t, os.Truncate(filepath.Join(dir, "outside"), tera))
	lines = append(lines, "inspect "+model, "inspect --index "+model, "verify "+model, "plan "+model)
	statuses, rss := inProcess(t, lines...)
	require.Len(t, statuses, len(lines))
	for i, status := range statuses {
		require.Equal(t, "0", status, lines[i])
	}
	require.Less(t, rss, int64(limit))
	_, table, _ := run("inspect", path)
	require.Contains(t, table, "1099511627200")
}

// An input of 4 GiB is counted before arguments for it are made up.
func TestMadeUpArgumentsTakeNoMemory(t *testing.T) {
	size := onnxtest.Field(2, onnxtest.Field(1, onnxtest.Field(1, int64(1<<30)))) // a shape
	x := onnxtest.Message(onnxtest.Field(1, "x"), onnxtest.Field(2, onnxtest.Field(1, onnxtest.Message(onnxtest.Field(1, int64(1)), size))))
	model := onnxtest.Message(onnxtest.Field(1, int64(9)), onnxtest.Field(2, "test"),
		onnxtest.Model(onnxtest.Field(11, x), onnxtest.Field(12, onnxtest.Value("y", 1)), onnxtest.Field(1, onnxtest.Node("Neg", "y", []string{"x"}))))
	path := filepath.Join(t.TempDir(), "large.onnx")
	require.NoError(t, os.WriteFile(path, model, 0o644))
	lines := []string{"bench " + path + " --max-memory=1MiB", "parity " + path + " --max-memory=1MiB"}
	statuses, rss := inProcess(t, lines...)
	require.Equal(t, []string{"1", "1"}, statuses)
	require.Less(t, rss, int64(limit))
	for _, line := range lines {
		require.Contains(t, fails(t, 1, "EVAL_MEMORY", strings.Fields(line)...), "--max-memory")
	}
}
