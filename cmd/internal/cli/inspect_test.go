package cli

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skainet-dev/skainet-go/errs"
	"github.com/skainet-dev/skainet-go/internal/display"
	"github.com/skainet-dev/skainet-go/io/gguf"
	"github.com/skainet-dev/skainet-go/io/inspect"
	"github.com/skainet-dev/skainet-go/io/weights"
	"github.com/skainet-dev/skainet-go/test/badfiles"
)

const ggufTable = `format: gguf
size: 608 bytes

general.architecture: test
general.alignment: 32
test.flag: true
test.flags: list of bool, 2 long: false, true
test.sizes: list of f32, 2 long: 0, 0
tokenizer.ggml.tokens: list of string, 2 long: a, "\xff"
test.nested: list of array, 2 long: [x], [9]

TENSOR  TYPE  SHAPE   ENCODING  BYTES  OFFSET
a       f32   4       dense     16     480
q       f32   2x32    Q4_0      36     512
s       i32   scalar  dense     4      576
z       f16   3x0     dense     0      608

ENCODING  TENSORS  ELEMENTS  BYTES  PART
Q4_0      1        64        36     64.3%
f32       1        4         16     28.6%
i32       1        1         4      7.1%
f16       1        0         0      0.0%

4 tensors, 56 bytes
`

const ggufPart = `{
 "format": "gguf",
 "size": 608,
 "metadata": [
  {
   "key": "general.architecture",
   "type": "string",
   "value": "test"
  },
  {
   "key": "general.alignment",
   "type": "u32",
   "value": 32
  },
  {
   "key": "test.flag",
   "type": "bool",
   "value": true
  },
  {
   "key": "test.flags",
   "type": "list of bool",
   "count": 2,
   "first": [
    false,
    true
   ]
  },
  {
   "key": "test.sizes",
   "type": "list of f32",
   "count": 2,
   "first": [
    0,
    0
   ]
  },
  {
   "key": "tokenizer.ggml.tokens",
   "type": "list of string",
   "count": 2,
   "first": [
    "a",
    {
     "hex": "ff"
    }
   ]
  },
  {
   "key": "test.nested",
   "type": "list of array",
   "count": 2,
   "first": [
    [
     "x"
    ],
    [
     9
    ]
   ]
  }
 ],
 "encodings": [
  {
   "encoding": "Q4_0",
   "dtype": "f32",
   "tensors": 1,
   "elements": 64,
   "bytes": 36
  }
 ],
 "tensors": [
  {
   "name": "q",
   "dtype": "f32",
   "shape": "2x32",
   "encoding": "Q4_0",
   "bytes": 36,
   "offset": 512
  }
 ]
}
`

func TestInspectGGUF(t *testing.T) {
	path := write(t, "a", badfiles.GGUFNested())
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, ggufTable},
		{[]string{"--json", "--tensors", "q"}, ggufPart},
		{[]string{"--metadata", "test.flags"}, "false\ntrue\n"},
		{[]string{"--metadata", "test.nested"}, "[x]\n[9]\n"},
		{[]string{"--metadata", "tokenizer.ggml.tokens"}, "a\n\"\\xff\"\n"},
		{[]string{"--metadata", "tokenizer.ggml.tokens", "--json"}, "[\"a\",{\"hex\":\"ff\"}]\n"},
		{[]string{"--metadata", "general.architecture", "--json"}, "\"test\"\n"},
		{[]string{"--metadata", "general.architecture"}, "test\n"},
	} {
		status, stdout, stderr := run(append([]string{"inspect", path}, tt.args...)...)
		require.Zero(t, status, stderr)
		if diff := cmp.Diff(tt.want, stdout); diff != "" {
			t.Errorf("%q: %s", tt.args, diff)
		}
	}
	_, stdout, _ := run("inspect", path, "--tensors", "[az]", "--tensors", "s")
	require.Contains(t, stdout, "\n3 tensors, 20 bytes\n")
	require.Contains(t, fails(t, 1, "CLI_NO_TENSOR", "inspect", path, "--tensors", "none*"), "skainet inspect FILE")

	fails(t, 1, "CONVERT_BAD_GLOB", "inspect", path, "--tensors", "[")
	require.Contains(t, fails(t, 1, "CLI_NO_METADATA", "inspect", path, "--metadata", "none"), "(7 others)")
	fails(t, 2, "USAGE", "inspect", path, "--index", "--metadata", "a")
}

// Values of every type, including some that JSON or a terminal cannot represent directly.
func TestMetadataOfEveryType(t *testing.T) {
	path := write(t, "a", nil)
	template := "{% for m in messages %}\n\t" + strings.Repeat("long ", 20)
	_, err := gguf.Write(path, []gguf.Pair{
		{Key: "big", Value: uint64(math.MaxUint64)}, {Key: "small", Value: int8(-3)}, {Key: "nan", Value: float32(math.NaN())},
		{Key: "inf", Value: math.Inf(-1)}, {Key: "wide", Value: 1.5}, {Key: "many", Value: []int32{1, 2, 3, 4}},
		{Key: "wides", Value: []float64{0.5, math.NaN()}}, {Key: "template", Value: template}, {Key: "escape", Value: "\x1b[2J"},
		{Key: "huge", Value: []uint64{1 << 63, math.MaxUint64}},
	}, nil, gguf.Options{})
	require.NoError(t, err)
	_, table, _ := run("inspect", path)
	for _, line := range []string{
		"big: 18446744073709551615\n", "small: -3\n", "nan: NaN\n", "inf: -Inf\n", "wide: 1.5\n", "many: list of i32, 4 long: 1, 2, 3, ...\n",
		"wides: list of f64, 2 long: 0.5, NaN\n", "... (125 characters)\n", "escape: \"\\x1b[2J\"\n",
		"huge: list of u64, 2 long: 9223372036854775808, 18446744073709551615\n",
	} {
		require.Contains(t, table, line)
	}
	_, json, _ := run("inspect", path, "--json")
	for _, has := range []string{`"value": 18446744073709551615`, `"value": "NaN"`, `"value": "-Inf"`, "    0.5,\n    \"NaN\"\n"} {
		require.Contains(t, json, has)
	}
	_, text, _ := run("inspect", path, "--metadata", "template")
	require.Equal(t, template+"\n", text, "the lines of a text stay")
	_, text, _ = run("inspect", path, "--metadata", "escape")
	require.Equal(t, "\"\\x1b[2J\"\n", text)
	_, text, _ = run("inspect", path, "--metadata", "huge", "--json")
	require.Equal(t, "[9223372036854775808,18446744073709551615]\n", text)
}

func TestUnreadableMetadata(t *testing.T) {
	w, err := weights.Open(write(t, "a", badfiles.GGUFNested()))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.Equal(t, "unreadable: TENSOR_CLOSED", inspect.Settings(w)[0].Value)
	_, err = whole(w, "general.architecture", false)
	require.Equal(t, errs.Code("TENSOR_CLOSED"), errs.CodeOf(err))
}

func TestMarshal(t *testing.T) {
	_, err := display.JSON(math.NaN())
	require.Equal(t, display.CodeJSON, errs.CodeOf(err))
	b, err := display.JSON("a<b>")
	require.NoError(t, err)
	require.True(t, bytes.Equal([]byte("\"a<b>\"\n"), b))
}

// TestTableOfManyTensors: the time is linear in the number of tensors, not
// quadratic, which would be minutes for a file at the limit.
func TestTableOfManyTensors(t *testing.T) {
	l := &inspect.Listing{Tensors: make([]inspect.Tensor, 1<<16)}
	start := time.Now()
	require.Greater(t, bytes.Count(table(l), []byte("\n")), 1<<16)
	require.Less(t, time.Since(start), 5*time.Second)
}

const encodedProgram = `module @m attributes {skainet.tensor_encodings = {raw = "Q4_K", w = "Q8_0"}} {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<4x1x34xi8> // Q8_0 f32[4x32]
}
`

func TestInspectProgram(t *testing.T) {
	path := write(t, "m.mlir", []byte(encodedProgram))
	status, stdout, stderr := run("inspect", path)
	require.Zero(t, status, stderr)
	require.Equal(t, "NAME  ENCODING  TYPE       STORED\nraw   Q4_K      -          -\nw     Q8_0      f32[4x32]  tensor<4x1x34xi8>\n", stdout)
	status, stdout, stderr = run("inspect", path, "--json", "--tensors", "r*")
	require.Zero(t, status, stderr)
	require.Equal(t, "[\n {\n  \"name\": \"raw\",\n  \"encoding\": \"Q4_K\"\n }\n]\n", stdout)
	fails(t, 1, "CLI_NO_TENSOR", "inspect", path, "--tensors", "none")
	fails(t, 2, "USAGE", "inspect", path, "--index")
	fails(t, 1, "HLO_SYNTAX", "inspect", write(t, "bad.mlir", []byte("module {")))

	status, stdout, stderr = run("inspect", write(t, "plain.mlir", []byte(goodProgram)))
	require.Zero(t, status, stderr)
	require.Equal(t, "no tensor of this text carries an encoding\n", stdout)
}
